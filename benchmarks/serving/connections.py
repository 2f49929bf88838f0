"""Two thousand idle connections and 64 busy ones on one process: how late is the event loop, how large the process?

Usage: python -m benchmarks.serving.connections [--idle 2000] [--active 64] [--seconds 20] [--json OUT]
Exit code 1 when the loop's P99 is 20 ms or more, or memory 400 MB or more.

The lateness is the service's own (`menpai_loop_lag_seconds`, ten looks a second); beside it the time of GET /livez on a
connection of its own, a hundred times a second, which holds the client's lateness too: both share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import time
from typing import Any

import numpy as np

from benchmarks.serving.client import Service
from benchmarks.serving.soak import finish, pair, post, read, value
from menpai.cli.doctor_service import quantile
from menpai.load.connection import Connection, Outcome
from menpai.load.pairs import generated
from menpai.serving.descriptors import raise_limit

LAG_SECONDS, MEMORY_BYTES = 0.020, 400e6
LIVE = b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
LOOK_SECONDS = 0.01
ONCE_EACH = 60.0  # seconds after which an idle connection says that it is there, before the service hangs up


class Crowd:
    """The connections, and how long answers took (ms)."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pairs = generated(20261130)
        self.looks: list[float] = []
        self.answers: list[float] = []
        self.open = 0
        self.failed = 0

    async def run(self, idle: int, active: int, seconds: float) -> None:
        """Open them all, then let the busy ones ask for so long."""
        waiting = [asyncio.create_task(self._idle()) for _ in range(idle)]
        while self.open < idle and not all(task.done() for task in waiting):
            await asyncio.sleep(0.1)
        self.started = time.monotonic()
        self._before = await asyncio.to_thread(read, self._port)
        end = self.started + seconds
        await asyncio.gather(self._look(end), *(self._busy(end) for _ in range(active)))
        self.after = await asyncio.to_thread(read, self._port)
        self.counted = {name: count - self._before.get(name, 0.0) for name, count in self.after.items()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    async def _idle(self) -> None:
        connection = await self._connect()
        self.open += 1
        with contextlib.suppress(asyncio.CancelledError):
            while await self._ask(connection, LIVE) == 200:
                await asyncio.sleep(ONCE_EACH)
            self.failed += 1
        connection.close()

    async def _busy(self, end: float) -> None:
        connection = await self._connect()
        while time.monotonic() < end:
            started = time.perf_counter()
            self.failed += await self._ask(connection, post("/v1/match", pair(self._pairs))) != 200
            self.answers.append(1000 * (time.perf_counter() - started))
        connection.close()

    async def _look(self, end: float) -> None:
        connection = await self._connect()
        while time.monotonic() < end:
            started = time.perf_counter()
            self.failed += await self._ask(connection, LIVE) != 200
            self.looks.append(1000 * (time.perf_counter() - started))
            await asyncio.sleep(LOOK_SECONDS)
        connection.close()

    async def _ask(self, connection: Connection, request: bytes) -> Outcome:
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        connection.on_answer = lambda _, outcome: None if answer.done() else answer.set_result(outcome)
        connection.send(request)
        return await answer

    async def _connect(self) -> Connection:
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection, "127.0.0.1", self._port
        )
        return connection


def measure(idle: int, active: int, seconds: float) -> dict[str, Any]:
    """Run, and tell."""
    raise_limit()
    with Service(None, MENPAI_QUEUE_SECONDS="30", MENPAI_TIMEOUT_MS="60000") as service:
        crowd = Crowd(service.port)
        asyncio.run(crowd.run(idle, active, seconds))
    lag = quantile(crowd.counted, "menpai_loop_lag_seconds", 0.99) or 0.0
    memory = value(crowd.after, "menpai_memory_bytes")
    return {
        "idle": idle,
        "active": active,
        "open_at_the_end": value(crowd.after, "menpai_connections"),
        "requests_per_second": round(len(crowd.answers) / seconds, 1),
        "answer_p99_ms": round(float(np.percentile(crowd.answers, 99)), 1),
        "loop_lag_p99_ms": round(1000 * lag, 2),
        "livez_p50_ms": round(float(np.percentile(crowd.looks, 50)), 2),
        "livez_p99_ms": round(float(np.percentile(crowd.looks, 99)), 2),
        "memory_mb": round(memory / 1e6, 1),
        "failed": crowd.failed,
        "wrong": [
            *(["the loop is late"] if lag >= LAG_SECONDS else []),
            *(["too much memory"] if memory >= MEMORY_BYTES else []),
            *(["requests failed"] if crowd.failed else []),
        ],
    }


def main() -> int:
    """Run as the arguments say; 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--active", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--json", metavar="OUT")
    args = parser.parse_args()
    report = measure(args.idle, args.active, args.seconds)
    return finish(report, args.json)


if __name__ == "__main__":
    sys.exit(main())
