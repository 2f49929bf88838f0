"""Figures of GPUs: what the driver says, nothing without one, and what was read before one fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from menpai.engines import gpu
from menpai.engines.gpu import Gpu, read_gpus
from menpai.serving.metrics import Metrics


class FellOffTheBusError(Exception):
    """What the driver says of a GPU that has gone."""


def driver() -> SimpleNamespace:
    """As much of NVIDIA's library as is asked; the third GPU has gone."""

    def handle(index: int) -> int:
        if index == 2:
            raise FellOffTheBusError
        return index

    return SimpleNamespace(
        NVMLError=FellOffTheBusError,
        nvmlInit=lambda: None,
        nvmlDeviceGetCount=lambda: 3,
        nvmlDeviceGetHandleByIndex=handle,
        nvmlDeviceGetName=["H200", b"T4"].__getitem__,  # older versions give bytes
        nvmlDeviceGetMemoryInfo=lambda handle: SimpleNamespace(used=10 * (handle + 1), total=100),
        nvmlDeviceGetUtilizationRates=lambda handle: SimpleNamespace(gpu=50 + handle),
    )


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test asks for the library anew; all but that on a real one find a driver."""
    gpu._open.cache_clear()
    if "gpu" not in request.keywords:
        monkeypatch.setattr(gpu, "DRIVER", Path(__file__))
    yield
    gpu._open.cache_clear()


def test_each_gpu_is_read_until_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", driver())
    assert read_gpus() == [Gpu(0, "H200", 0.5, 10, 100), Gpu(1, "T4", 0.51, 20, 100)]
    page = Metrics().page().decode()
    assert 'menpai_gpu_utilisation{gpu="1"} 0.51' in page
    assert 'menpai_gpu_memory_used_bytes{gpu="0"} 10.0' in page


@pytest.mark.parametrize(
    "library", [None, SimpleNamespace(nvmlInit=lambda: 1 / 0)], ids=["no package", "no driver"]
)
def test_without_a_driver_there_are_none(monkeypatch: pytest.MonkeyPatch, library: Any) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", library)
    assert read_gpus() == []
    assert "menpai_gpu_utilisation{" not in Metrics().page().decode()


def test_without_a_driver_the_package_is_not_even_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "DRIVER", Path("no such file"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setitem(sys.modules, "pynvml", driver())
    assert read_gpus() == []


@pytest.mark.gpu
def test_the_gpu_of_this_machine_is_read() -> None:
    (first, *_) = read_gpus()
    assert 0 <= first.utilisation <= 1
    assert 0 < first.memory_used < first.memory_total
