"""What the measurements of the service share: the service as a process, pairs without end, a client that costs little."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import urlopen

ROADS = ("文三路", "建设北大街", "中山东路", "青年路", "科技三路", "解放大道", "人民南路")
ESTATES = ("阳光花园", "东泰花园", "海月小区", "锦绣家园", "翠湖天地")
CACHES_OFF = {"MENPAI_CACHE": "off"}
Pairs = Iterator[tuple[str, str]]


def written(start: int = 0) -> Pairs:
    """Pairs without end, none twice: same place in other words, other number, other building."""
    for i in itertools.count(start):
        road, estate = ROADS[i % 7], ESTATES[i % 5]
        a = f"浙江省杭州市西湖区{road}{i + 1}号{estate}{i % 31 + 1}号楼{i % 4 + 1}单元{i % 20 + 101}室"
        yield a, f"杭州西湖{road}{i + 1 + (i % 3 == 0)}号{estate}{i % 31 + 1 + i % 2}栋"


def take(pairs: Pairs, count: int) -> list[tuple[str, str]]:
    """The next so many."""
    return list(itertools.islice(pairs, count))


class Service:
    """`menpai serve` on a free port of loopback, ready when entered."""

    def __init__(self, pack: str | None = None, *flags: str, **env: str) -> None:
        command = [sys.executable, "-m", "menpai", "serve", "--port", "0", *flags]
        self._command = command + (["--pack", pack] if pack else [])
        self._env = {**os.environ, **CACHES_OFF, **env}

    def __enter__(self) -> Service:
        self.process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True, env=self._env)
        assert self.process.stdout is not None
        line = next(line for line in self.process.stdout if '"listening"' in line)
        self.port = int(json.loads(line)["url"].rsplit(":", 1)[1])
        self._reader = threading.Thread(target=self.process.stdout.read, daemon=True)  # its log, read away
        self._reader.start()
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{self.port}/readyz"):
                    return self
            except OSError:
                time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()
        self._reader.join()
        if self.process.stdout:
            self.process.stdout.close()

    def metrics(self) -> dict[str, float]:
        """The service's metrics by the text before their value."""
        with urlopen(f"http://127.0.0.1:{self.port}/metrics") as page:
            lines = [line for line in page.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


class Client(asyncio.Protocol):
    """One connection; a request at a time. `ask` gives status and seconds."""

    def __init__(self) -> None:
        self._buffer = b""
        self._answer: asyncio.Future[int] | None = None

    @classmethod
    async def open(cls, port: int) -> Client:
        """A client whose connection stands."""
        _, client = await asyncio.get_running_loop().create_connection(cls, "127.0.0.1", port)
        return client

    def connection_made(self, transport: Any) -> None:
        """Keep the transport."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Wait for the whole answer."""
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(body) >= length and self._answer and not self._answer.done():
            self._buffer = b""
            self._answer.set_result(int(head[9:12]))

    def connection_lost(self, exc: Exception | None) -> None:
        """An answer that will never come."""
        if self._answer and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    async def ask(self, request: bytes) -> int:
        """The answer's status."""
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return await self._answer


def request_of(pairs: list[tuple[str, str]], *fields: bytes) -> bytes:
    """One POST of a pair, or of a list."""
    rows = [{"a": a, "b": b} for a, b in pairs]
    body = json.dumps(rows[0] if len(rows) == 1 else {"pairs": rows}, ensure_ascii=False).encode()
    head = [b"POST /v1/match HTTP/1.1", b"host: localhost", b"content-length: %d" % len(body), *fields]
    return b"\r\n".join(head) + b"\r\n\r\n" + body


async def load(port: int, clients: int, seconds: float, pairs: Pairs, rows: int = 1) -> dict[str, Any]:
    """Rate and latency of so many clients in a closed loop for so long."""
    refused = 0
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def loop() -> None:
        nonlocal refused
        client = await Client.open(port)
        while (started := time.perf_counter()) < until:
            request = request_of(take(pairs, rows))
            started = time.perf_counter()
            status = await client.ask(request)
            if status == 200:
                times.append(time.perf_counter() - started)
            else:
                refused += 1
        client.transport.close()

    begun = time.perf_counter()
    await asyncio.gather(*(loop() for _ in range(clients)))
    spent = time.perf_counter() - begun
    times.sort()
    return {
        "clients": clients,
        "requests_per_second": len(times) / spent,
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[int(len(times) * 0.99)],
        "refused": refused,
    }
