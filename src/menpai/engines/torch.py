"""PyTorch, eager and free of padding, on the CPU or on CUDA; on the CPU an INT8 pack runs on oneDNN's kernels.

The compiled and the traced form (`torch_compiled`, `torch_script`) run padded rows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from menpai.engines import Arrays, Engine, refuse_device
from menpai.engines.constants import Constants, read_constants, shape_beside
from menpai.engines.torch_bert import Bert, padded, unpadded
from menpai.errors import BrokenArtefactError

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
Forward = Callable[[Tensor, Tensor, Tensor], Tensor]


class TorchEngine:
    """One network; `forward` takes ids, mask and types."""

    def __init__(self, forward: Forward, device: str) -> None:
        self._forward = forward
        self.device = device

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]."""
        with torch.inference_mode():
            given = (torch.from_numpy(np.ascontiguousarray(inputs[name])).to(self.device) for name in INPUTS)
            return np.asarray(self._forward(*given).cpu().numpy(), dtype=np.float32)


def read_bert(graph: Path, threads: int, device: str, whole: bool = True) -> tuple[Bert, str]:
    """The network of a pack's graph on a device, and the device; PyTorch works with so many threads from now on.
    With `whole` off, INT8 is widened: its packed weights can be neither traced nor compiled."""
    usable = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
    if device not in ("auto", *usable):
        raise refuse_device("torch", device, ", ".join(usable))
    device = usable[-1] if device == "auto" else device
    torch.set_num_threads(threads)
    shape = shape_beside(graph)
    if shape is None:
        raise BrokenArtefactError("engine_needs_bert", engine="torch", pack=str(graph.parent))
    constants = read_constants(bytearray(graph.read_bytes()))
    try:
        bert = Bert(shape, constants, _kind(constants, device), whole and device == "cpu")
    except KeyError as error:
        reason = f"{graph.name}: no constant {error}"
        raise BrokenArtefactError("pack_invalid", pack=str(graph.parent), reason=reason) from error
    return bert.eval().to(device), device


def _kind(constants: Constants, device: str) -> torch.dtype:
    """The type to compute in: that of the stored weights; on CUDA half for INT8 too, on the CPU float for half."""
    stored = {array.dtype for name, array in constants.items() if name.endswith((".weight_t", ".weight_q"))}
    if np.dtype(np.uint16) in stored:
        return torch.bfloat16
    half = np.dtype(np.float16) in stored or np.dtype(np.int8) in stored
    return torch.float16 if half and device == "cuda" else torch.float32


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine on this graph of a BERT."""
    bert, where = read_bert(graph, threads, device)
    run = unpadded if where == "cpu" else padded
    return TorchEngine(lambda ids, mask, types: run(bert, ids, mask, types), where)
