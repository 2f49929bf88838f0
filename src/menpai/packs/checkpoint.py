"""The weights of a downloaded folder: which file holds them, and its tensors, mapped and checked, without torch."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from menpai.errors import BrokenArtefactError
from menpai.packs.torch_zip import Array, ForeignCodeError, read_torch_zip, widened

_KINDS = {
    "F32": "<f4", "F16": "<f2", "F64": "<f8", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_POINTER = b"version https://git-lfs"
# What a damaged or foreign file may bring about in a reader.
_UNREADABLE = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
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
        if length > size:
            raise ValueError("its head is cut off")
        head: dict[str, Any] = json.loads(file.read(length))
    head.pop("__metadata__", None)
    return {name: _tensor(path, entry, 8 + length, size) for name, entry in head.items()}


def _tensor(path: Path, entry: dict[str, Any], base: int, size: int) -> Array:
    start, end = entry["data_offsets"]
    kind, shape = np.dtype(_KINDS[entry["dtype"]]), tuple(entry["shape"])
    if end - start != kind.itemsize * int(np.prod(shape, dtype=np.int64)) or base + end > size:
        raise ValueError("its data are cut off")
    data = np.memmap(path, kind, "r", base + start, shape)
    return widened(data) if entry["dtype"] == "BF16" else data


# In this order: where both lie in a folder, the official loader takes the first.
READERS: dict[str, Callable[[Path], dict[str, Array]]] = {
    "model.safetensors": read_safetensors,
    "pytorch_model.bin": read_torch_zip,
}
