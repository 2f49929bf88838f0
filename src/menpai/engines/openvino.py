"""OpenVINO on the CPU: a BERT is built from the constants of the graph, so that its INT8 kernels fuse all they can;
any other graph is read as it is."""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import openvino as ov
from numpy.typing import NDArray
from openvino import opset13 as op

from menpai.engines import Arrays, Engine, refuse_device
from menpai.engines.constants import Constants, read_constants, shape_beside, widened
from menpai.errors import BrokenArtefactError
from menpai.settings import available_cores

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_MASKED = -10000.0
_LEVELS = 256
Node = Any


class OpenvinoEngine:
    """One compiled model; each thread has its own request, and so many run side by side as there are cores for."""

    def __init__(self, graph: Path, threads: int) -> None:
        shape = shape_beside(graph)
        core = ov.Core()
        try:
            constants = read_constants(graph.read_bytes())
            model = _Bert(shape, constants).model() if shape else core.read_model(str(graph))
            streams = max(1, available_cores() // threads)
            self._model = core.compile_model(
                model, "CPU",
                {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": streams * threads,
                 "INFERENCE_PRECISION_HINT": _hint(constants), "ENABLE_CPU_PINNING": False},
            )  # fmt: skip
        except (RuntimeError, KeyError) as error:
            reason = f"{graph.name}: openvino: {str(error).splitlines()[0]}"
            raise BrokenArtefactError("pack_invalid", pack=str(graph.parent), reason=reason) from error
        # The node bears the name of the graph's input; a port may bear those of what was fused into it too.
        self._inputs = [
            (port.get_node().get_friendly_name(), port.get_element_type().to_dtype())
            for port in self._model.inputs
        ]
        self._local = threading.local()

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]."""
        if not hasattr(self._local, "request"):
            self._local.request = self._model.create_infer_request()
        feed = [np.ascontiguousarray(inputs[name], dtype=kind) for name, kind in self._inputs]
        found = self._local.request.infer(feed)
        return np.array(found[0], dtype=np.float32)


def _hint(constants: Constants) -> str:
    """The precision of what is not INT8: that of the stored weights, where the processor multiplies in it."""
    stored = {array.dtype for name, array in constants.items() if name.endswith(".weight_t")}
    return "bf16" if np.dtype(np.uint16) in stored else "f32"


class _Bert:
    """The network in OpenVINO's operators."""

    def __init__(self, shape: dict[str, Any], constants: Constants) -> None:
        self.shape, self.constants = shape, constants
        self.heads, self.width = int(shape["heads"]), int(shape["width"])

    def model(self) -> Node:
        """Embeddings, layers, head."""
        ids, mask, types = (op.parameter([-1, -1], np.int32, name=name) for name in INPUTS)
        bias = op.multiply(op.subtract(self._number(1.0), op.convert(mask, "f32")), self._number(_MASKED))
        bias = op.unsqueeze(bias, np.array([1, 2]))
        hidden = self._embeddings(ids, types)
        for layer in range(self.shape["layers"]):
            first = self.shape["pooler"] and layer == self.shape["layers"] - 1
            hidden = self._layer(hidden, bias, f"bert.encoder.layer.{layer}", first)
        if self.shape["pooler"]:
            hidden = op.tanh(self._dense(op.gather(hidden, np.int64(0), np.int64(1)), "bert.pooler.dense"))
        return ov.Model([self._dense(hidden, "classifier")], [ids, mask, types], "bert")

    def _number(self, number: float) -> Node:
        return op.constant(np.float32(number))

    def _floats(self, name: str) -> NDArray[np.float32]:
        return widened(self.constants[name])

    def _embeddings(self, ids: Node, types: Node) -> Node:
        tables = "bert.embeddings.{}_embeddings.weight"
        token_types = op.gather(op.constant(self._floats(tables.format("token_type"))), types, np.int64(0))
        length = op.gather(op.shape_of(ids), np.array([1]), np.int64(0))
        positions = op.slice(
            op.constant(self._floats(tables.format("position"))), np.array([0]), length, np.array([1])
        )
        hidden = op.add(op.add(self._words(tables.format("word"), ids), token_types), positions)
        return self._norm(hidden, "bert.embeddings.LayerNorm")

    def _words(self, name: str, ids: Node) -> Node:
        if f"{name}_q" not in self.constants:
            return op.gather(op.constant(self._floats(name)), ids, np.int64(0))
        rows = op.convert(op.gather(op.constant(self.constants[f"{name}_q"]), ids, np.int64(0)), "f32")
        scale = op.gather(op.constant(self.constants[f"{name}_scale"]), ids, np.int64(0))
        return op.multiply(rows, scale)

    def _layer(self, hidden: Node, bias: Node, at: str, first: bool) -> Node:
        source = self._input(hidden, f"{at}.attention.self")
        asking = op.gather(source, np.array([0]), np.int64(1)) if first else source
        hidden = op.gather(hidden, np.array([0]), np.int64(1)) if first else hidden
        size = self.width // self.heads
        query, key, value = (
            op.transpose(
                op.reshape(self._dense(given, f"{at}.attention.self.{part}"), [0, 0, self.heads, size], True),
                np.array([0, 2, 1, 3]),
            )
            for given, part in ((asking, "query"), (source, "key"), (source, "value"))
        )
        scores = op.multiply(op.matmul(query, key, False, True), self._number(1 / math.sqrt(size)))
        mixed = op.matmul(op.softmax(op.add(scores, bias), -1), value, False, False)
        mixed = op.reshape(op.transpose(mixed, np.array([0, 2, 1, 3])), [0, 0, self.width], True)
        attended = self._read(mixed, f"{at}.attention.output.dense")
        hidden = self._norm(op.add(attended, hidden), f"{at}.attention.output.LayerNorm")
        wide = op.gelu(self._read(hidden, f"{at}.intermediate.dense"), "erf")
        return self._norm(op.add(self._read(wide, f"{at}.output.dense"), hidden), f"{at}.output.LayerNorm")

    def _read(self, hidden: Node, name: str) -> Node:
        return self._dense(self._input(hidden, name), name)

    def _input(self, hidden: Node, name: str) -> Node:
        """The input as its products read it; in INT8 the numbers between its ends, on 256 levels."""
        if f"{name}.input_factor" in self.constants:
            hidden = op.multiply(hidden, op.constant(self._floats(f"{name}.input_factor")))
        if f"{name}.input_scale" not in self.constants:
            return hidden
        scale, zero = float(self.constants[f"{name}.input_scale"]), int(self.constants[f"{name}.input_zero"])
        ends = [self._number((end - zero) * scale) for end in (0, _LEVELS - 1)]
        return op.fake_quantize(hidden, *ends, *ends, _LEVELS)

    def _dense(self, source: Node, name: str) -> Node:
        """The product with the layer's matrix, in INT8 where it is stored so, and its bias."""
        if f"{name}.weight_q" in self.constants:
            scales = self.constants[f"{name}.weight_scale"][:, None]
            whole = np.ascontiguousarray(self.constants[f"{name}.weight_q"].T)
            weight = op.multiply(op.convert(op.constant(whole), "f32"), op.constant(scales))
        else:
            weight = op.constant(np.ascontiguousarray(self._floats(f"{name}.weight_t").T))
        return op.add(op.matmul(source, weight, False, True), op.constant(self._floats(f"{name}.bias")))

    def _norm(self, hidden: Node, at: str) -> Node:
        normed = op.mvn(hidden, np.array([-1]), True, float(self.shape["epsilon"]), "inside_sqrt")
        scaled = op.multiply(normed, op.constant(self._floats(f"{at}.weight")))
        return op.add(scaled, op.constant(self._floats(f"{at}.bias")))


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine on this graph with so many threads for one run."""
    if device not in ("auto", "cpu"):
        raise refuse_device("openvino", device, "cpu")
    return OpenvinoEngine(graph, threads)
