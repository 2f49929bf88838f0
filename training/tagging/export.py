"""A tagger as ONNX graphs: float32, then static INT8 whose scales never depend on the batch."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from menpai.engines import open_engine
from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.spans import labels_of
from menpai.parsing.tagger import Tagger, encode
from training.export import ExportedBlock
from training.quantize import quantize
from training.tagging.model import TagEncoder

INPUTS = ("ids", "positions")


class Graph(nn.Module):
    """The encoder with the head of one scheme, as exported."""

    def __init__(self, model: TagEncoder, scheme: str) -> None:
        super().__init__()
        self.model = copy.deepcopy(model)
        self.model.blocks = nn.ModuleList(ExportedBlock(block) for block in self.model.blocks)
        self.scheme = scheme

    def forward(self, ids: Tensor, positions: Tensor) -> Tensor:
        """Scores [n, length, labels]."""
        scores: Tensor = self.model(ids, positions, self.scheme)
        return scores


def export(model: TagEncoder, scheme: str, vocabulary: Vocabulary, examples: Sequence[str]) -> bytes:
    """The INT8 graph of one scheme; its scales are fixed by the example texts."""
    model.eval()
    ids = torch.randint(5, model.shape.vocabulary, (2, 24), dtype=torch.int32)
    positions = torch.arange(24, dtype=torch.int32).expand(2, 24)
    axes = {name: {0: "texts", 1: "tokens"} for name in (*INPUTS, "scores")}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        torch.onnx.export(
            Graph(model, scheme), (ids, positions), str(path), input_names=list(INPUTS),
            output_names=["scores"], dynamic_axes=axes, opset_version=17, dynamo=False,
        )  # fmt: skip
        graph = path.read_bytes()
    return quantize(graph, encode(examples, vocabulary))


def tagger_of(graph: bytes, vocabulary: Vocabulary, kinds: Sequence[str], scheme: str) -> Tagger:
    """The tagger that a pack with this graph will give."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        path.write_bytes(graph)
        return Tagger(open_engine("onnx", path, threads=1), vocabulary, labels_of(kinds), scheme)
