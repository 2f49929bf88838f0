"""The encoder as an ONNX graph: float32, or static INT8 whose scales never depend on the batch."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from menpai.engines import open_engine
from menpai.scoring.encoder import Encoder
from menpai.scoring.tokens import Vocabulary, encode
from training.model import PairEncoder
from training.quantize import quantize

INPUTS = ("ids", "types", "positions")


class Graph(nn.Module):
    """The encoder as exported. The head sees every row twice: kernels take another path for one row alone,
    and a pair's result must not depend on whether it is alone."""

    def __init__(self, model: PairEncoder) -> None:
        super().__init__()
        self.model = model

    def forward(self, ids: Tensor, types: Tensor, positions: Tensor) -> Tensor:
        """Logits [n, labels]."""
        hidden, mask = self.model.encode(ids, types, positions)
        twice = self.model.head(torch.cat([hidden, hidden]), torch.cat([mask, mask]))
        return twice[: ids.shape[0]]


def export_float(model: PairEncoder) -> bytes:
    """The float32 graph."""
    model.eval()
    example = torch.randint(5, model.shape.vocabulary, (2, 24), dtype=torch.int32)
    inputs = (example, example % model.shape.types, example % model.shape.positions)
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {"logits": {0: "pairs"}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        torch.onnx.export(
            Graph(model), inputs, str(path), input_names=list(INPUTS), output_names=["logits"],
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
