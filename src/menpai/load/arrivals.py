"""The open loop: requests leave at their own times, whether or not the service keeps up.

A latency counts from the time at which the request was meant to leave, so a service that stalls is charged for all
who would have come meanwhile (coordinated omission).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from random import Random
from time import perf_counter

from menpai.load.connection import Connection, Outcome, connect, nobody, why
from menpai.load.tally import Tally
from menpai.load.target import Target

IDLE_SECONDS = 3.0  # servers hang up on idle connections, Uvicorn after 5 s: be the first
TICK_SECONDS = 0.001  # resolution of the loop's timers: a request that leaves within it left in time
LOOK_SECONDS = 0.05
BREATH = 16


def arrivals(rate: float, kind: str, seed: int) -> Iterator[float]:
    """Seconds after the start at which requests are meant to leave: evenly, or as a Poisson process."""
    random, at = Random(seed), 0.0
    while True:
        yield at
        at += random.expovariate(rate) if kind == "poisson" else 1 / rate


class Arrivals:
    """Open-loop load on one target: a request takes the connection last used, or a new one up to a limit."""

    def __init__(self, target: Target, requests: Iterator[bytes], timeout: float, connections: int) -> None:
        self._target = target
        self._requests = requests
        self._timeout = timeout
        self._limit = connections
        self._tally = Tally()
        self._open = 0
        self._free: list[Connection] = []
        self._due: deque[float] = deque()
        self._pending: dict[Connection, float] = {}
        self._connecting: set[asyncio.Task[None]] = set()
        self._begin = self._until = 0.0

    async def run(self, times: Iterator[float], seconds: float, warm_up: float) -> Tally:
        """Send at these times for so long, then wait for the last answers; the warm-up is not counted."""
        start = perf_counter()
        self._begin, self._until = start + warm_up, start + warm_up + seconds
        try:
            for number, at in enumerate(times):
                if start + at >= self._until:
                    break
                if number % BREATH == 0:  # however far behind: answers are heard too
                    await asyncio.sleep(0)
                await self._sleep_until(start + at)
                self._leave(start + at)
            while self._pending or self._due:
                await asyncio.sleep(LOOK_SECONDS / 5)
                self._give_up()
        finally:
            self._hang_up()
        return self._tally

    def _hang_up(self) -> None:
        for task in self._connecting:
            task.cancel()
        for connection in (*self._free, *self._pending):
            connection.on_answer = nobody
            connection.close()

    async def _sleep_until(self, due: float) -> None:
        self._give_up()
        while (wait := due - perf_counter()) > 0:
            await asyncio.sleep(min(wait, LOOK_SECONDS))
            self._give_up()

    def _leave(self, due: float) -> None:
        self._tally.sent += due >= self._begin
        due = max(due, min(perf_counter(), due + TICK_SECONDS))
        while self._free:
            connection = self._free.pop()
            if connection.alive and perf_counter() - connection.free_since < IDLE_SECONDS:
                self._send(connection, due)
                return
            self._drop(connection)
        self._due.append(due)
        self._grow()

    def _grow(self) -> None:
        """A connection for each who waits for one, as far as the limit allows it."""
        while self._open < self._limit and len(self._connecting) < len(self._due):
            self._open += 1
            self._connecting.add(asyncio.get_running_loop().create_task(self._connect()))

    async def _connect(self) -> None:
        try:
            connection = await connect(self._target)
        except OSError as error:
            self._open -= 1
            if self._due:
                self._count(why(error), self._due.popleft())
            self._connected()
            self._grow()  # a request that came since would else wait until it is too late
        else:
            self._connected()
            connection.on_answer = self._hear
            self._take(connection)

    def _connected(self) -> None:
        """Connect no longer, before anybody counts who does."""
        task = asyncio.current_task()
        assert task is not None
        self._connecting.discard(task)

    def _take(self, connection: Connection) -> None:
        """A connection is free: the longest wait is over, or it rests."""
        if not connection.alive:
            self._drop(connection)
            self._grow()
        elif self._due:
            self._send(connection, self._due.popleft())
        else:
            connection.free_since = perf_counter()
            self._free.append(connection)

    def _send(self, connection: Connection, due: float) -> None:
        self._pending[connection] = due
        connection.send(next(self._requests))

    def _hear(self, connection: Connection, outcome: Outcome) -> None:
        self._count(outcome, self._pending.pop(connection))
        self._take(connection)

    def _count(self, outcome: Outcome, due: float) -> None:
        now = perf_counter()
        if due >= self._begin:
            self._tally.count(outcome, now - due, now <= self._until)

    def _drop(self, connection: Connection) -> None:
        connection.close()
        self._open -= 1

    def _give_up(self) -> None:
        """Whoever has waited longer than the timeout waits no more; the oldest stand first."""
        late = perf_counter() - self._timeout
        while self._due and self._due[0] < late:
            self._count("timeout", self._due.popleft())
        while self._pending:
            connection, due = next(iter(self._pending.items()))
            if due >= late:
                return
            connection.abandon("timeout")
