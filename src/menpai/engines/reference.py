"""PyTorch on the tensors of a model folder themselves, in float32 and without fusing: what a pack is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine
from menpai.engines.torch_bert import Bert, padded


class Reference:
    """A BERT as its folder describes it."""

    def __init__(self, shape: Mapping[str, Any], tensors: Mapping[str, NDArray[np.generic]]) -> None:
        constants = dict(_named(name, tensor) for name, tensor in tensors.items())
        self._bert = Bert(shape, constants, torch.float32, whole=False).eval()

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels], of a tagger [n, length, labels]."""
        ids, mask, types = (
            torch.from_numpy(inputs[name].astype(np.int64))
            for name in ("input_ids", "attention_mask", "token_type_ids")
        )
        with torch.no_grad():
            return np.asarray(padded(self._bert, ids, mask, types).numpy(), dtype=np.float32)


def open_reference(shape: Mapping[str, Any], tensors: Mapping[str, NDArray[np.generic]]) -> Engine:
    """The reference on these tensors (names of transformers)."""
    return Reference(shape, tensors)


def _named(name: str, tensor: NDArray[np.generic]) -> tuple[str, NDArray[np.generic]]:
    """A matrix of a product is transposed in a pack's graph, and its name says so; a table of embeddings is not."""
    array = np.array(tensor, dtype=np.float32)  # a copy: a mapped file cannot be written, as PyTorch wants it
    if array.ndim == 2 and "embeddings" not in name:
        return f"{name}_t", array.T
    return name, array
