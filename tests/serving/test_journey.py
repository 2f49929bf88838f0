"""`menpai serve` as a user runs it: a process, a port, curl-like calls, a caller who leaves, and SIGTERM."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from menpai.serving.heaps import HEAPS
from tests.serving.rig import A, B, C

HEAP = 2**26
"The room of a heap that is not the first, in glibc on 64 bits."


def pairs(count: int) -> bytes:
    rows = [{"a": f"杭州市西湖区文三路{n}号{n % 7}幢", "b": f"西湖区文三路{n}号"} for n in range(count)]
    return json.dumps({"pairs": rows}).encode()


class Served:
    """A `menpai serve` process: its address, and the log lines that it has written so far."""

    def __init__(self, *flags: str) -> None:
        command = [sys.executable, "-m", "menpai", "serve", "--port", "0", "--language", "en", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines: list[dict[str, Any]] = []
        assert self.process.stdout is not None
        self.url: str = json.loads(self.process.stdout.readline())["url"]
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def until_ready(self) -> set[tuple[str, int]]:
        """Every (code, status) that /readyz gave before it was ready; /livez answers all the while."""
        seen = set()
        while (answer := httpx.get(f"{self.url}/readyz")).status_code != 200:
            seen.add((answer.json()["error"]["code"], answer.status_code))
            assert httpx.get(f"{self.url}/livez").status_code == 200
            time.sleep(0.05)
        return seen

    def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit code and what stands on standard error."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.stderr is not None
        errors = self.process.stderr.read()
        self.reader.join(30)
        return self.process.wait(30), errors

    def metric(self, name: str) -> float:
        lines = httpx.get(f"{self.url}/metrics").text.splitlines()
        return next((float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")), 0.0)


@pytest.fixture
def served(request: pytest.FixtureRequest) -> Iterator[Served]:
    served = Served(*getattr(request, "param", ("--drain-seconds", "60")))
    try:
        yield served
    finally:
        served.process.kill()
        served.process.communicate()


def on_the_command_line(a: str, b: str) -> str:
    command = [sys.executable, "-m", "menpai", "match", a, b, "--json", "--language", "en"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def raw_post(url: str, body: bytes) -> socket.socket:
    """A connection on which a POST to /v1/match was sent and nothing read."""
    host, port = url.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)))
    head = f"POST /v1/match HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


def answer_on(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of what comes until the server closes."""
    head, _, body = b"".join(iter(lambda: connection.recv(1 << 20), b"")).partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def heaps_of_threads(process: int) -> int:
    """Those that glibc made beside the first one: each begins at a multiple of its room, and ends in what is not used yet."""
    maps = Path(f"/proc/{process}/maps")
    lines = [line.split() for line in maps.read_text().splitlines()] if maps.exists() else []
    spans = [tuple(int(end, 16) for end in line[0].split("-")) for line in lines]
    return sum(
        start % HEAP == 0 and line[1].startswith("rw") and after[1].startswith("---") and last == start + HEAP
        for line, after, (start, _), (_, last) in zip(lines, lines[1:], spans, spans[1:], strict=False)
    )


def test_from_start_to_stop(served: Served) -> None:
    assert served.until_ready() <= {("service_warming", 503)}

    for a, b in ((A, B), (A, C)):
        infer = httpx.post(f"{served.url}/infer", json={"addr1": a, "addr2": b}).text
        printed = on_the_command_line(a, b)
        assert json.loads(infer) == json.loads(printed)
        number = infer.partition('"similarity":')[2].partition(",")[0]
        assert f'"similarity": {number},' in printed

    with raw_post(served.url, pairs(3000)):
        while not served.metric("menpai_queue_items"):
            time.sleep(0.01)
    while not (gone := served.metric('menpai_shed_items_total{reason="gone"}')):
        time.sleep(0.01)
    assert gone <= 3000
    assert heaps_of_threads(served.process.pid) < HEAPS

    with raw_post(served.url, pairs(600)) as accepted:
        while not served.metric("menpai_queue_items"):
            time.sleep(0.01)
        code, errors = served.stop()
        status, body = answer_on(accepted)
    assert (code, errors) == (0, "")
    assert status == 200
    assert len(json.loads(body)["verdicts"]) == 600

    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{served.url}/livez")
    assert served.lines[-1]["event"] == "stopped"
    assert [line["status"] for line in served.lines if line.get("gone")] == [499]


@pytest.mark.slow
@pytest.mark.parametrize("served", [("--drain-seconds", "0.1")], indirect=True)
def test_what_cannot_be_ended_in_time_is_told_so(served: Served) -> None:
    served.until_ready()
    with raw_post(served.url, pairs(8000)) as accepted:
        while not served.metric("menpai_queue_items"):
            time.sleep(0.01)
        assert served.stop() == (0, "")
        status, body = answer_on(accepted)
    assert status == 503
    assert any(line["event"] == "warning" and "Cancel" in line["message"] for line in served.lines)
    assert json.loads(body)["error"]["code"] == "service_draining"


@pytest.mark.slow
def test_a_stop_while_loading_is_clean(served: Served) -> None:
    assert served.stop() == (0, "")


@pytest.mark.slow
def test_a_pack_that_cannot_be_opened_ends_the_service(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "menpai", "serve", "--port", "0", "--pack", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode in (2, 3)
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr
