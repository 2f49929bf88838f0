"""PyTorch, compiled (`torch.compile`); worth its minutes of compilation on CUDA."""

from __future__ import annotations

from pathlib import Path

import torch

from menpai.engines import Engine
from menpai.engines.torch import TorchEngine, read_bert
from menpai.engines.torch_bert import padded


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine on this graph of a BERT; it is compiled at the first run, for any number and length of rows."""
    bert, where = read_bert(graph, threads, device, whole=False)
    forward = torch.compile(lambda ids, mask, types: padded(bert, ids, mask, types), dynamic=True)
    return TorchEngine(forward, where)
