"""The image's start command in a clean environment, as the user that the image has: no container engine is needed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.files import DEPLOY, ROOT, environment, instruction, words

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
KEY = "k-of-the-test"
PORT, METRICS_PORT = "18600", "19600"


@pytest.fixture(scope="module")
def house() -> Iterator[Path]:
    """A folder where a virtual environment holds what the Dockerfile installs; anybody may read it."""
    folder = Path(tempfile.mkdtemp(prefix="menpai-image-"))
    folder.chmod(0o755)
    subprocess.run([str(_readable_python(folder)), "-m", "venv", str(folder / "venv")], check=True)
    pip = [
        str(folder / "venv/bin/pip"),
        "install",
        "-q",
        "--no-compile",
        "--disable-pip-version-check",
        f"{_context(folder)}[serve,redis]",
    ]
    subprocess.run(pip, check=True)
    yield folder
    shutil.rmtree(folder)


def _context(folder: Path) -> Path:
    """The files that the Dockerfile copies, and no others."""
    context = folder / "context"
    context.mkdir()
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE):
        for source in map(ROOT.joinpath, line.split()[:-1]):
            copy: Any = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, context / source.name)
    return context


def _readable_python(folder: Path) -> Path:
    """This Python, or a copy of it if it lies where only its owner may read (/root)."""
    base = Path(sys.base_prefix).resolve()
    if all(parent.stat().st_mode & 0o005 == 0o005 for parent in (base, *base.parents)):
        return base / "bin" / "python3"
    skip = shutil.ignore_patterns("site-packages", "test", "__pycache__", "share", "idlelib", "config-*")
    shutil.copytree(base, folder / "python", symlinks=True, ignore=skip)
    (
        folder / "python" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    ).mkdir()
    return folder / "python" / "bin" / "python3"


@pytest.fixture
def cache(house: Path) -> Iterator[Path]:
    """The only folder that the user may write."""
    folder = house / "cache"
    folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(folder, *map(int, instruction("USER").split(":")))
    yield folder
    shutil.rmtree(folder)


def as_in_the_image(house: Path, command: list[str], **more: Any) -> subprocess.Popen[bytes]:
    """Start a command with the image's environment and user, on other ports; as ourselves where we may not change."""
    user, group = map(int, instruction("USER").split(":"))
    rights = {"user": user, "group": group, "extra_groups": []} if os.geteuid() == 0 else {}
    moved = {"PATH": f"{house}/venv/bin:/usr/bin:/bin", "MENPAI_HOST": "127.0.0.1", "MENPAI_METRICS_HOST": "127.0.0.1",
             "MENPAI_PORT": PORT, "MENPAI_METRICS_PORT": METRICS_PORT, "MENPAI_API_KEY": KEY,
             "MENPAI_CACHE_FILE": str(house / "cache" / "verdicts.sqlite")}  # fmt: skip
    env = environment() | moved
    env.pop("PYTHONDONTWRITEBYTECODE")
    if (house / "python").exists():
        env["LD_LIBRARY_PATH"] = str(house / "python" / "lib")  # else the copy finds another libpython
    return subprocess.Popen([shutil.which(command[0], path=env["PATH"]) or command[0], *command[1:]], env=env,
                            cwd=house / "cache", **rights, **more)  # fmt: skip


def get(port: str, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        body: bytes = answer.read()
        return body


def health(house: Path) -> int:
    check = as_in_the_image(house, words("HEALTHCHECK"), stderr=subprocess.DEVNULL)
    return check.wait(20)


def test_it_starts_is_healthy_answers_and_drains(house: Path, cache: Path) -> None:
    assert health(house) != 0  # nobody is there yet
    process = as_in_the_image(
        house, words("ENTRYPOINT") + words("CMD"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        until = time.monotonic() + 60
        while health(house) != 0:
            assert process.poll() is None, process.stderr and process.stderr.read().decode()
            assert time.monotonic() < until
        request = urllib.request.Request(
            f"http://127.0.0.1:{PORT}/v1/match", json.dumps({"a": "文三路123号", "b": "文三路125号"}).encode(),
            {"authorization": f"Bearer {KEY}", "content-type": "application/json"},
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert json.load(answer)["label"] == "partial_match"
        assert b"menpai_ready 1.0" in get(METRICS_PORT, "/metrics")
        assert "menpai" in get(PORT, "/").decode("utf-8")
        assert list(cache.iterdir())
        process.send_signal(getattr(signal, instruction("STOPSIGNAL")))
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.communicate()
