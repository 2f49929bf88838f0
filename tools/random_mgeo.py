"""Write a folder of exactly the layout of an official MGeo folder, with random weights: any size, any task.

`python -m tools.random_mgeo OUT --size base --task pair`. Speed does not depend on the values of weights, accuracy
does: from such a folder no quality can be claimed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.checkpoint_files import write_bin

Tensors = dict[str, NDArray[np.generic]]

CHARACTERS = Path(__file__).parents[1] / "src/menpai/data/packs/menpai-mini/vocabulary.txt"
SPECIALS = ["[PAD]", *(f"[unused{n}]" for n in range(1, 100)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ELEMENTS = (
    "prov city district town community village_group devzone road roadno intersection poi subpoi houseno cellno "
    "floorno assist distance"
).split()
COMPOSITION = (
    "BS BL RD Entity Brand CategorySuffix PA PB PC PD PE PF PG PH PS UA UB UC UD UE Desc Yewu SS SA YA BD NumEng ZZ"
).split()


def _tags(names: Sequence[str]) -> tuple[str, ...]:
    return ("O", *(f"{place}-{name}" for name in names for place in "BIES"))


@dataclass(frozen=True)
class Task:
    """What a folder is for: ModelScope's name of the task, the preprocessor, the labels in their order."""

    name: str
    preprocessor: str
    labels: tuple[str, ...]
    pooler: bool = True


TASKS = {
    "pair": Task("sentence-similarity", "sen-sim-tokenizer", ("exact_match", "not_match", "partial_match")),
    "ranking": Task("text-ranking", "mgeo-ranking", ()),
    "elements": Task("token-classification", "token-cls-tokenizer", _tags(ELEMENTS), pooler=False),
    "composition": Task("token-classification", "token-cls-tokenizer", _tags(COMPOSITION), pooler=False),
    "whatcut": Task("token-classification", "token-cls-tokenizer", _tags(["where", "what"]), pooler=False),
}


@dataclass(frozen=True)
class Shape:
    """Sizes of the BERT; `fusion` is the number of layers that run."""

    vocabulary: int = 900
    width: int = 32
    layers: int = 2
    heads: int = 2
    feedforward: int = 64
    positions: int = 512
    fusion: int = 0


SIZES = {
    "tiny": Shape(),
    "small": Shape(8000, 256, 4, 4, 1024),
    "base": Shape(21128, 768, 12, 12, 3072),
}


def vocabulary(size: int) -> list[str]:
    """`size` WordPieces in the order of the usual Chinese list: specials, ASCII, characters, continued pieces."""
    ascii_signs = [chr(code) for code in range(33, 127) if not 65 <= code <= 90]
    numbers = [str(n) for n in range(10, 100)] + [str(year) for year in range(1949, 2030)]
    words = ["soho", "cbd", "park", "plaza", "no", "road", "km", "app", "wifi"]
    continued = [
        f"##{piece}"
        for piece in [*map(chr, range(97, 123)), *(f"{n:02d}" for n in range(100)), *"0123456789"]
    ]
    known = CHARACTERS.read_text(encoding="utf-8").split("\n")[5:-1]
    characters = [char for char in known if not char.isascii()]
    spare = [chr(code) for code in range(0x4E00, 0x9FA6)]
    signs = [*ascii_signs, *"，。、（）：；《》【】“”·—…"]
    pieces = dict.fromkeys([*SPECIALS, *signs, *numbers, *words, *continued, *characters, *spare])
    return list(pieces)[:size]


