"""ONNX Runtime on the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine


class OnnxEngine:
    """One session, shared by all threads (`run` releases the interpreter lock)."""

    def __init__(self, graph: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Idle workers must not burn the core that normalizes and parses.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Bytes, not a path: a graph may then not point to data outside its own file.
        self._session = onnxruntime.InferenceSession(
            graph.read_bytes(), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = [value.name for value in self._session.get_inputs()]

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]."""
        (logits,) = self._session.run(None, {name: inputs[name] for name in self._inputs})
        return np.asarray(logits, dtype=np.float32)


def open_engine(graph: Path, threads: int) -> Engine:
    """An engine on this graph with so many threads inside one operator."""
    return OnnxEngine(graph, threads)
