"""The same BERT as `bert_graph` writes, for speed: fused operators of ONNX Runtime, each product in its own precision,
and a last layer that works out the first token only where the head reads no other.

A product in INT8 is QuantizeLinear (with a fixed scale, or dynamic) and MatMulIntegerToFloat. Names of constants, for
engines that read them: `X.weight_t` [in, out] as floats of any width; `X.weight_q` int8 [in, out] with `X.weight_scale`
[out], and the scale and zero point of its input, `I.input_scale` and `I.input_zero`, one I for all that read it;
`I.input_factor` [in], where the input is multiplied channel by channel before (SmoothQuant, Xiao et al. 2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from menpai.packs.bert import BertShape
from menpai.packs.bert_graph import INPUTS, MASKED
from menpai.packs.onnx_writer import MICROSOFT, Graph, Part, value

Tensors = Mapping[str, NDArray[np.generic]]
Floats = NDArray[np.float32]

# Seven bits: processors without VNNI add two products in 16 bits, which eight-bit weights would saturate.
LARGEST_WEIGHT = {7: 63, 8: 127}
LARGEST_INPUT = 255
WORDS = "bert.embeddings.word_embeddings"


@dataclass(frozen=True)
class Plan:
    """How each part is stored and multiplied: float32, float16, bfloat16, int8 (fixed scales) or dynamic (INT8).

    `parts` overrules `base` for an input's name (see `inputs_of`) or WORDS. `ranges`: least and largest value of each
    input after `factors` were applied.
    """

    base: str = "float32"
    parts: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    factors: Mapping[str, Floats] = field(default_factory=dict)
    weight_bits: int = 7

    def of(self, part: str) -> str:
        """The precision of a part."""
        return self.parts.get(part, self.base)


def inputs_of(shape: BertShape) -> dict[str, tuple[str, ...]]:
    """The inputs of products, in order, each with the products that read it."""
    found: dict[str, tuple[str, ...]] = {}
    for layer in range(shape.layers):
        at = f"bert.encoder.layer.{layer}"
        found[f"{at}.attention.self"] = tuple(f"{at}.attention.self.{n}" for n in ("query", "key", "value"))
        for part in ("attention.output.dense", "intermediate.dense", "output.dense"):
            found[f"{at}.{part}"] = (f"{at}.{part}",)
    return found


def fused_graph(shape: BertShape, tensors: Tensors, plan: Plan, watch: str = "") -> Iterator[Part]:
    """The model as parts of a file. To `watch` it in float32 its outputs are instead, for each input I: "ends", the
    least and the largest value of each channel, `I.low` and `I.high`; "damage", the squared error that the plan's INT8
    would bring into the products of I beside their squared size, `I.damage`."""
    return _Fused(shape, tensors, plan, watch).model()


def quantized(matrix: Floats, bits: int) -> tuple[NDArray[np.int8], Floats]:
    """An [in, out] matrix as int8 of so many bits, and the scale of each column."""
    largest = LARGEST_WEIGHT[bits]
    scales = (np.maximum(np.abs(matrix).max(0), 1e-8) / largest).astype(np.float32)
    return np.clip(np.round(matrix / scales), -largest, largest).astype(np.int8), scales


def narrowed(array: Floats, precision: str) -> NDArray[np.generic]:
    """Floats in fewer bits, rounded to nearest; bfloat16 as 16-bit words, since NumPy has no such type."""
    if precision == "float16":
        return np.clip(array, -65504, 65504).astype(np.float16)
    words = np.ascontiguousarray(array).view(np.uint32)
    return ((words + 0x7FFF + ((words >> 16) & 1)) >> 16).astype(np.uint16)


class _Fused:
    def __init__(self, shape: BertShape, tensors: Tensors, plan: Plan, watch: str) -> None:
        self.shape, self.tensors, self.plan, self.watch = shape, tensors, plan, watch
        self.graph = Graph()
        self.watched: list[str] = []

    def model(self) -> Iterator[Part]:
        """Embeddings, layers, head."""
        add, shape = self.graph.add, self.shape
        hidden = self._embeddings()
        for layer in range(shape.layers):
            first = shape.pooler and layer == shape.layers - 1 and not self.watch
            hidden = self._layer(hidden, f"bert.encoder.layer.{layer}", first)
        if shape.pooler:
            # Every row twice: kernels take another path for one row alone, and results must not depend on that.
            row = add("Gather", hidden, self.graph.constant("first", np.array(0, np.int64)), axis=1)
            hidden = add("Concat", row, row, axis=0)
            hidden = add("Tanh", self._dense(hidden, "bert.pooler.dense", "", "float32"))
            twice = self._dense(hidden, "classifier", "", "float32")
            half = add("Slice", add("Shape", row), self.graph.numbers(0), self.graph.numbers(1))
            add("Slice", twice, self.graph.numbers(0), half, name="logits")
        else:
            add("Identity", self._dense(hidden, "classifier", "", "float32"), name="logits")
        rows: tuple[str, ...] = ("rows",) if shape.pooler else ("rows", "tokens")
        inputs = [value(name, "int32", "rows", "tokens") for name in INPUTS]
        outputs = [value("logits", "float32", *rows, shape.labels)]
        if self.watch:
            dims = ("channels",) if self.watch == "ends" else ()
            outputs = [value(name, "float32", *dims) for name in self.watched]
        return self.graph.model(inputs, outputs)

    def _constant(self, name: str) -> str:
        return self.graph.constant(name, self.tensors[name].astype(np.float32, copy=False))

    def _stored(self, name: str, array: Floats, precision: str) -> str:
        """A constant that is read as float32, in the precision it is stored in."""
        if precision not in ("float16", "bfloat16"):
            return self.graph.constant(name, array)
        kind = "bfloat16" if precision == "bfloat16" else ""
        return self.graph.add("Cast", self.graph.constant(name, narrowed(array, precision), kind), to=1)

    def _embeddings(self) -> str:
        add, tables = self.graph.add, "bert.embeddings.{}_embeddings.weight"
        types = add("Gather", self._constant(tables.format("token_type")), "token_type_ids")
        length = add("Slice", add("Shape", "input_ids"), self.graph.numbers(1), self.graph.numbers(2))
        positions = add("Slice", self._constant(tables.format("position")), self.graph.numbers(0), length)
        hidden = add("Add", add("Add", self._words(), types), positions)
        return self._norm(hidden, "bert.embeddings.LayerNorm")

    def _words(self) -> str:
        """The rows of the word table; in INT8 each row has its own scale."""
        add, table = self.graph.add, self.tensors[f"{WORDS}.weight"].astype(np.float32, copy=False)
        precision = self.plan.of(WORDS)
        if precision not in ("int8", "dynamic"):
            return add("Gather", self._stored(f"{WORDS}.weight", table, precision), "input_ids")
        whole, scales = quantized(table.T, 8)
        rows = add("Gather", self.graph.constant(f"{WORDS}.weight_q", whole.T), "input_ids")
        scale = add("Gather", self.graph.constant(f"{WORDS}.weight_scale", scales[:, None]), "input_ids")
        return add("Mul", add("Cast", rows, to=1), scale)

    def _layer(self, hidden: str, at: str, first: bool) -> str:
        """One post-norm layer; with `first`, of the first token only."""
        add = self.graph.add
        source = self._input(hidden, f"{at}.attention.self")
        asking = self._first(source) if first else source
        query, key, value = (
            self._dense(asking if part == "query" else source, f"{at}.attention.self.{part}", f"{at}.attention.self")
            for part in ("query", "key", "value")
        )  # fmt: skip
        hidden = self._first(hidden) if first else hidden
        mixed = add(
            "MultiHeadAttention", query, key, value, "", "attention_mask", domain=MICROSOFT,
            num_heads=self.shape.heads, mask_filter_value=MASKED,
        )  # fmt: skip
        attended = self._read(mixed, f"{at}.attention.output.dense")
        hidden = self._norm(add("Add", attended, hidden), f"{at}.attention.output.LayerNorm")
        wide = add("Gelu", self._read(hidden, f"{at}.intermediate.dense"), domain=MICROSOFT)
        return self._norm(
            add("Add", self._read(wide, f"{at}.output.dense"), hidden), f"{at}.output.LayerNorm"
        )

    def _first(self, source: str) -> str:
        """The first token of each row, [rows, 1, width]; of a quantized input, its numbers."""
        numbers, *scale = source.split(" ")
        return " ".join([self.graph.add("Gather", numbers, self.graph.numbers(0), axis=1), *scale])

    def _read(self, hidden: str, name: str) -> str:
        return self._dense(self._input(hidden, name), name, name)

    def _input(self, hidden: str, name: str) -> str:
        """The input as its products read it: itself, or quantized as "numbers scale zero"."""
        if self.watch == "ends":
            for operator, end in (("ReduceMin", "low"), ("ReduceMax", "high")):
                shown = self.graph.add(operator, hidden, name=f"{name}.{end}", axes=[0, 1], keepdims=0)
                self.watched.append(shown)
        elif self.watch:
            self.watched.append(self._damage(hidden, name))
        whole = self.plan.of(name) in ("int8", "dynamic") and not self.watch
        return self._numbers(hidden, name) if whole else hidden

    def _numbers(self, hidden: str, name: str) -> str:
        """The quantized input as "numbers scale zero"."""
        add, constant = self.graph.add, self.graph.constant
        if name in self.plan.factors:
            hidden = add("Mul", hidden, constant(f"{name}.input_factor", self.plan.factors[name]))
        if self.plan.of(name) == "dynamic":
            ends = [f"{name}.dynamic_scale", f"{name}.dynamic_zero"]
            return " ".join([add("DynamicQuantizeLinear", hidden, name=f"{name}.numbers", more=ends), *ends])
        low, high = self.plan.ranges[name]
        scale = np.float32(max(max(high, 0) - min(low, 0), 1e-8) / LARGEST_INPUT)
        zero = np.uint8(np.clip(round(-min(low, 0) / float(scale)), 0, LARGEST_INPUT))
        ends = [
            constant(f"{name}.input_scale", np.array(scale)), constant(f"{name}.input_zero", np.array(zero)),
        ]  # fmt: skip
        return " ".join([add("QuantizeLinear", hidden, *ends), *ends])

    def _damage(self, hidden: str, name: str) -> str:
        """The squared error of INT8 beside the squared size, summed over the products that read the input."""
        add, source, errors = self.graph.add, self._numbers(hidden, name), []
        for product in inputs_of(self.shape)[name]:
            exact = self._dense(hidden, product, name)
            matrix = self.tensors[f"{product}.weight"].astype(np.float32, copy=False).T
            whole = self._whole(source, product, name, matrix, self._constant(f"{product}.bias"))
            squares = [add("ReduceSumSquare", x, keepdims=0) for x in (add("Sub", whole, exact), exact)]
            errors.append(add("Div", *squares))
        return add("Sum", *errors, name=f"{name}.damage")

    def _dense(self, source: str, name: str, read: str, precision: str = "") -> str:
        """The product with the layer's matrix and its bias; `read` is the name of its input."""
        matrix = self.tensors[f"{name}.weight"].astype(np.float32, copy=False).T
        bias, precision = self._constant(f"{name}.bias"), precision or self.plan.of(read)
        if precision in ("int8", "dynamic") and not self.watch:
            return self._whole(source, name, read, matrix, bias)
        weight = self._stored(f"{name}.weight_t", matrix, precision)
        return self.graph.add("Add", self.graph.add("MatMul", source, weight), bias)

    def _whole(self, source: str, name: str, read: str, matrix: Floats, bias: str) -> str:
        """The product in whole numbers, written as floats."""
        if read in self.plan.factors:
            matrix = matrix / self.plan.factors[read][:, None]
        whole, scales = quantized(matrix, self.plan.weight_bits)
        numbers, scale, zero = source.split(" ")
        return self.graph.add(
            "MatMulIntegerToFloat", numbers, self.graph.constant(f"{name}.weight_q", whole), scale,
            self.graph.constant(f"{name}.weight_scale", scales), zero, "", bias, domain=MICROSOFT,
        )  # fmt: skip

    def _norm(self, hidden: str, at: str) -> str:
        scale, shift = self._constant(f"{at}.weight"), self._constant(f"{at}.bias")
        return self.graph.add("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=self.shape.epsilon)