def tensors(shape: Shape, task: Task, seed: int = 0) -> Tensors:
    """Random tensors under the names of plain transformers (`bert.…`, `classifier.…`), float32."""
    rng = np.random.default_rng(seed)
    width, wide = shape.width, shape.feedforward

    def matrix(*sizes: int, scale: float = 0.0) -> NDArray[np.float32]:
        return rng.standard_normal(sizes, dtype=np.float32) * np.float32(scale or 1.2 * sizes[-1] ** -0.5)

    def dense(name: str, rows: int, columns: int) -> Tensors:
        return {f"{name}.weight": matrix(rows, columns), f"{name}.bias": matrix(rows, scale=0.1)}

    def norm(name: str) -> Tensors:
        return {f"{name}.weight": 1 + matrix(width, scale=0.1), f"{name}.bias": matrix(width, scale=0.1)}

    out: Tensors = {"bert.embeddings.position_ids": np.arange(shape.positions, dtype=np.int64)[None]}
    for name, rows in (("word", shape.vocabulary), ("position", shape.positions), ("token_type", 2)):
        out[f"bert.embeddings.{name}_embeddings.weight"] = matrix(rows, width, scale=0.5)
    out |= norm("bert.embeddings.LayerNorm")
    for layer in range(shape.layers):
        at = f"bert.encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            out |= dense(f"{at}.attention.self.{part}", width, width)
        out |= dense(f"{at}.attention.output.dense", width, width) | norm(f"{at}.attention.output.LayerNorm")
        if shape.fusion and layer >= shape.fusion:
            for part in ("query", "key", "value"):
                out |= dense(f"{at}.crossattention.self.{part}", width, width)
        out |= dense(f"{at}.intermediate.dense", wide, width) | dense(f"{at}.output.dense", width, wide)
        out |= norm(f"{at}.output.LayerNorm")
    if task.pooler:
        out |= dense("bert.pooler.dense", width, width)
    return out | dense("classifier", max(1, len(task.labels)), width)


def config(shape: Shape) -> dict[str, Any]:
    """config.json: the fields of BERT and those that MGeo adds."""
    return {
        "model_type": "bert", "vocab_size": shape.vocabulary, "hidden_size": shape.width,
        "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads,
        "intermediate_size": shape.feedforward, "hidden_act": "gelu", "max_position_embeddings": shape.positions,
        "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0, "initializer_range": 0.02,
        "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
        "fusion_layer": shape.fusion or shape.layers, "encoder_width": shape.width, "gis_embedding": 0,
        "gis_encoder": {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4},
    }  # fmt: skip


def configuration(task: Task) -> dict[str, Any]:
    """configuration.json of ModelScope; the labels stand here."""
    labels = {"id2label": {str(at): label for at, label in enumerate(task.labels)}} if task.labels else {}
    return {
        "framework": "pytorch",
        "task": task.name,
        "model": {"type": "mgeo", **labels},
        "preprocessor": {"type": task.preprocessor},
        "pipeline": {"type": "mgeo-ranking" if task.name == "text-ranking" else task.name},
    }


def write_folder(
    path: Path, task: Task, shape: Shape, weights: Mapping[str, NDArray[np.generic]], words: Sequence[str]
) -> Path:
    """The folder as ModelScope has it: the tensors under MGeo's names in `pytorch_model.bin`."""
    path.mkdir(parents=True, exist_ok=True)
    write_json(path / "config.json", config(shape))
    write_json(path / "configuration.json", configuration(task))
    write_json(
        path / "tokenizer_config.json", {"do_lower_case": True, "use_fast": True, "model_max_length": 512}
    )
    (path / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    write_bin(path / "pytorch_model.bin", renamed(weights))
    return path


def renamed(weights: Mapping[str, NDArray[np.generic]], prefix: str = "bert.text_encoder.") -> Tensors:
    """The tensors with MGeo's prefix in place of `bert.`."""
    return {
        name.replace("bert.", prefix, 1) if name.startswith("bert.") else name: t
        for name, t in weights.items()
    }


def write_json(path: Path, value: Any) -> None:
    """JSON with the characters themselves."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def random_folder(path: Path, task: str = "pair", size: str | Shape = "tiny", seed: int = 0) -> Path:
    """A random folder of this task and size."""
    shape = SIZES[size] if isinstance(size, str) else size
    words = vocabulary(shape.vocabulary)
    return write_folder(path, TASKS[task], shape, tensors(shape, TASKS[task], seed), words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--task", choices=TASKS, default="pair")
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print(random_folder(args.out, args.task, args.size, args.seed))


if __name__ == "__main__":
    main()
