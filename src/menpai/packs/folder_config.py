"""The JSON files of a model folder: sizes, what the tokenizer does. A value that cannot be is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from menpai.errors import BrokenArtefactError
from menpai.packs.bert import SIZES, BertShape, shown, whole
from menpai.packs.checkpoint import loads_once

Json = dict[str, Any]

# What config.json must say, or leave out: only the type of the model must be said.
_WANTED = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
}
_SIZES_OF = {
    "vocabulary": "vocab_size", "width": "hidden_size", "layers": "num_hidden_layers",
    "heads": "num_attention_heads", "feedforward": "intermediate_size", "positions": "max_position_embeddings",
    "types": "type_vocab_size",
}  # fmt: skip


def read_json(path: Path) -> Json:
    """The object in a JSON file; empty for a file that is not there."""
    if not path.is_file():
        return {}
    try:
        value = loads_once(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenArtefactError("config_invalid", file=str(path), reason=str(error)) from error
    if not isinstance(value, dict):
        raise BrokenArtefactError("config_no_object", file=str(path))
    return value


def bert_shape(path: Path, config: Json, task: str, labels: int) -> BertShape:
    """The sizes of config.json, cut to the layers that run; refuses what is no BERT as we know it."""
    file = str(path / "config.json")
    for name, value in _WANTED.items():
        if config.get(name, None if name == "model_type" else value) != value:
            raise BrokenArtefactError(
                "config_unknown", file=file, name=name, value=shown(config.get(name)), known=str(value)
            )
    sizes = {field: whole(config.get(name), file, name, *SIZES[field]) for field, name in _SIZES_OF.items()}
    if "fusion_layer" in config:
        sizes["layers"] = min(
            sizes["layers"], whole(config["fusion_layer"], file, "fusion_layer", *SIZES["layers"])
        )
    if task == "pair" and sizes["types"] < 2:
        whole(sizes["types"], file, "type_vocab_size", 2, SIZES["types"][1])
    if sizes["width"] % sizes["heads"]:
        raise BrokenArtefactError("config_heads", file=file, width=sizes["width"], heads=sizes["heads"])
    epsilon = config.get("layer_norm_eps", 1e-12)
    if not isinstance(epsilon, float) or not 0 < epsilon <= 0.1:
        raise BrokenArtefactError(
            "config_number", file=file, name="layer_norm_eps", value=shown(epsilon), low=">0", high="0.1"
        )
    return BertShape(**sizes, labels=labels, pooler=task != "tagging", epsilon=epsilon)


def tokenizer_kind(path: Path) -> tuple[bool, bool]:
    """Whether the tokenizer lower-cases, and whether it is the slow one, as ModelScope's is unless the folder says
    use_fast; the two cut pairs that are too long in different places."""
    config = read_json(path / "tokenizer_config.json")
    fast = read_json(path / "tokenizer.json")
    kind = (
        (fast.get("model") or {}).get("type", "WordPiece")
        if isinstance(fast.get("model"), dict | None)
        else ""
    )
    if kind != "WordPiece":
        raise BrokenArtefactError(
            "config_unknown",
            file=str(path / "tokenizer.json"),
            name="model.type",
            value=str(kind),
            known="WordPiece",
        )
    lower = _flag(path, config, "do_lower_case")
    if lower is None:
        normalizer = fast.get("normalizer")
        lower = normalizer.get("lowercase", True) is not False if isinstance(normalizer, dict) else True
    return lower, (path / "configuration.json").is_file() and not _flag(path, config, "use_fast")


def texts_in(path: Path, field: str, *values: object) -> list[str]:
    """The texts among the values of a field that may be empty; refuses anything else."""
    if wrong := [value for value in values if value is not None and not isinstance(value, str)]:
        raise BrokenArtefactError("config_no_text", file=str(path), name=field, value=shown(wrong[0]))
    return [value for value in values if isinstance(value, str) and value]


def listed(value: object) -> list[object]:
    """The value, if it is a list, or a list of it alone."""
    return value if isinstance(value, list) else [value]


def _flag(path: Path, config: Json, name: str) -> bool | None:
    """A field of tokenizer_config.json that is true, false, or not said."""
    value = config.get(name)
    if not isinstance(value, bool | None):
        file = str(path / "tokenizer_config.json")
        raise BrokenArtefactError(
            "config_unknown", file=file, name=name, value=shown(value), known="true, false"
        )
    return value
