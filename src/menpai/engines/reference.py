"""PyTorch on the tensors of a model folder themselves, in float32 and without fusing: what a pack is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine
from menpai.engines.torch_bert import Bert, padded
from menpai.settings import available_cores

# Below this width a product is too small to be shared: the threads wait for one another at each of hundreds of them,
# and for the processor where others use it too (1,000 pairs of a tiny model beside five busy processes: 34 s, not 1).
_WORTH_SHARING = 256


class Reference:
    """A BERT as its folder describes it."""

    def __init__(self, shape: Mapping[str, Any], tensors: Mapping[str, NDArray[np.generic]]) -> None:
        constants = dict(_named(name, tensor) for name, tensor in tensors.items())
        self._threads = available_cores() if int(shape["width"]) >= _WORTH_SHARING else 1
        self._bert = Bert(shape, constants, torch.float32, whole=False).eval()

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels], of a tagger [n, length, labels]."""
        ids, mask, types = (
            torch.from_numpy(inputs[name].astype(np.int64))
            for name in ("input_ids", "attention_mask", "token_type_ids")
        )
        with torch.no_grad(), _threads(self._threads):
            return np.asarray(padded(self._bert, ids, mask, types).numpy(), dtype=np.float32)


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """So many threads inside an operator, as before afterwards. PyTorch itself does not see a container's quota."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def open_reference(shape: Mapping[str, Any], tensors: Mapping[str, NDArray[np.generic]]) -> Engine:
    """The reference on these tensors (names of transformers)."""
    return Reference(shape, tensors)


def _named(name: str, tensor: NDArray[np.generic]) -> tuple[str, NDArray[np.generic]]:
    """A matrix of a product is transposed in a pack's graph, and its name says so; a table of embeddings is not."""
    array = np.array(tensor, dtype=np.float32)  # a copy: a mapped file cannot be written, as PyTorch wants it
    if array.ndim == 2 and "embeddings" not in name:
        return f"{name}_t", array.T
    return name, array
