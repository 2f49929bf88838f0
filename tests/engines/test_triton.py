"""The client against a real Triton server: the binary of the wheel nvidia-pytriton, which brings the Python backend."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.errors import NotReadyError
from menpai.packs.triton_repository import write_repository
from tests.bert import batches, narrow_pack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
PACK = narrow_pack("int8")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """A server with the pack's repository; its HTTP and gRPC ports."""
    work = tmp_path_factory.mktemp("triton")
    packages = work / "packages"
    install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(packages)]
    # The wheel's backend was built for NumPy 1: with NumPy 2 its outputs come back empty.
    subprocess.run([*install, "nvidia-pytriton==0.7.0", "onnxruntime", "numpy<2"], check=True, timeout=600)
    root = packages / "pytriton" / "tritonserver"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    stub = root / "python_backend_stubs" / version / "triton_python_backend_stub"
    shutil.copy2(stub, root / "backends" / "python")
    model = write_repository(PACK, work / "repository", "python")
    source = model / "1" / "model.py"
    # That backend starts a Python of its own, which ignores PYTHONPATH but finds an active virtual environment first.
    source.write_text(
        f"import sys\nsys.path.insert(0, {str(packages)!r})\n{source.read_text('utf-8')}", "utf-8"
    )
    http, grpc = free_port(), free_port()
    command = [
        str(root / "bin" / "tritonserver"), f"--model-repository={work / 'repository'}",
        f"--backend-directory={root / 'backends'}", f"--http-port={http}", f"--grpc-port={grpc}",
        "--http-address=127.0.0.1", "--grpc-address=127.0.0.1", "--allow-metrics=false", "--exit-timeout-secs=5",
    ]  # fmt: skip
    with (work / "log").open("w") as log:
        running = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until_ready(running, http, work / "log")
        yield http, grpc
    finally:
        running.terminate()
        try:
            running.wait(30)
        except subprocess.TimeoutExpired:  # it waits for a stub that hangs
            running.kill()
            running.wait(10)


def wait_until_ready(running: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and running.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/v2/health/ready", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    raise AssertionError(log.read_text(errors="replace")[-3000:])


@pytest.mark.parametrize("scheme", ["http", "grpc"])
def test_logits_are_those_of_onnx_runtime(server: tuple[int, int], scheme: str) -> None:
    port = server[scheme == "grpc"]
    engine = open_engine("triton", PACK.file("graph"), 1, f"{scheme}://127.0.0.1:{port}")
    plain = open_engine("onnx", PACK.file("graph"), 1)
    for batch in batches()[:5]:
        assert np.abs(engine.run(batch) - plain.run(batch)).max() < 1e-5


def test_a_model_that_is_not_there_is_told(server: tuple[int, int]) -> None:
    other = narrow_pack("int8", "ranking")
    renamed = other.path.parent / "renamed"
    shutil.copytree(other.path, renamed, dirs_exist_ok=True)
    manifest = renamed / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"name": "tiny"', '"name": "unknown"'), "utf-8")
    with pytest.raises(NotReadyError, match="unknown"):
        open_engine("triton", renamed / "model.onnx", 1, f"http://127.0.0.1:{server[0]}")


@pytest.mark.parametrize("scheme", ["http", "grpc"])
def test_a_server_that_is_not_there_is_told_with_its_url(scheme: str) -> None:
    with pytest.raises(NotReadyError) as caught:
        open_engine("triton", PACK.file("graph"), 1, f"{scheme}://127.0.0.1:{free_port()}")
    assert caught.value.code == "triton_failed"
    assert "127.0.0.1" in str(caught.value)
