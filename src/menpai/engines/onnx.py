"""ONNX Runtime on the CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine
from menpai.errors import BrokenArtefactError


class OnnxEngine:
    """One session, shared by all threads (`run` releases the interpreter lock)."""

    def __init__(self, graph: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Idle workers must not burn the core that normalizes and parses.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.load_model_format", "ONNX")
        content = graph.read_bytes()
        if names_other_files(content):
            raise _invalid(graph, "it keeps data in another file")
        try:
            self._session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's own errors share no base class below this one
            raise _invalid(graph, str(error).splitlines()[0]) from error
        self._inputs = [value.name for value in self._session.get_inputs()]

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]."""
        (logits,) = self._session.run(None, {name: inputs[name] for name in self._inputs})
        return np.asarray(logits, dtype=np.float32)


def names_other_files(graph: bytes) -> bool:
    """Whether an ONNX graph points to data outside itself, by its key "location" (a string of length 8).

    ONNX Runtime 1.32 would read such a file even for a graph given as bytes: any path below or above the
    working directory.
    """
    return b"\x08location" in graph or b"\x00location" in graph


def _invalid(graph: Path, reason: str) -> BrokenArtefactError:
    return BrokenArtefactError("pack_invalid", pack=str(graph.parent), reason=f"{graph.name}: {reason}")


def open_engine(graph: Path, threads: int) -> Engine:
    """An engine on this graph with so many threads inside one operator."""
    return OnnxEngine(graph, threads)
