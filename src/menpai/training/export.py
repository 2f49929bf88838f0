"""The encoder as an ONNX graph: float32, or static INT8 whose scales never depend on the batch."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from menpai.engines import open_engine
from menpai.scoring.encoder import Encoder
from menpai.scoring.tokens import Vocabulary, encode
from menpai.training.model import Block, PairEncoder, Shape
from menpai.training.quantize import quantize

INPUTS = ("ids", "types", "positions")


class ExportedBlock(nn.Module):
    """A block with query, key and value as products of their own (the scale folded into the query): the same
    numbers without a five-dimensional transpose and a split, a fifth of the time of the graph."""

    def __init__(self, block: Block) -> None:
        super().__init__()
        self.block = block
        width = block.attended.in_features
        self.shape = (block.heads, width // block.heads)
        scales = (self.shape[1] ** -0.5, 1.0, 1.0)
        self.query, self.key, self.value = (
            _part(block.query_key_value, slice(at * width, (at + 1) * width), scale)
            for at, scale in enumerate(scales)
        )

    def forward(self, hidden: Tensor, bias: Tensor) -> Tensor:
        """Hidden [batch, length, width] and additive attention bias → hidden."""
        batch, length, width = hidden.shape
        normed = self.block.norm_attention(hidden)
        query, key, value = (
            product(normed).reshape(batch, length, *self.shape)
            for product in (self.query, self.key, self.value)
        )
        scores = query.permute(0, 2, 1, 3) @ key.permute(0, 2, 3, 1) + bias
        mixed = torch.softmax(scores, -1) @ value.permute(0, 2, 1, 3)
        hidden = hidden + self.block.attended(mixed.transpose(1, 2).reshape(batch, length, width))
        wide = nn.functional.relu(self.block.widen(self.block.norm_feedforward(hidden)))
        return hidden + self.block.narrow(wide)


def _part(whole: nn.Linear, rows: slice, scale: float) -> nn.Linear:
    """The product with some rows of a layer's matrix, scaled."""
    part = nn.Linear(whole.in_features, rows.stop - rows.start)
    with torch.no_grad():
        part.weight.copy_(whole.weight[rows] * scale)
        part.bias.copy_(whole.bias[rows] * scale)
    return part


class Graph(nn.Module):
    """The encoder as exported. The head sees every row twice: kernels take another path for one row alone,
    and a pair's result must not depend on whether it is alone."""

    def __init__(self, model: PairEncoder) -> None:
        super().__init__()
        self.model = copy.deepcopy(model)
        self.model.blocks = nn.ModuleList(ExportedBlock(block) for block in self.model.blocks)

    def forward(self, ids: Tensor, types: Tensor, positions: Tensor) -> Tensor:
        """Logits [n, labels]."""
        hidden, mask = self.model.encode(ids, types, positions)
        twice = self.model.head(torch.cat([hidden, hidden]), torch.cat([mask, mask]))
        return twice[: ids.shape[0]]


class MeanGraph(nn.Module):
    """Several encoders of one shape as exported: the mean of their logits."""

    def __init__(self, models: Sequence[PairEncoder]) -> None:
        super().__init__()
        self.graphs = nn.ModuleList(map(Graph, models))

    def forward(self, ids: Tensor, types: Tensor, positions: Tensor) -> Tensor:
        """Logits [n, labels]."""
        total = self.graphs[0](ids, types, positions)
        for graph in self.graphs[1:]:
            total = total + graph(ids, types, positions)
        return total / len(self.graphs)


def export_float(model: PairEncoder) -> bytes:
    """The float32 graph."""
    return _export(Graph(model), model.shape)


def export_mean(models: Sequence[PairEncoder]) -> bytes:
    """The float32 graph of the mean of several encoders' logits."""
    return _export(MeanGraph(models), models[0].shape)


def _export(graph: nn.Module, shape: Shape) -> bytes:
    graph.eval()
    example = torch.randint(5, shape.vocabulary, (2, 24), dtype=torch.int32)
    inputs = (example, example % shape.types, example % shape.positions)
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {"logits": {0: "pairs"}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        torch.onnx.export(
            graph, inputs, str(path), input_names=list(INPUTS), output_names=["logits"],
            dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
        return path.read_bytes()


def export_int8(graph: bytes, pairs: list[tuple[str, str]], vocabulary: Vocabulary) -> bytes:
    """The same graph in static INT8, its scales fixed by `pairs`."""
    return quantize(graph, encode(pairs, vocabulary))


def run_graph(graph: bytes, texts: list[tuple[str, str]], vocabulary: Vocabulary) -> NDArray[np.float32]:
    """Logits [n, 3] of the exported graph, as the pack will give them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        path.write_bytes(graph)
        return Encoder(open_engine("onnx", path, threads=1), vocabulary, range(3)).logits(texts)
