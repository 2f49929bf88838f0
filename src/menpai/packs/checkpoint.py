"""The weights of a downloaded folder: which file holds them, and its tensors, mapped and checked, without torch."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from menpai.errors import BrokenArtefactError
from menpai.packs.torch_zip import Array, ForeignCodeError, read_torch_zip, widened

_KINDS = {
    "F32": "<f4", "F16": "<f2", "F64": "<f8", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
# The longest head of a safetensors file, as in its own library.
_LONGEST_HEAD = 100_000_000
_POINTER = b"version https://git-lfs"
# What a damaged or foreign file may bring about in a reader.
_UNREADABLE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    zipfile.BadZipFile,
    EOFError,
)


class Checkpoint(NamedTuple):
    """A weights file and its tensors by name."""

    path: Path
    tensors: dict[str, Array]


def read_checkpoint(folder: Path) -> Checkpoint:
    """The tensors of `model.safetensors`, else of `pytorch_model.bin`; raises BrokenArtefactError by name."""
    path = next((folder / name for name in READERS if (folder / name).is_file()), None)
    if path is None:
        raise BrokenArtefactError("weights_missing", folder=str(folder), files=", ".join(READERS))
    with path.open("rb") as file:
        if file.read(len(_POINTER)) == _POINTER:
            raise BrokenArtefactError("weights_pointer", file=str(path))
    try:
        return Checkpoint(path, READERS[path.name](path))
    except ForeignCodeError as error:
        raise BrokenArtefactError("weights_code", file=str(path), name=str(error)) from error
    except _UNREADABLE as error:
        size = path.stat().st_size
        raise BrokenArtefactError(
            "weights_unreadable", file=str(path), size=size, reason=str(error)
        ) from error


def read_safetensors(path: Path) -> dict[str, Array]:
    """The tensors of a safetensors file: a JSON head with types, shapes and places, then the bytes."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if length > min(size - 8, _LONGEST_HEAD):
            raise ValueError("its head is cut off")
        head: dict[str, Any] = loads_once(file.read(length))
    head.pop("__metadata__", None)
    _check_places([entry["data_offsets"] for entry in head.values()], size - 8 - length)
    return {name: _tensor(path, entry, 8 + length) for name, entry in head.items()}


def loads_once(text: str | bytes) -> Any:
    """The value of a JSON text; a name that stands twice in one object raises ValueError."""
    return json.loads(text, object_pairs_hook=_object)


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(items)
    if len(found) != len(items):
        names = [name for name, _ in items]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)[:80]!r} stands there twice")
    return found


def _check_places(places: Sequence[Sequence[int]], size: int) -> None:
    """Raise unless the tensors fill the data without gap or overlap, as the format demands."""
    at = 0
    for start, end in sorted(map(tuple, places)):
        if type(start) is not int or type(end) is not int or start != at or end < start:
            raise ValueError(f"a tensor lies at {start!s:.20}, not at {at}")
        at = end
    if at != size:
        raise ValueError(f"its tensors take {at} bytes, the file has {size}: its data are cut off")


def _tensor(path: Path, entry: dict[str, Any], base: int) -> Array:
    (start, end), kind, shape = entry["data_offsets"], np.dtype(_KINDS[entry["dtype"]]), tuple(entry["shape"])
    if not all(type(side) is int and side >= 0 for side in shape):
        raise ValueError("a shape is not made of whole numbers")
    if end - start != kind.itemsize * math.prod(shape):
        raise ValueError("a tensor has another size than its shape")
    data = np.memmap(path, kind, "r", base + start, shape)
    return widened(data) if entry["dtype"] == "BF16" else data


# In this order: where both lie in a folder, the official loader takes the first.
READERS: dict[str, Callable[[Path], dict[str, Array]]] = {
    "model.safetensors": read_safetensors,
    "pytorch_model.bin": read_torch_zip,
}
