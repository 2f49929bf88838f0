"""PyTorch, traced to TorchScript: runs without the interpreter between its operators."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
from torch import Tensor, nn

from menpai.engines import Engine
from menpai.engines.torch import TorchEngine, read_bert
from menpai.engines.torch_bert import Bert, padded


class _Padded(nn.Module):
    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        return padded(self.bert, ids, mask, types)


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine on this graph of a BERT, traced with rows of an arbitrary number and length."""
    bert, where = read_bert(graph, threads, device, whole=False)
    ids = torch.arange(10, dtype=torch.int32, device=where).view(2, 5)
    with torch.inference_mode(), warnings.catch_warnings():
        # PyTorch 2.13 recommends torch.compile instead, which needs a compiler on the machine; this does not.
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(_Padded(bert), (ids, torch.ones_like(ids), torch.zeros_like(ids)))
    return TorchEngine(traced, where)
