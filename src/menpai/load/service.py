"""A service of our own on a free port, for a load test without a URL."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import IO

from menpai.errors import NotReadyError
from menpai.load.ask import readiness
from menpai.load.target import Target
from menpai.settings import environment_with

READY_SECONDS = 60
STOP_SECONDS = 15


@contextlib.contextmanager
def service(flags: Sequence[str], key: str) -> Iterator[Target]:
    """`menpai serve` with these flags, ready, and stopped at the end; its settings come from the environment too.

    Raises NotReadyError with its last words if it does not get ready. Its log is not kept: nobody reads it here.
    """
    target = Target.of(f"http://127.0.0.1:{_free_port()}", key)
    command = [
        sys.executable,
        "-m",
        "menpai",
        "serve",
        "--host",
        target.host,
        "--port",
        str(target.port),
        *flags,
    ]
    env = environment_with(api_key=key)  # where a list of processes does not show it
    with tempfile.TemporaryFile() as words:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words, env=env
        )
        try:
            _wait(process, target, words)
            yield target
        finally:
            _stop(process)


def _wait(process: subprocess.Popen[bytes], target: Target, words: IO[bytes]) -> None:
    until = time.monotonic() + READY_SECONDS
    while readiness(target)[0] != 200:
        if process.poll() is not None or time.monotonic() > until:
            words.seek(0)
            told = words.read().decode("utf-8", "replace").strip()
            raise NotReadyError("load_service", url=target.url, reason=told[-400:] or str(process.returncode))
        time.sleep(0.05)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
