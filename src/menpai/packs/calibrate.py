"""What the inputs of products hold: their ranges, the factors that even out their channels, and what INT8 costs each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from menpai.errors import BrokenArtefactError
from menpai.packs.bert import BertShape
from menpai.packs.fused_graph import WORDS, Floats, Plan, Tensors, fused_graph, inputs_of
from menpai.packs.onnx_writer import Part
from menpai.packs.write import naming
from menpai.settings import available_cores

Batch = Mapping[str, NDArray[np.int32]]
# Between weights (0) and inputs (1): where SmoothQuant puts the difficulty.
SMOOTH = 0.5


def calibrate(shape: BertShape, tensors: Tensors, plan: Plan, batches: Sequence[Batch]) -> Plan:
    """The plan with ranges and factors by what occurs in the batches.

    Channels of normed values differ up to a hundredfold, so those are evened out; the others would gain less than the
    extra pass costs.
    """
    ranges, factors = {}, {}
    for name, (low, high) in _channels(shape, tensors, batches).items():
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise BrokenArtefactError("logits_not_finite")
        if name.endswith(("attention.self", "intermediate.dense")):
            factors[name] = _factor(tensors, inputs_of(shape)[name], np.maximum(-low, high))
            low, high = low * factors[name], high * factors[name]
        ranges[name] = (float(low.min()), float(high.max()))
    return replace(plan, ranges=ranges, factors=factors)


def damages(shape: BertShape, tensors: Tensors, plan: Plan, batches: Sequence[Batch]) -> list[str]:
    """The inputs in order of what INT8 costs their products: the error of the product beside its size. The table of
    words, whose rows have scales of their own, comes last."""
    found: dict[str, list[float]] = {}
    with opened(fused_graph(shape, tensors, plan, watch="damage")) as session:
        names = [output.name for output in session.get_outputs()]
        for batch in batches[:8]:
            for name, value in zip(names, session.run(None, dict(batch)), strict=True):
                found.setdefault(name.removesuffix(".damage"), []).append(float(value))
    return [*sorted(found, key=lambda name: -float(np.mean(found[name]))), WORDS]


@contextmanager
def opened(graph: Iterator[Part], threads: int = 0) -> Iterator[Any]:
    """An ONNX Runtime session on a graph that was never in memory as a whole; 0: a thread for each core."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or available_cores()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph.onnx"
        with naming(path), path.open("wb") as file:
            for part in graph:
                file.write(part if isinstance(part, bytes) else part.reshape(-1).view(np.uint8).data)
        yield onnxruntime.InferenceSession(
            str(path),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],
        )


def _channels(
    shape: BertShape, tensors: Tensors, batches: Sequence[Batch]
) -> dict[str, tuple[Floats, Floats]]:
    """Input → least and largest value of each of its channels over the batches."""
    found: dict[str, tuple[Floats, Floats]] = {}
    with opened(fused_graph(shape, tensors, Plan(), watch="ends")) as session:
        names = [output.name for output in session.get_outputs()]
        for batch in batches:
            values = dict(zip(names, session.run(None, dict(batch)), strict=True))
            for name in inputs_of(shape):
                low, high = values[f"{name}.low"], values[f"{name}.high"]
                before = found.get(name, (low, high))
                found[name] = (np.minimum(before[0], low), np.maximum(before[1], high))
    return found


def _factor(tensors: Tensors, products: Sequence[str], largest: Floats) -> Floats:
    """What each channel is multiplied with, so that inputs and weights share the difficulty; 1 on average."""
    weights = np.max(
        [np.abs(tensors[f"{name}.weight"].astype(np.float32, copy=False)).max(0) for name in products], axis=0
    )
    factor = np.maximum(weights, 1e-5) ** (1 - SMOOTH) / np.maximum(largest, 1e-5) ** SMOOTH
    factor /= np.exp(np.log(factor).mean())
    clipped: Floats = np.clip(factor, 0.01, 100).astype(np.float32)
    return clipped
