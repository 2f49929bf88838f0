"""What this processor computes in INT8, found by asking it rather than by its name."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

# Instructions that multiply INT8 or BF16, as Linux names them (x86-64, then ARM).
INSTRUCTIONS = (
    "avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "amx_bf16",
    "asimddp", "i8mm", "bf16", "sve",
)  # fmt: skip
# MatMulInteger of two inputs, as an ONNX file (operator set 13): a uint8 [m, k] times b int8 [k, n] → y int32.
_PRODUCT = bytes.fromhex(
    "080812003a620a180a01610a0162120179220d4d61744d756c496e74656765721201675a150a016112100a0e0802120a"
    "0a0312016d0a0312016b5a150a016212100a0e0803120a0a0312016b0a0312016e62150a017912100a0e0806120a0a03"
    "12016d0a0312016e42040a00100d"
)


@dataclass(frozen=True, slots=True)
class Cpu:
    """The processor: its name, which of INSTRUCTIONS it has, and whether ONNX Runtime's INT8 products are exact.

    They are not where two products of eight bits are added in sixteen (AVX2 without VNNI): the sum saturates.
    """

    name: str
    instructions: tuple[str, ...]
    int8_exact: bool

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


@cache
def describe_cpu() -> Cpu:
    """This processor; worked out once."""
    lines = _cpuinfo()
    flags = set((lines.get("flags") or lines.get("Features") or "").split())
    name = lines.get("model name") or platform.processor() or platform.machine()
    return Cpu(name, tuple(flag for flag in INSTRUCTIONS if flag in flags), int8_is_exact())


def int8_is_exact() -> bool:
    """Whether the product of the largest inputs and the largest eight-bit weights is what NumPy says."""
    session = onnxruntime.InferenceSession(_PRODUCT, providers=["CPUExecutionProvider"])
    rows = np.full((8, 64), 255, np.uint8)
    columns = np.full((64, 32), 127, np.int8)
    columns[:, ::2] = -127
    (found,) = session.run(None, {"a": rows, "b": columns})
    return bool((found == rows.astype(np.int32) @ columns.astype(np.int32)).all())


def _cpuinfo() -> dict[str, str]:
    """The lines about the first processor; empty where the system has no such file."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}
