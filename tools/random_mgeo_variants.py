"""Ways in which an MGeo folder differs from the official one and must import (GOOD), or is broken (BROKEN).

`python -m tools.random_mgeo_variants OUT missing_tensor` writes one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tools.checkpoint_files import write_bin, write_safetensors
from tools.random_mgeo import (
    SIZES,
    TASKS,
    Shape,
    Tensors,
    renamed,
    tensors,
    vocabulary,
    write_folder,
    write_json,
)


def _labels(path: Path, labels: Sequence[str], file: str = "configuration.json") -> None:
    value = json.loads((path / file).read_text(encoding="utf-8"))
    (value["model"] if file == "configuration.json" else value)["id2label"] = {
        str(at): label for at, label in enumerate(labels)
    }
    write_json(path / file, value)


def _other_order(path: Path, weights: Tensors) -> None:
    """The order of the official recipe for fine-tuning."""
    _labels(path, ("not_match", "partial_match", "exact_match"))


def _labels_in_config(path: Path, weights: Tensors) -> None:
    """A label map in config.json alone."""
    write_json(path / "configuration.json", {"task": "sentence-similarity", "model": {"type": "mgeo"}})
    _labels(path, TASKS["pair"].labels, "config.json")


def _label_mapping(path: Path, weights: Tensors) -> None:
    """label_mapping.json, which goes before all others; configuration.json says another order."""
    write_json(path / "label_mapping.json", {"partial_match": 0, "exact_match": 1, "not_match": 2})


def _safetensors(path: Path, weights: Tensors) -> None:
    (path / "pytorch_model.bin").unlink()
    write_safetensors(path / "model.safetensors", renamed(weights))


def _half(path: Path, weights: Tensors) -> None:
    """The tensors in half precision, as people store them to save room."""
    write_bin(
        path / "pytorch_model.bin",
        {n: t.astype(np.float16) if t.dtype == np.float32 else t for n, t in renamed(weights).items()},
    )


def _with_gis(path: Path, weights: Tensors) -> None:
    """Tensors of the map encoder beside those of the text."""
    width = len(weights["classifier.weight"][0])
    extra: Tensors = {
        "bert.gis_encoder.embeddings.word_embeddings.weight": np.zeros((10, 8), np.float32),
        "bert.gis_encoder.encoder.layer.0.attention.self.query.weight": np.zeros((8, 8), np.float32),
        "bert.gis2text.weight": np.zeros((width, 8), np.float32),
        "bert.gis2text.bias": np.zeros(width, np.float32),
        "bert.gis_type.weight": np.zeros((2, width), np.float32),
    }
    write_bin(path / "pytorch_model.bin", renamed(weights) | extra)


def _module_prefix(path: Path, weights: Tensors) -> None:
    """As saved from a wrapper for several GPUs."""
    write_bin(
        path / "pytorch_model.bin", {f"module.{name}": tensor for name, tensor in renamed(weights).items()}
    )


def _bare_prefix(path: Path, weights: Tensors) -> None:
    """`text_encoder.` without `bert.` before it."""
    write_bin(path / "pytorch_model.bin", renamed(weights, "text_encoder."))


def _fusion_layer(path: Path, weights: Tensors) -> None:
    """Fewer layers run than there are (`variant_folder` sees to it before the tensors are made)."""


def _plain_bert(path: Path, weights: Tensors) -> None:
    """A BertForSequenceClassification (or token classification) of transformers, without ModelScope's files."""
    value = json.loads((path / "config.json").read_text(encoding="utf-8"))
    labels = json.loads((path / "configuration.json").read_text(encoding="utf-8"))["model"].get(
        "id2label", {"0": "LABEL_0"}
    )
    kind = "SequenceClassification" if "bert.pooler.dense.weight" in weights else "TokenClassification"
    for name in ("fusion_layer", "encoder_width", "gis_embedding", "gis_encoder"):
        del value[name]
    value |= {"architectures": [f"BertFor{kind}"], "id2label": labels}
    write_json(path / "config.json", value)
    (path / "configuration.json").unlink()
    write_bin(path / "pytorch_model.bin", weights)


def _missing_tensor(path: Path, weights: Tensors) -> None:
    write_bin(
        path / "pytorch_model.bin",
        {n: t for n, t in renamed(weights).items() if not n.endswith("0.output.dense.bias")},
    )


def _extra_tensor(path: Path, weights: Tensors) -> None:
    write_bin(
        path / "pytorch_model.bin",
        renamed(weights) | {"bert.text_encoder.adapter.weight": np.zeros((2, 2), np.float32)},
    )


def _wrong_prefix(path: Path, weights: Tensors) -> None:
    write_bin(path / "pytorch_model.bin", renamed(weights, "encoder_text."))


