"""Two gears of one engine: many rows run side by side on a core each; a lone row gets all cores."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine, device_of, open_engine

# From so many rows on, cores do better on runs of their own than on one operator together.
_FEW = 4


class Gears:
    """`narrow` runs with one thread, `lanes` runs at once; `wide` with all threads, when nothing else is running."""

    def __init__(self, narrow: Engine, wide: Engine, lanes: int = 1) -> None:
        self._narrow, self._wide = narrow, wide
        self.lanes = lanes
        self.device = device_of(narrow)
        self._lock = threading.Lock()
        self._running = 0

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]; which gear ran never shows in the labels."""
        rows = len(next(iter(inputs.values())))
        with self._lock:
            engine = self._wide if self._running == 0 and rows < _FEW else self._narrow
            self._running += 1
        try:
            return engine.run(inputs)
        finally:
            with self._lock:
                self._running -= 1


def open_gears(name: str, graph: Path, cores: int, device: str = "auto") -> Engine:
    """The engine in two gears; in one where there is one core or a GPU, or where the engine or its server decides itself.

    The two gears of onnx hold the weights twice: ONNX Runtime shares them between sessions in C only (1.32).
    """
    if cores == 1 or name != "onnx":
        return open_engine(name, graph, 1 if name == "onnx" else cores, device)
    narrow = open_engine(name, graph, 1, device)
    if device_of(narrow) != "cpu":
        return narrow
    return Gears(narrow, open_engine(name, graph, cores, device), cores)


def lanes_of(engine: Engine) -> int:
    """How many runs of an engine should go side by side to fill the cores; 1 for one that fills them alone."""
    return int(getattr(engine, "lanes", 1))
