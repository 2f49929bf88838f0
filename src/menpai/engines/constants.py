"""The constants of an ONNX graph as arrays, read without a package for ONNX and without a copy.

Field numbers are those of onnx.proto; the wire format is that of Protocol Buffers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Constants = dict[str, NDArray[Any]]

_GRAPH, _INITIALIZER = 7, 5
_DIMS, _TYPE, _NAME, _RAW, _OUTSIDE, _WHERE = 1, 2, 8, 9, 13, 14
# bfloat16 is read as the upper half of a float32; `widened` gives the numbers.
_TYPES = {1: "<f4", 2: "u1", 3: "i1", 6: "<i4", 7: "<i8", 10: "<f2", 16: "<u2"}


def read_constants(graph: bytes | bytearray | memoryview) -> Constants:
    """Name → array of each initializer that holds its data in `raw_data`; views into the bytes given."""
    view = memoryview(graph)
    found: Constants = {}
    for at, part in _fields(view):
        if at == _GRAPH and isinstance(part, memoryview):
            for inner, tensor in _fields(part):
                if inner == _INITIALIZER and isinstance(tensor, memoryview):
                    found.update(_tensor(tensor))
    return found


def widened(array: NDArray[Any]) -> NDArray[np.float32]:
    """A constant as float32: halves are widened, and 16-bit words are the upper halves of floats (bfloat16)."""
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32, copy=False)


def shape_beside(graph: Path) -> dict[str, Any] | None:
    """The sizes of the BERT that a graph of a pack holds, from the manifest beside it; None for another network."""
    try:
        shape = json.loads((graph.parent / "manifest.json").read_text(encoding="utf-8")).get("shape")
    except (OSError, ValueError, AttributeError):
        return None
    return shape if isinstance(shape, dict) else None


def _tensor(data: memoryview) -> Constants:
    dims: list[int] = []
    name, kind, raw = "", 0, None
    for at, part in _fields(data):
        if at == _DIMS:
            dims += _numbers(part) if isinstance(part, memoryview) else [part]
        elif at == _TYPE and isinstance(part, int):
            kind = part
        elif at == _NAME and isinstance(part, memoryview):
            name = bytes(part).decode()
        elif at == _RAW and isinstance(part, memoryview):
            raw = part
    if raw is None or kind not in _TYPES:
        return {}
    return {name: np.frombuffer(raw, dtype=_TYPES[kind]).reshape(dims)}


def _fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Number and value of each field of a message: whole numbers, or bytes for all that has a length."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield number, value
        else:
            size = {1: 8, 5: 4}.get(wire, 0)
            if wire == 2:
                size, at = _varint(data, at)
            yield number, data[at : at + size]
            at += size


def _numbers(packed: memoryview) -> list[int]:
    numbers, at = [], 0
    while at < len(packed):
        number, at = _varint(packed, at)
        numbers.append(number)
    return numbers


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def lifted(graph: bytes | memoryview, least: int = 100_000) -> tuple[bytes, Constants]:
    """The graph without the data of its constants of so many bytes, and those as views into the bytes given.

    Each is left as a reference to data outside the file, which the caller hands to ONNX Runtime from memory: what ONNX
    Runtime reads as part of a graph it keeps as long as the session lives, beside its packed copy (1.32).
    """
    constants: Constants = {}
    model = bytearray()
    for at, part in _fields(memoryview(graph)):
        if at != _GRAPH or not isinstance(part, memoryview):
            model += _field(at, part)
            continue
        body = bytearray()
        for inner, tensor in _fields(part):
            large = inner == _INITIALIZER and isinstance(tensor, memoryview) and len(tensor) > least
            found = _tensor(tensor) if large and isinstance(tensor, memoryview) else {}
            if any(array.dtype == np.uint16 for array in found.values()):
                found = {}  # bfloat16, which cannot be handed over as a NumPy array
            constants |= found
            body += _field(inner, _reference(tensor) if found and isinstance(tensor, memoryview) else tensor)
        model += _field(at, body)
    return bytes(model), constants


def _reference(tensor: memoryview) -> bytes:
    """The tensor with a reference in place of its data."""
    kept = b"".join(_field(at, part) for at, part in _fields(tensor) if at != _RAW)
    return kept + _field(_OUTSIDE, _field(1, b"location") + _field(2, b"memory")) + _field(_WHERE, 1)


def _field(at: int, value: int | bytes | bytearray | memoryview) -> bytes:
    if isinstance(value, int):
        return _number(at << 3) + _number(value)
    return _number(at << 3 | 2) + _number(len(value)) + bytes(value)


def _number(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])
