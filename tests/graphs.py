"""ONNX graphs written byte by byte, so that engines and packs are tested on real graphs without the onnx package.

Field numbers are those of onnx.proto; the wire format is that of Protocol Buffers.
"""

from __future__ import annotations

FLOAT, INT32, INT64 = 1, 6, 7
EXTERNAL = 1


def varint(number: int) -> bytes:
    """A number in groups of seven bits."""
    head, tail = number & 127, number >> 7
    return bytes([head | 128]) + varint(tail) if tail else bytes([head])


def field(at: int, *values: int | str | bytes) -> bytes:
    """A field, once for each value: numbers as varints, texts and messages with their length."""
    out = b""
    for value in values:
        if isinstance(value, int):
            out += varint(at << 3) + varint(value)
        else:
            data = value.encode() if isinstance(value, str) else value
            out += varint(at << 3 | 2) + varint(len(data)) + data
    return out


def node(operator: str, inputs: list[str], output: str, **numbers: int) -> bytes:
    """A node; attributes are whole numbers."""
    attributes = [field(1, name) + field(3, value) + field(20, 2) for name, value in numbers.items()]
    return field(1, *inputs) + field(2, output) + field(4, operator) + field(5, *attributes)


def value(name: str, kind: int, *dims: int | str) -> bytes:
    """A graph input or output; a dimension that is a text is free."""
    shape = b"".join(field(1, field(1 if isinstance(d, int) else 2, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def model(nodes: list[bytes], constants: list[bytes], inputs: list[bytes], outputs: list[bytes]) -> bytes:
    """A whole model of ONNX operator set 17."""
    graph = field(1, *nodes) + field(2, "g") + field(5, *constants) + field(11, *inputs) + field(12, *outputs)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))


def pair_graph(labels: int = 3) -> bytes:
    """Inputs and outputs of a pair encoder; the logits are sums over the ids, the types and the positions."""
    names = ["ids", "types", "positions"]
    nodes = [node("Concat", [f"{name}_sum" for name in names[:labels]], "logits", axis=1)]
    for name in names[:labels]:
        nodes.insert(0, node("ReduceSum", [f"{name}_float", "axis"], f"{name}_sum", keepdims=1))
        nodes.insert(0, node("Cast", [name], f"{name}_float", to=FLOAT))
    axis = field(1, 1) + field(2, INT64) + field(7, 1) + field(8, "axis")
    inputs = [value(name, INT32, "pairs", "tokens") for name in names[:labels]]
    return model(nodes, [axis], inputs, [value("logits", FLOAT, "pairs", labels)])


def reaching_graph(location: str, key: bytes = field(1, "location")) -> bytes:
    """A graph that adds numbers kept in another file."""
    entries = [key + field(2, location), field(1, "length") + field(2, "12")]
    secret = field(1, 3) + field(2, FLOAT) + field(8, "secret") + field(13, *entries) + field(14, EXTERNAL)
    nodes = [node("Add", ["x", "secret"], "logits")]
    return model(nodes, [secret], [value("x", FLOAT, "n", 3)], [value("logits", FLOAT, "n", 3)])
