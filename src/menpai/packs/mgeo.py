"""Read a model folder as downloaded: an official MGeo folder, one fine-tuned from it, or a plain BERT of transformers.

Strict: a tensor that is missing, left over or of another shape, labels that are not known, a vocabulary of another
size are refused by name. A silent partial load is the worst known failure: the encoder stays random and still answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from menpai.errors import BrokenArtefactError, UsageError
from menpai.packs.bert import BertShape, expected_tensors, shown
from menpai.packs.checkpoint import Checkpoint, read_checkpoint
from menpai.packs.folder_config import Json, bert_shape, listed, read_json, texts_in, tokenizer_kind
from menpai.packs.folder_labels import FoundLabels, find_labels, pair_labels
from menpai.packs.pack import DIGESTS, MANIFEST
from menpai.packs.torch_zip import Array
from menpai.verdict import LABELS

# ModelScope's name of a task, or the class that transformers writes into config.json → what the graph answers.
TASK_OF = {
    "sentence-similarity": "pair", "text-classification": "pair", "nli": "pair", "sentiment-classification": "pair",
    "text-ranking": "ranking", "token-classification": "tagging", "word-segmentation": "tagging",
    "part-of-speech": "tagging", "named-entity-recognition": "tagging",
    "BertForSequenceClassification": "pair", "MGeoForSequenceClassification": "pair",
    "MGeoForTextRanking": "ranking",
    "BertForTokenClassification": "tagging", "MGeoForTokenClassification": "tagging",
}  # fmt: skip
# Prefixes that stand for `bert.`: MGeo's own, its backbone's, and those that a wrapper for several GPUs adds.
_PREFIXES = ("bert.text_encoder.", "text_encoder.")
_MAP_PARTS = (
    "bert.gis_encoder.",
    "bert.gis2text.",
    "bert.gis_type.",
    "gis_encoder.",
    "gis2text.",
    "gis_type.",
)
_SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


@dataclass(frozen=True, slots=True)
class Folder:
    """A checked folder: what it answers, its labels in the order of the outputs, sizes, tensors and vocabulary."""

    path: Path
    task: str
    labels: tuple[str, ...]
    shape: BertShape
    tensors: Mapping[str, Array]
    vocabulary: Sequence[str]
    lower_case: bool
    slow_tokenizer: bool
    by_character: bool
    "A tagger that is given its text character by character."
    weights: Path
    notes: tuple[str, ...]


def read_folder(path: Path, task: str | None = None, labels: Sequence[str] = ()) -> Folder:
    """The folder at `path`; `task` and `labels` overrule what it says about itself."""
    if not path.is_dir():
        raise UsageError("folder_not_found", folder=str(path))
    if (path / MANIFEST).is_file() and (path / DIGESTS).is_file():
        raise UsageError("folder_is_pack", folder=str(path))
    if not (path / "config.json").is_file():
        raise BrokenArtefactError("config_missing", folder=str(path))
    config, configuration = read_json(path / "config.json"), read_json(path / "configuration.json")
    checkpoint = read_checkpoint(path)
    tensors, written, notes = _renamed(checkpoint)
    task = task or _task(path, config, configuration, tensors)
    if "classifier.weight" not in tensors:
        raise BrokenArtefactError("head_missing", file=str(checkpoint.path))
    shape = bert_shape(path, config, task, _outputs(tensors))
    kept, left_out = _cut(tensors, shape)
    _check_tensors(checkpoint.path, kept, shape, written)
    found = FoundLabels(tuple(labels), "--labels")
    if not labels:
        found = find_labels(read_json(path / "label_mapping.json"), configuration, config)
    vocabulary = read_vocabulary(path / "vocab.txt", shape.vocabulary)
    lower_case, slow = tokenizer_kind(path)
    return Folder(
        path=path,
        task=task,
        labels=_labels(path, task, found, shape.labels),
        shape=shape,
        tensors=kept,
        vocabulary=vocabulary,
        lower_case=lower_case,
        slow_tokenizer=slow,
        by_character=_by_character(configuration),
        weights=checkpoint.path,
        notes=(*notes, *left_out),
    )


def read_vocabulary(path: Path, size: int) -> list[str]:
    """The pieces of vocab.txt in the order of their ids; refuses a list of another length than the embedding."""
    try:
        pieces = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenArtefactError("vocabulary_unreadable", file=str(path), reason=str(error)) from error
    if len(pieces) != size:
        raise BrokenArtefactError("vocabulary_size", file=str(path), found=len(pieces), expected=size)
    if len(set(pieces)) < size:
        twice = next(piece for piece, times in Counter(pieces).items() if times > 1)
        raise BrokenArtefactError("vocabulary_twice", file=str(path), piece=twice[:40])
    if lacking := [piece for piece in _SPECIALS if piece not in pieces]:
        raise BrokenArtefactError("vocabulary_unreadable", file=str(path), reason=f"no {lacking[0]}")
    return pieces


def _task(path: Path, config: Json, configuration: Json, tensors: Mapping[str, Array]) -> str:
    """What the folder says it is for; a plain folder that says nothing is known by its head."""
    names = texts_in(path / "configuration.json", "task", configuration.get("task"))
    names += texts_in(path / "config.json", "architectures", *listed(config.get("architectures")))
    if task := next((TASK_OF[name] for name in names if name in TASK_OF), None):
        return "ranking" if task == "pair" and _outputs(tensors) == 1 else task
    if names:
        raise BrokenArtefactError("task_unknown", folder=str(path), task=shown(names[0]))
    return "pair" if "bert.pooler.dense.weight" in tensors else "tagging"


def _outputs(tensors: Mapping[str, Array]) -> int:
    """How many outputs the head has."""
    return next(iter(tensors["classifier.weight"].shape), 0) if "classifier.weight" in tensors else 0


def _renamed(checkpoint: Checkpoint) -> tuple[dict[str, Array], dict[str, str], list[str]]:
    """The tensors under the names of transformers, those names as the file writes them, and a note where tensors
    of the map were left out."""
    out: dict[str, Array] = {}
    written: dict[str, str] = {}
    left = 0
    for full, tensor in checkpoint.tensors.items():
        name = full.removeprefix("module.")
        if name.startswith(_MAP_PARTS):
            left += 1
            continue
        prefix = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), "")
        name = "bert." + name.removeprefix(prefix) if prefix else name
        if name in out:
            raise BrokenArtefactError(
                "tensor_twice", file=str(checkpoint.path), name=written[name], other=full
            )
        out[name], written[name] = tensor, full
    return out, written, [f"gis:{left}"] if left else []


def _cut(tensors: Mapping[str, Array], shape: BertShape) -> tuple[dict[str, Array], list[str]]:
    """The tensors of the layers that run; what the text never reaches is left out, with a note."""
    kept: dict[str, Array] = {}
    above = 0
    for name, tensor in tensors.items():
        layer = name.removeprefix("bert.encoder.layer.").split(".")[0] if "encoder.layer." in name else ""
        layer = layer if len(layer) < 9 else ""
        unused = name.endswith("embeddings.position_ids") or (
            name.startswith("bert.pooler.") and not shape.pooler
        )
        if ".crossattention." in name or (layer.isdecimal() and int(layer) >= shape.layers):
            above += 1
        elif not unused:
            kept[name] = tensor
    return kept, [f"above:{shape.layers}"] if above else []


def _check_tensors(
    file: Path, tensors: Mapping[str, Array], shape: BertShape, written: Mapping[str, str]
) -> None:
    """Raise unless exactly the tensors of such a BERT are there, in their shapes, with finite numbers."""
    expected = dict(expected_tensors(shape))
    extra = _some([written[name] for name in tensors if name not in expected])
    if missing := [name for name in expected if name not in tensors]:
        raise BrokenArtefactError(
            "tensors_missing", file=str(file), count=len(missing), names=_some(missing), instead=extra or "–"
        )
    if extra:
        raise BrokenArtefactError("tensors_unexpected", file=str(file), names=extra)
    for name, size in expected.items():
        if tensors[name].shape != size:
            found = "×".join(map(str, tensors[name].shape))
            raise BrokenArtefactError(
                "tensor_shape", file=str(file), name=name, found=found, expected="×".join(map(str, size))
            )
        if tensors[name].dtype.kind != "f":
            raise BrokenArtefactError(
                "tensor_kind", file=str(file), name=written[name], found=str(tensors[name].dtype)
            )
        with np.errstate(over="ignore"):  # what is too large for float32 becomes infinity, and is refused
            finite = np.isfinite(tensors[name].astype(np.float32, copy=False)).all()
        if not finite:
            raise BrokenArtefactError("tensor_not_finite", file=str(file), name=name)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if names[3:] else "")


def _labels(path: Path, task: str, found: FoundLabels, outputs: int) -> tuple[str, ...]:
    """The labels of the outputs, as many as the head has."""
    if task == "pair" and outputs != len(LABELS):
        raise BrokenArtefactError(
            "labels_not_three", folder=str(path), outputs=outputs, labels=", ".join(found.labels) or "–"
        )
    if task == "ranking":
        labels: tuple[str, ...] = ("relevance",)
    else:
        labels = pair_labels(found, str(path)) if task == "pair" else found.labels
    if not labels:
        raise BrokenArtefactError("labels_missing", folder=str(path))
    if len(labels) != outputs:
        raise BrokenArtefactError(
            "labels_count", folder=str(path), place=found.place or task, found=len(labels), expected=outputs
        )
    return labels


def _by_character(configuration: Json) -> bool:
    preprocessor = configuration.get("preprocessor")
    return isinstance(preprocessor, dict) and preprocessor.get("is_split_into_words") is True
