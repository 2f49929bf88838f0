"""What this machine is, as far as menpai's speed depends on it, and which extras are installed."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import onnxruntime

from menpai._version import __version__
from menpai.cli.language import say
from menpai.engines.cpu import describe_cpu
from menpai.engines.gpu import DRIVER, read_gpus
from menpai.settings import available_cores

CGROUP = Path("/sys/fs/cgroup")
# Instructions that multiply INT8 fast, on x86-64 and on ARM.
FAST_INT8 = {"avx_vnni", "avx512_vnni", "amx_int8", "asimddp", "i8mm"}
# What an extra brings, by the name it is imported under, and what it gives (zh, en).
EXTRAS: dict[str, tuple[str, str, str]] = {
    "serve": ("starlette", "HTTP 服务", "the HTTP service"),
    "redis": ("redis", "多个实例共用的缓存", "a cache that several instances share"),
    "gpu": ("pynvml", "GPU 的利用率和显存", "utilisation and memory of the GPU"),
    "otel": ("opentelemetry.sdk", "OpenTelemetry 跨度", "OpenTelemetry spans"),
    "tables": ("pyarrow", "Arrow 和 Parquet 表格", "tables as Arrow and Parquet"),
    "excel": ("python_calamine", "Excel 表格", "tables in Excel"),
    "sql": ("sqlalchemy", "数据库里的表格", "tables in databases"),
    "plot": ("matplotlib", "loadtest 的图", "the plots of loadtest"),
    "openvino": ("openvino", "引擎 openvino：在 Intel CPU 上有时更快", "the engine openvino: at times faster on Intel CPUs"),
    "torch": ("torch", "引擎 torch：没有 ONNX CUDA 时用 GPU", "the engine torch: a GPU without ONNX Runtime's CUDA build"),
    "triton": ("tritonclient", "引擎 triton：模型在 Triton 服务器上", "the engine triton: the model on a Triton server"),
    "spark": ("pyspark", "在 Spark 里运行", "runs inside Spark"),
}  # fmt: skip


class Extra(NamedTuple):
    """An extra, whether it is installed, and what it gives."""

    name: str
    installed: bool
    gives: str


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine now; bytes, cores that this process may use, and None for what cannot be found out."""

    menpai: str
    python: str
    system: str
    cpu: str
    instructions: tuple[str, ...]
    int8_exact: bool
    int8_fast: bool
    cores: int
    cores_of_machine: int
    quota: float | None
    memory: int | None
    memory_limit: int | None
    memory_free: int | None
    open_files: int | None
    gpus: tuple[dict[str, Any], ...]
    gpu_driver: bool
    onnxruntime: str
    providers: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def describe_machine() -> Machine:
    """This machine."""
    cpu = describe_cpu()
    memory = _meminfo()
    return Machine(
        menpai=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        cpu=cpu.name,
        instructions=cpu.instructions,
        int8_exact=cpu.int8_exact,
        int8_fast=bool(FAST_INT8 & set(cpu.instructions)),
        cores=available_cores(),
        cores_of_machine=os.cpu_count() or 1,
        quota=_quota(),
        memory=memory.get("MemTotal"),
        memory_limit=_number(CGROUP / "memory.max"),
        memory_free=memory.get("MemAvailable"),
        open_files=_open_files(),
        gpus=tuple(asdict(gpu) for gpu in read_gpus()),
        gpu_driver=DRIVER.exists(),
        onnxruntime=onnxruntime.__version__,
        providers=tuple(onnxruntime.get_available_providers()),
    )


def describe_extras() -> list[Extra]:
    """Each extra, whether it is there, and what it gives."""
    return [Extra(name, _is_there(module), say(zh, en)) for name, (module, zh, en) in EXTRAS.items()]


def _is_there(module: str) -> bool:
    """Whether a module could be imported; nothing is imported but the packages it stands in."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _quota() -> float | None:
    """Cores that the control group grants, with their fraction."""
    try:
        quota, period = (CGROUP / "cpu.max").read_text("ascii").split()
        return None if quota == "max" else int(quota) / int(period)
    except (OSError, ValueError):
        return None


def _number(file: Path) -> int | None:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):  # "max": no limit
        return None


def _meminfo() -> dict[str, int]:
    """Bytes by name, where the system has such a file."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return {}
    parts = (line.split() for line in lines)
    return {part[0].rstrip(":"): int(part[1]) * 1024 for part in parts if len(part) > 1}


def _open_files() -> int | None:
    if sys.platform == "win32":
        return None
    import resource  # noqa: PLC0415 (Windows has none)

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
