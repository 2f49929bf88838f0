"""Engines run a pack's graph: arrays in, logits out. One file and one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from menpai.errors import UsageError

Arrays = Mapping[str, NDArray[np.int32]]


class Engine(Protocol):
    """Runs one graph. Safe to call from several threads at once."""

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels] for inputs [n, length]; a row's logits do not depend on the other rows."""


# name: module; the module offers open_engine(graph, threads).
ENGINES = {
    "onnx": "menpai.engines.onnx",
}


def open_engine(name: str, graph: Path, threads: int) -> Engine:
    """The engine of this name on the graph; its package is imported here, at first use."""
    if name not in ENGINES:
        raise UsageError(
            "setting_invalid", name="engine", value=name, expected=" | ".join(ENGINES), source="engine"
        )
    opener: Callable[[Path, int], Engine] = import_module(ENGINES[name]).open_engine
    return opener(graph, threads)
