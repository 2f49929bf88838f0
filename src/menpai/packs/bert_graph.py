"""A BERT with its head as an ONNX graph in standard operators, shaped so that ONNX Runtime fuses its attention.

Inputs input_ids, attention_mask, token_type_ids, int32 [rows, tokens]; output logits, float32 [rows, labels], or
[rows, tokens, labels] for a tagger. A constant has the name of its tensor in the checkpoint; a matrix that is
multiplied from the right is kept transposed, [in, out], under that name and `_t`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from menpai.packs.bert import BertShape
from menpai.packs.onnx_writer import Graph, Part, value

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# Added to the scores of padding, as the official code does.
MASKED = -10000.0


def bert_graph(shape: BertShape, tensors: Mapping[str, NDArray[np.generic]]) -> Iterator[Part]:
    """The model as parts of a file, float32."""
    return _Bert(shape, tensors).model()


class _Bert:
    def __init__(self, shape: BertShape, tensors: Mapping[str, NDArray[np.generic]]) -> None:
        self.shape = shape
        self.tensors = tensors
        self.graph = Graph()

    def model(self) -> Iterator[Part]:
        """Embeddings, layers, head."""
        bias = self._mask()
        hidden = self._embeddings()
        for layer in range(self.shape.layers):
            hidden = self._layer(hidden, bias, f"bert.encoder.layer.{layer}")
        if self.shape.pooler:
            first = self.graph.add(
                "Gather", hidden, self.graph.constant("first", np.array(0, np.int64)), axis=1
            )
            hidden = self.graph.add("Tanh", self._dense(first, "bert.pooler.dense"))
        self._dense(hidden, "classifier", name="logits")
        rows: tuple[str, ...] = ("rows",) if self.shape.pooler else ("rows", "tokens")
        inputs = [value(name, "int32", "rows", "tokens") for name in INPUTS]
        return self.graph.model(inputs, [value("logits", "float32", *rows, self.shape.labels)])

    def _scalar(self, name: str, number: float) -> str:
        return self.graph.constant(name, np.array(number, np.float32))

    def _constant(self, name: str) -> str:
        return self.graph.constant(name, self.tensors[name].astype(np.float32, copy=False))

    def _mask(self) -> str:
        """[rows, 1, 1, tokens]: 0 on tokens, MASKED on padding."""
        add = self.graph.add
        wide = add("Unsqueeze", "attention_mask", self.graph.numbers(1))
        wide = add("Cast", add("Unsqueeze", wide, self.graph.numbers(2)), to=1)
        return add("Mul", add("Sub", self._scalar("one", 1.0), wide), self._scalar("masked", MASKED))

    def _embeddings(self) -> str:
        add, tables = self.graph.add, "bert.embeddings.{}_embeddings.weight"
        words = add("Gather", self._constant(tables.format("word")), "input_ids")
        types = add("Gather", self._constant(tables.format("token_type")), "token_type_ids")
        length = add("Slice", add("Shape", "input_ids"), self.graph.numbers(1), self.graph.numbers(2))
        positions = add("Slice", self._constant(tables.format("position")), self.graph.numbers(0), length)
        return self._norm(add("Add", add("Add", words, types), positions), "bert.embeddings.LayerNorm")

    def _layer(self, hidden: str, bias: str, at: str) -> str:
        """One post-norm layer: attention, then feed-forward with the exact GELU."""
        add = self.graph.add
        attended = self._dense(
            self._attention(hidden, bias, f"{at}.attention.self"), f"{at}.attention.output.dense"
        )
        hidden = self._norm(add("Add", attended, hidden), f"{at}.attention.output.LayerNorm")
        wide = self._dense(hidden, f"{at}.intermediate.dense")
        erf = add("Erf", add("Div", wide, self._scalar("root_two", math.sqrt(2.0))))
        gelu = add("Mul", wide, add("Add", erf, self._scalar("one", 1.0)))
        gelu = add("Mul", gelu, self._scalar("half", 0.5))
        return self._norm(
            add("Add", self._dense(gelu, f"{at}.output.dense"), hidden), f"{at}.output.LayerNorm"
        )

    def _attention(self, hidden: str, bias: str, at: str) -> str:
        add, size = self.graph.add, self.shape.width // self.shape.heads
        split = self.graph.numbers(0, 0, self.shape.heads, size)
        query, key, value = (
            add("Transpose", add("Reshape", self._dense(hidden, f"{at}.{part}"), split), perm=perm)
            for part, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        scores = add("Div", add("MatMul", query, key), self._scalar("root_size", math.sqrt(size)))
        weights = add("Softmax", add("Add", scores, bias), axis=-1)
        mixed = add("Transpose", add("MatMul", weights, value), perm=[0, 2, 1, 3])
        return add("Reshape", mixed, self.graph.numbers(0, 0, self.shape.width))

    def _dense(self, hidden: str, at: str, name: str = "") -> str:
        weight = self.tensors[f"{at}.weight"].astype(np.float32, copy=False).T
        product = self.graph.add("MatMul", hidden, self.graph.constant(f"{at}.weight_t", weight))
        return self.graph.add("Add", product, self._constant(f"{at}.bias"), name=name)

    def _norm(self, hidden: str, at: str) -> str:
        scale, shift = self._constant(f"{at}.weight"), self._constant(f"{at}.bias")
        return self.graph.add("LayerNormalization", hidden, scale, shift, axis=-1, epsilon=self.shape.epsilon)