def _wrong_shape(path: Path, weights: Tensors) -> None:
    name = "bert.text_encoder.encoder.layer.0.intermediate.dense.weight"
    write_bin(path / "pytorch_model.bin", renamed(weights) | {name: np.zeros((3, 5), np.float32)})


def _half_downloaded(path: Path, weights: Tensors) -> None:
    data = (path / "pytorch_model.bin").read_bytes()
    (path / "pytorch_model.bin").write_bytes(data[: len(data) // 2])


def _half_downloaded_safetensors(path: Path, weights: Tensors) -> None:
    _safetensors(path, weights)
    data = (path / "model.safetensors").read_bytes()
    (path / "model.safetensors").write_bytes(data[: len(data) // 2])


def _lfs_pointer(path: Path, weights: Tensors) -> None:
    """What git leaves in place of a large file that was not fetched."""
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 409098104\n"
    (path / "pytorch_model.bin").write_text(text, encoding="ascii")


def _vocabulary_short(path: Path, weights: Tensors) -> None:
    lines = (path / "vocab.txt").read_text(encoding="utf-8").splitlines()
    (path / "vocab.txt").write_text("\n".join(lines[:-7]) + "\n", encoding="utf-8")


def _two_labels(path: Path, weights: Tensors) -> None:
    """A head of two classes, as for 'same or not'."""
    head = {f"classifier.{part}": weights[f"classifier.{part}"][:2] for part in ("weight", "bias")}
    write_bin(path / "pytorch_model.bin", renamed(weights) | head)
    _labels(path, ("not_match", "exact_match"))


def _labels_unknown(path: Path, weights: Tensors) -> None:
    _labels(path, ("A", "B", "C"))


def _no_labels(path: Path, weights: Tensors) -> None:
    write_json(path / "configuration.json", {"task": "sentence-similarity", "model": {"type": "mgeo"}})


def _not_a_number(path: Path, weights: Tensors) -> None:
    """One weight of a run that diverged."""
    broken = weights["bert.pooler.dense.weight"].copy()
    broken[0, 0] = np.nan
    write_bin(
        path / "pytorch_model.bin", renamed(weights) | {"bert.text_encoder.pooler.dense.weight": broken}
    )


def _code_in_pickle(path: Path, weights: Tensors) -> None:
    """A pickle that would write a file when it is loaded carelessly."""
    target = str(path / "executed").encode()
    call = b"cos\nmkdir\n(X" + len(target).to_bytes(4, "little") + target + b"tR0"
    write_bin(path / "pytorch_model.bin", renamed(weights), head=call)


def _no_weights(path: Path, weights: Tensors) -> None:
    (path / "pytorch_model.bin").unlink()


def _other_architecture(path: Path, weights: Tensors) -> None:
    value = json.loads((path / "config.json").read_text(encoding="utf-8"))
    write_json(path / "config.json", value | {"model_type": "roformer"})


# Folders that must import, then folders that must be refused.
GOOD = {
    "other_order": _other_order, "labels_in_config": _labels_in_config, "label_mapping": _label_mapping,
    "safetensors": _safetensors, "half": _half, "with_gis": _with_gis, "module_prefix": _module_prefix,
    "bare_prefix": _bare_prefix, "fusion_layer": _fusion_layer, "plain_bert": _plain_bert,
}  # fmt: skip
BROKEN = {
    "missing_tensor": _missing_tensor, "extra_tensor": _extra_tensor, "wrong_prefix": _wrong_prefix,
    "wrong_shape": _wrong_shape, "half_downloaded": _half_downloaded,
    "half_downloaded_safetensors": _half_downloaded_safetensors, "lfs_pointer": _lfs_pointer,
    "vocabulary_short": _vocabulary_short, "two_labels": _two_labels, "labels_unknown": _labels_unknown,
    "no_labels": _no_labels, "not_a_number": _not_a_number, "code_in_pickle": _code_in_pickle,
    "no_weights": _no_weights, "other_architecture": _other_architecture,
}  # fmt: skip
VARIANTS = GOOD | BROKEN


def variant_folder(
    path: Path, variant: str, task: str = "pair", size: Shape = SIZES["tiny"], seed: int = 0
) -> Path:
    """A random folder of this task and size, changed as the variant says."""
    shape = replace(size, fusion=size.layers - 1) if variant == "fusion_layer" else size
    weights = tensors(shape, TASKS[task], seed)
    write_folder(path, TASKS[task], shape, weights, vocabulary(shape.vocabulary))
    VARIANTS[variant](path, weights)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("variant", choices=VARIANTS)
    args = parser.parse_args()
    print(variant_folder(args.out, args.variant))


if __name__ == "__main__":
    main()
