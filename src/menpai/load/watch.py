"""Watching the tester itself: how busy its core was and how late it came, so that its own limit shows."""

from __future__ import annotations

import asyncio
import time
from array import array

from menpai.load.tally import Latency

EVERY_SECONDS = 0.02
MOST_BUSY = 0.85
MOST_LATE_MS = 10.0


class Watch:
    """From `start` to `stop`: CPU share of this thread, and how late the loop woke from its sleeps."""

    def __init__(self) -> None:
        self._late = array("d")
        self._task: asyncio.Task[None] | None = None
        self._started = self._cpu = 0.0

    def start(self) -> None:
        """Begin to watch, on the running loop."""
        self._started, self._cpu = time.perf_counter(), time.thread_time()
        self._task = asyncio.get_running_loop().create_task(self._sleep())

    def stop(self) -> dict[str, float]:
        """cpu_share of one core, and late_ms_p99."""
        assert self._task is not None
        self._task.cancel()
        share = (time.thread_time() - self._cpu) / max(time.perf_counter() - self._started, 1e-9)
        late = Latency.of(self._late)
        return {"cpu_share": round(share, 3), "late_ms_p99": late.p99 if late else 0.0}

    async def _sleep(self) -> None:
        while True:
            due = time.perf_counter() + EVERY_SECONDS
            await asyncio.sleep(EVERY_SECONDS)
            self._late.append(max(0.0, time.perf_counter() - due))


def warnings_of(tester: dict[str, float]) -> tuple[str, ...]:
    """What of the tester makes a step's figures doubtful: tester_busy, tester_late."""
    found = []
    if tester["cpu_share"] > MOST_BUSY:
        found.append("tester_busy")
    if tester["late_ms_p99"] > MOST_LATE_MS:
        found.append("tester_late")
    return tuple(found)
