"""Utilisation and memory of NVIDIA GPUs, where there are any and the package nvidia-ml-py is installed."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DRIVER = Path("/proc/driver/nvidia/version")


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU now: shares and memory in bytes."""

    index: int
    name: str
    utilisation: float
    memory_used: int
    memory_total: int


def read_gpus() -> list[Gpu]:
    """The GPUs of this machine; empty without a driver or without nvidia-ml-py."""
    library = _open()
    gpus: list[Gpu] = []
    if library is None:
        return gpus
    with contextlib.suppress(library.NVMLError):
        for index in range(library.nvmlDeviceGetCount()):
            gpus.append(_read(library, index))  # noqa: PERF401 (what was read before one fails is kept)
    return gpus


def _read(library: Any, index: int) -> Gpu:
    handle = library.nvmlDeviceGetHandleByIndex(index)
    name = library.nvmlDeviceGetName(handle)
    memory = library.nvmlDeviceGetMemoryInfo(handle)
    busy = library.nvmlDeviceGetUtilizationRates(handle).gpu / 100
    return Gpu(index, name if isinstance(name, str) else name.decode(), busy, memory.used, memory.total)


@cache
def _open() -> Any:
    """NVIDIA's library, begun once, or None; not even imported where Linux has no driver."""
    if sys.platform == "linux" and not DRIVER.exists():
        return None
    try:
        import pynvml  # noqa: PLC0415 (the extra "gpu")

        pynvml.nvmlInit()
    except Exception:  # no package, no driver, a driver of another version
        return None
    return pynvml
