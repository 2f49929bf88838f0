"""The script prepared for a GPU, on its CPU path."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_gpu_script_runs_on_a_cpu() -> None:
    command = [sys.executable, "-m", "benchmarks.gpu.measure", "--device", "cpu", "--size", "tiny", "--seconds", "0.05",
               "--rows", "4", "--pairs", "30"]  # fmt: skip
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["raw"].keys() == {"torch:cpu", "onnx:cpu"}
    assert all(one["pairs_per_second"] > 0 for one in found["raw"].values())
    assert found["best"] in found["raw"]
    assert found["texts_pairs_per_second"] > 0
