"""Does the manifest of an imported pack say what its files hold? Everything that decides how the graph is asked is
compared with the vocabulary and with the graph's own constants, so that a pack edited by hand is refused when opened."""

from __future__ import annotations

import mmap
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from menpai.engines.constants import Constants, read_constants
from menpai.packs.bert import ORDERS, SIZES, BertShape, expected_tensors, shown
from menpai.packs.onnx_writer import varint

_WORDS = "bert.embeddings.word_embeddings.weight"
_CHOICES = {
    "order": ORDERS,
    "truncation": ("fast", "slow"),
    "precision": ("float32", "float16", "bfloat16", "int8", "dynamic"),
}
# Type of a matrix in the graph → the precisions of such a pack; bfloat16 is stored as 16-bit words.
_STORED = {"f4": ("float32",), "f2": ("float16",), "u2": ("bfloat16",), "i1": ("int8", "dynamic")}


def contradiction(folder: Path, manifest: Mapping[str, Any]) -> str:
    """What the manifest of an imported pack says wrongly, empty if nothing; `folder` holds its files."""
    for name, known in _CHOICES.items():
        if manifest.get(name, known[0]) not in known:
            return f"{name} {shown(manifest[name])}, this version knows {', '.join(known)}"
    shape = manifest.get("shape")
    if wrong := _wrong_size(shape):
        return f"shape: {wrong}"
    sizes = BertShape(**shape)  # type: ignore[arg-type] # looked at above
    limit = manifest.get("max_length")
    if type(limit) is not int or not SIZES["positions"][0] <= limit <= sizes.positions:
        return f"max_length {shown(limit)}, the model has {sizes.positions} positions"
    if len(manifest["labels"]) != sizes.labels:
        return f"{len(manifest['labels'])} labels, the model has {sizes.labels} outputs"
    if not isinstance(manifest.get("lower_case", True), bool):
        return f"lower_case {shown(manifest['lower_case'])}"
    roles = manifest["files"]
    if not {"graph", "vocabulary"} <= set(roles):
        return "files: graph or vocabulary is not named"
    return _in_vocabulary(folder / roles["vocabulary"], sizes) or _in_graph(
        folder / roles["graph"], sizes, manifest
    )


def _wrong_size(shape: object) -> str:
    """The first of the sizes that cannot be."""
    if not isinstance(shape, dict) or set(shape) != {field.name for field in fields(BertShape)}:
        return "not the sizes of a BERT"
    for name, (low, high) in SIZES.items():
        if type(shape[name]) is not int or not low <= shape[name] <= high:
            return f"{name} {shown(shape[name])}, expected {low:,} to {high:,}"
    if shape["width"] % shape["heads"]:
        return f"width {shape['width']} cannot be divided evenly among {shape['heads']} heads"
    if not isinstance(shape["epsilon"], float) or not 0 < shape["epsilon"] <= 0.1:
        return f"epsilon {shown(shape['epsilon'])}"
    return "" if isinstance(shape["pooler"], bool) else f"pooler {shown(shape['pooler'])}"


def _in_vocabulary(file: Path, sizes: BertShape) -> str:
    found = file.read_bytes().removesuffix(b"\n").count(b"\n") + 1
    return (
        "" if found == sizes.vocabulary else f"{file.name} has {found} entries, the model {sizes.vocabulary}"
    )


def _in_graph(file: Path, sizes: BertShape, manifest: Mapping[str, Any]) -> str:
    """Where the graph is not a BERT of these sizes in this precision."""
    try:
        found = read_constants(np.memmap(file, np.uint8, "r").data)
    except (ValueError, IndexError) as error:
        return f"{file.name}: {error}"
    return (
        _wrong_tensor(found, sizes) or _wrong_precision(found, manifest) or _wrong_heads(file, found, sizes)
    )


def _wrong_tensor(found: Constants, sizes: BertShape) -> str:
    """The first tensor that is lacking, of another shape, or of a layer above the last."""
    if any(name.startswith(f"bert.encoder.layer.{sizes.layers}.") for name in found):
        return f"layers {sizes.layers}, the graph has more"
    for name, size in expected_tensors(sizes):
        names = {
            name: size,
            f"{name}_t": size[::-1],
            f"{name}_q": size if "embeddings" in name else size[::-1],
        }
        shapes = [(found[key].shape, wanted) for key, wanted in names.items() if key in found]
        if not shapes:
            return f"the graph has no {name}"
        if shapes[0][0] != shapes[0][1]:
            return f"{name} is {'×'.join(map(str, shapes[0][0]))} in the graph"
    return ""


def _wrong_precision(found: Constants, manifest: Mapping[str, Any]) -> str:
    """Parts of a pack may be left in float32, all of them in one that is float32; none has more than one other type."""
    matrices = [
        array.dtype.str[1:] for name, array in found.items() if name.endswith((".weight", "_t", "_q"))
    ]
    kinds = {_STORED[kind] for kind in matrices if kind in _STORED} - {_STORED["f4"]}
    precision = str(manifest.get("precision", "float32"))
    if (
        all(precision in names for names in kinds)
        if kinds
        else precision == "float32" or "quantized" in manifest
    ):
        return ""
    stored = " or ".join(sorted(kinds)[0]) if kinds else "float32"
    return f"precision {precision}, the graph is {stored}"


def _wrong_heads(file: Path, found: Constants, sizes: BertShape) -> str:
    """The heads stand in a constant of the plain graph, in an attribute of the fused one."""
    plain = f"list_0_0_{sizes.heads}_{sizes.width // sizes.heads}" in found
    if plain or _holds(file, b"num_heads\x18" + varint(sizes.heads)):
        return ""
    return f"heads {sizes.heads}, the graph has others"


def _holds(file: Path, part: bytes) -> bool:
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(part) >= 0
