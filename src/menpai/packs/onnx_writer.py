"""Write an ONNX model byte by byte, so that an import needs no package for it and copies no weight more than once.

Field numbers are those of onnx.proto; the wire format is that of Protocol Buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

# A part of a message: bytes, or an array whose bytes are made when they are written (little-endian, C order).
Part = bytes | NDArray[np.generic]

_TYPES = {
    "float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "float16": 10, "bfloat16": 16,
}  # fmt: skip
_INT, _INTS, _FLOAT = 2, 7, 1
OPSET = 17
# Fused operators of ONNX Runtime.
MICROSOFT = "com.microsoft"


def varint(number: int) -> bytes:
    """A number in groups of seven bits; a negative one as 64 bits."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def whole(at: int, number: int) -> bytes:
    """A field with a number."""
    return varint(at << 3) + varint(number)


def text(at: int, *values: str) -> bytes:
    """A field with a text, once for each."""
    return b"".join(varint(at << 3 | 2) + varint(len(v.encode())) + v.encode() for v in values)


def message(at: int, *parts: Part) -> list[Part]:
    """A field with a message or bytes, made of parts."""
    size = sum(len(part) if isinstance(part, bytes) else part.nbytes for part in parts)
    return [varint(at << 3 | 2) + varint(size), *parts]


@dataclass
class Graph:
    """A graph while it is built; `add` and `constant` give the names of what they added."""

    nodes: list[Part] = field(default_factory=list)
    constants: list[Part] = field(default_factory=list)
    known: set[str] = field(default_factory=set)

    def add(
        self,
        operator: str,
        *inputs: str,
        name: str = "",
        more: Sequence[str] = (),
        domain: str = "",
        **attributes: int | float | list[int],
    ) -> str:
        """A node; its name is that of its first output, which comes back. `more` names further outputs."""
        name = name or f"{operator.lower()}_{len(self.nodes)}"
        parts = [message(5, *_attribute(key, value)) for key, value in attributes.items()]
        head = text(1, *inputs) + text(2, name, *more) + text(3, name) + text(4, operator)
        head += text(7, domain) if domain else b""
        self.nodes += message(1, head, *(part for attribute in parts for part in attribute))
        return name

    def constant(self, name: str, array: NDArray[np.generic], kind: str = "") -> str:
        """An initializer of this name, once; it may be a view that is not contiguous. `kind`: the type of its
        words, where NumPy knows none such."""
        if name not in self.known:
            self.known.add(name)
            dims = b"".join(whole(1, size) for size in array.shape)
            head = dims + whole(2, _TYPES[kind or str(array.dtype)]) + text(8, name)
            self.constants += message(5, head, *message(9, array))
        return name

    def numbers(self, *values: int, name: str = "") -> str:
        """A constant list of whole numbers."""
        return self.constant(name or "list_" + "_".join(map(str, values)), np.array(values, np.int64))

    def model(self, inputs: Sequence[bytes], outputs: Sequence[bytes]) -> Iterator[Part]:
        """The whole model as bytes and contiguous arrays."""
        ends = [b for at, values in ((11, inputs), (12, outputs)) for v in values for b in message(at, v)]
        graph = message(7, *self.nodes, text(2, "bert"), *self.constants, *ends)
        opset = message(8, text(1, ""), whole(2, OPSET)) + message(8, text(1, MICROSOFT), whole(2, 1))
        for part in [whole(1, 8), text(2, "menpai"), *graph, *opset]:
            yield part if isinstance(part, bytes) else np.ascontiguousarray(part)


def value(name: str, kind: str, *dims: int | str) -> bytes:
    """A graph input or output; a dimension that is a text is free."""
    shape = b"".join(
        _joined(message(1, whole(1, dim) if isinstance(dim, int) else text(2, dim))) for dim in dims
    )
    tensor = whole(1, _TYPES[kind]) + _joined(message(2, shape))
    return text(1, name) + _joined(message(2, *message(1, tensor)))


def _attribute(name: str, value: int | float | list[int]) -> list[Part]:
    if isinstance(value, float):
        return [text(1, name), varint(2 << 3 | 5) + np.float32(value).tobytes(), whole(20, _FLOAT)]
    if isinstance(value, int):
        return [text(1, name) + whole(3, value) + whole(20, _INT)]
    return [text(1, name) + b"".join(whole(8, number) for number in value) + whole(20, _INTS)]


def _joined(parts: list[Part]) -> bytes:
    return b"".join(part if isinstance(part, bytes) else part.tobytes() for part in parts)
