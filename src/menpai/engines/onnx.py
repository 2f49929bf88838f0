"""ONNX Runtime on the CPU, on CUDA, or through TensorRT."""

from __future__ import annotations

import ctypes
import mmap
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from menpai.engines import Arrays, Engine, refuse_device
from menpai.engines.constants import Constants, lifted, read_constants
from menpai.engines.cpu import describe_cpu
from menpai.errors import BrokenArtefactError

_CUDA, _TENSORRT, _CPU = "CUDAExecutionProvider", "TensorrtExecutionProvider", "CPUExecutionProvider"
PROVIDERS = {"cpu": [_CPU], "cuda": [_CUDA, _CPU], "tensorrt": [_TENSORRT, _CUDA, _CPU]}
OPTIONS: dict[str, dict[str, Any]] = {_TENSORRT: {"trt_fp16_enable": True}}
_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
# Weights within ±64 cannot saturate sums of two products in 16 bits.
_SAFE = 64
# Bytes from which on a graph is mapped.
_LARGE = 16 * 2**20


class OnnxEngine:
    """One session, shared by all threads (`run` releases the interpreter lock)."""

    def __init__(self, graph: Path, threads: int, device: str = "auto", exact: bool | None = None) -> None:
        content = _content(graph)
        if names_other_files(content):
            raise _invalid(graph, "it keeps data in another file")
        self.device = _device(device)
        self.reduced = False
        if self.device == "cpu" and not (describe_cpu().int8_exact if exact is None else exact):
            content, self.reduced = reduced_range(bytes(content))
        options = _options(threads)
        providers = [(name, OPTIONS.get(name, {})) for name in PROVIDERS[self.device]]
        try:
            # What ONNX Runtime still reads of the constants (a table of words) lives as long as the session.
            skeleton, self._constants = _lifted(content, options)
            # ONNX Runtime 1.32 takes ten times as long for SkipLayerNormalization as for its two parts.
            self._session = onnxruntime.InferenceSession(
                skeleton, options, providers=providers, disabled_optimizers=["SkipLayerNormFusion"]
            )
        except Exception as error:  # ONNX Runtime's own errors share no base class below this one
            raise _invalid(graph, str(error).splitlines()[0]) from error
        if isinstance(content, mmap.mmap):
            _give_back(content)
        self._inputs = [(value.name, _TYPES[value.type]) for value in self._session.get_inputs()]

    def run(self, inputs: Arrays) -> NDArray[np.float32]:
        """Logits [n, labels]."""
        feed = {name: inputs[name].astype(kind, copy=False) for name, kind in self._inputs}
        (logits,) = self._session.run(None, feed)
        return np.asarray(logits, dtype=np.float32)


def _content(graph: Path) -> bytes | mmap.mmap:
    """The file, in memory; a large one mapped, so that what nobody reads any more leaves it again."""
    if graph.stat().st_size < _LARGE:
        return graph.read_bytes()
    with graph.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _give_back(content: mmap.mmap) -> None:
    """Return to the system what was needed to open a large graph only, where it can be asked for that (glibc)."""
    if hasattr(mmap, "MADV_DONTNEED"):
        content.madvise(mmap.MADV_DONTNEED)
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def _lifted(content: bytes | mmap.mmap, options: onnxruntime.SessionOptions) -> tuple[bytes, Constants]:
    """A graph as ONNX Runtime gets it; the constants of a large one are handed over beside it."""
    if len(content) < _LARGE:
        return bytes(content), {}
    skeleton, constants = lifted(memoryview(content))
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in constants.values()]
    options.add_external_initializers(list(constants), values)
    return skeleton, constants


def names_other_files(graph: bytes | mmap.mmap) -> bool:
    """Whether an ONNX graph points to data outside itself, by its key "location" (a string of length 8).

    ONNX Runtime 1.32 would read such a file even for a graph given as bytes: any path below or above the
    working directory.
    """
    return any(graph.find(key) >= 0 for key in (b"\x08location", b"\x00location"))


def reduced_range(graph: bytes) -> tuple[bytes, bool]:
    """The graph with INT8 weights of eight bits halved and their scales doubled, and whether there were any.

    For processors whose INT8 products saturate: it costs a bit of precision, where saturation would cost the result.
    """
    changed = bytearray(graph)
    constants = read_constants(changed)
    wide = [
        name.removesuffix("_q")
        for name, array in constants.items()
        if name.endswith(".weight_q") and "embeddings" not in name and np.abs(array.astype(np.int16)).max() > _SAFE
    ]  # fmt: skip
    for name in wide:
        weights, scales = constants[f"{name}_q"], constants[f"{name}_scale"]
        weights[...] = np.round(weights / 2).astype(np.int8)
        scales *= 2
    return (bytes(changed), True) if wide else (graph, False)


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Idle workers must not burn the core that normalizes and parses.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.load_model_format", "ONNX")
    return options


def _device(asked: str) -> str:
    """The device that is used; raises if the installed ONNX Runtime has no provider for the one asked for."""
    available = onnxruntime.get_available_providers()
    usable = [name for name, wanted in PROVIDERS.items() if wanted[0] in available]
    if asked == "auto":
        return "cuda" if "cuda" in usable else "cpu"
    if asked not in usable:
        raise refuse_device("onnx", asked, ", ".join(usable))
    return asked


def _invalid(graph: Path, reason: str) -> BrokenArtefactError:
    return BrokenArtefactError("pack_invalid", pack=str(graph.parent), reason=f"{graph.name}: {reason}")


def open_engine(graph: Path, threads: int, device: str) -> Engine:
    """An engine on this graph with so many threads inside one operator."""
    return OnnxEngine(graph, threads, device)
