"""Weights as files, written without torch: `pytorch_model.bin` as torch.save writes it, and `model.safetensors`."""

from __future__ import annotations

import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Tensors = Mapping[str, NDArray[np.generic]]

_STORAGES = {
    "float32": "FloatStorage",
    "float16": "HalfStorage",
    "float64": "DoubleStorage",
    "int64": "LongStorage",
}
_NAMES = {"float32": "F32", "float16": "F16", "float64": "F64", "int64": "I64"}
_ORDERED_DICT = b"ccollections\nOrderedDict\n)R"


def write_bin(path: Path, tensors: Tensors, head: bytes = b"") -> None:
    """The zip archive of torch.save: a pickle of names, shapes and storages, and each storage's bytes.

    `head` are opcodes put before the state dict (and popped again), to make a file that a loader must refuse.
    """
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        items = b"".join(_text(name) + _tensor(at, array) for at, (name, array) in enumerate(tensors.items()))
        archive.writestr("archive/data.pkl", b"\x80\x02" + head + _ORDERED_DICT + b"(" + items + b"u.")
        archive.writestr("archive/byteorder", b"little")
        for at, array in enumerate(tensors.values()):
            archive.writestr(f"archive/data/{at}", np.ascontiguousarray(array).tobytes())
        archive.writestr("archive/version", b"3\n")


def write_safetensors(path: Path, tensors: Tensors) -> None:
    """A JSON head with type, shape and place of each tensor, then the bytes."""
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, array in tensors.items():
        start, end = end, end + array.nbytes
        head[name] = {"dtype": _NAMES[str(array.dtype)], "shape": array.shape, "data_offsets": [start, end]}
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in tensors.values():
            file.write(np.ascontiguousarray(array).tobytes())


def _tensor(at: int, array: NDArray[np.generic]) -> bytes:
    """torch._utils._rebuild_tensor_v2(storage, 0, shape, stride, False, OrderedDict())."""
    strides = tuple(stride // array.itemsize for stride in np.ascontiguousarray(array).strides)
    kind = b"ctorch\n" + _STORAGES[str(array.dtype)].encode() + b"\n"
    storage = b"(" + _text("storage") + kind + _text(str(at)) + _text("cpu") + _whole(array.size) + b"tQ"
    arguments = storage + _whole(0) + _wholes(array.shape) + _wholes(strides) + b"\x89" + _ORDERED_DICT
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + arguments + b"tR"


def _text(text: str) -> bytes:
    data = text.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def _whole(number: int) -> bytes:
    return b"J" + struct.pack("<i", number)


def _wholes(numbers: tuple[int, ...]) -> bytes:
    return b"(" + b"".join(map(_whole, numbers)) + b"t"
