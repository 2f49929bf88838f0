"""Static INT8 of the encoder's weight products, with the bias folded in.

Each `MatMul(x, W) + b` becomes QuantizeLinear(x) and MatMulIntegerToFloat (an operator of ONNX Runtime's com.microsoft
domain), which multiplies integers and writes floats in one pass. A ReLU in front of the quantization disappears: an
unsigned input whose zero point is 0 cuts negatives off by itself.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper, numpy_helper

from menpai.packs.fused_graph import quantized

WEIGHT_BITS = 7
LARGEST_INPUT = 255
_QUANTIZED = re.compile("/(?:blocks|window)")


def quantize(graph: bytes, batches: Iterable[NamedTuple]) -> bytes:
    """The INT8 graph; the scale of each product's input is fixed by what occurs in `batches`, whose fields are named
    as the graph's inputs."""
    model = onnx.load_from_string(graph)
    products = _products(model)
    ranges = _ranges(model, {node.input[0] for node, _ in products}, batches)
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    quantized: dict[str, str] = {}
    for node, add in products:
        _replace(model, node, add, _quantized(model, node, ranges, quantized), weights)
    _drop_unused(model)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return bytes(model.SerializeToString())


def _products(model: ModelProto) -> list[tuple[NodeProto, NodeProto]]:
    """The products of the blocks and of a window layer with a constant matrix, each with the Add of its bias."""
    constants = {tensor.name for tensor in model.graph.initializer}
    adds = {name: node for node in model.graph.node if node.op_type == "Add" for name in node.input}
    return [
        (node, adds[node.output[0]])
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in constants and _QUANTIZED.search(node.name)
    ]


def _ranges(
    model: ModelProto, names: set[str], batches: Iterable[NamedTuple]
) -> dict[str, tuple[float, float]]:
    """The least and the largest value of each tensor over the batches."""
    watched = ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in sorted(names))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "watched.onnx"
        path.write_bytes(watched.SerializeToString())
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found: dict[str, tuple[float, float]] = {}
    for rows in batches:
        inputs = {value.name: getattr(rows, value.name) for value in session.get_inputs()}
        for name, value in zip(sorted(names), session.run(sorted(names), inputs), strict=True):
            low, high = found.get(name, (0.0, 0.0))
            found[name] = (min(low, float(value.min())), max(high, float(value.max())))
    return found


def _quantized(
    model: ModelProto, product: NodeProto, ranges: Mapping[str, tuple[float, float]], known: dict[str, str]
) -> str:
    """The prefix of the product's quantized input, scale and zero point; one for all that read the same tensor."""
    source = product.input[0]
    if source in known:
        return known[source]
    name: str = source.strip("/").replace("/", ".")
    known[source] = name
    low, high = ranges[source]
    scale = np.float32(max(high - low, 1e-8) / LARGEST_INPUT)
    zero = np.uint8(np.clip(round(-low / scale), 0, LARGEST_INPUT))
    for key, value in (("scale", np.array(scale)), ("zero", np.array(zero))):
        model.graph.initializer.append(numpy_helper.from_array(value, f"{name}.{key}"))
    inputs = [source, f"{name}.scale", f"{name}.zero"]
    node = helper.make_node("QuantizeLinear", inputs, [f"{name}.quantized"], f"{name}.quantize")
    model.graph.node.insert(list(model.graph.node).index(product), node)
    return name


def _replace(
    model: ModelProto,
    product: NodeProto,
    add: NodeProto,
    source: str,
    weights: Mapping[str, NDArray[np.float32]],
) -> None:
    """Put the integer product of the quantized `source` where the product and its Add stood."""
    matrix = weights[product.input[1]]
    bias = weights[next(name for name in add.input if name != product.output[0])]
    whole, columns = quantized(matrix, WEIGHT_BITS)
    name = product.name.strip("/").replace("/", ".")
    constants = {
        "matrix": whole, "columns": columns, "zeros": np.zeros(len(columns), np.int8),
        "bias": bias.astype(np.float32),
    }  # fmt: skip
    model.graph.initializer.extend(numpy_helper.from_array(v, f"{name}.{k}") for k, v in constants.items())
    inputs = [
        f"{source}.quantized", f"{name}.matrix", f"{source}.scale", f"{name}.columns", f"{source}.zero",
        f"{name}.zeros", f"{name}.bias",
    ]  # fmt: skip
    multiplied = helper.make_node(
        "MatMulIntegerToFloat", inputs, list(add.output), name, domain="com.microsoft"
    )
    model.graph.node.insert(list(model.graph.node).index(product), multiplied)
    model.graph.node.remove(product)
    model.graph.node.remove(add)


def _drop_unused(model: ModelProto) -> None:
    """Take out ReLUs that the quantization behind them does by itself, and constants that nothing reads."""
    zeros = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer if t.name.endswith(".zero")}
    makers = {name: node for node in model.graph.node for name in node.output}
    for node in list(model.graph.node):
        if node.op_type == "QuantizeLinear" and node.input[2] in zeros and zeros[node.input[2]] == 0:
            maker = makers.get(node.input[0])
            if maker is not None and maker.op_type == "Relu":
                node.input[0] = maker.input[0]
                model.graph.node.remove(maker)
    used = {name for node in model.graph.node for name in node.input}
    for tensor in list(model.graph.initializer):
        if tensor.name not in used:
            model.graph.initializer.remove(tensor)
