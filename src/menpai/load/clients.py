"""The closed loop: so many clients, each sending the next request when the last is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import perf_counter

from menpai.load.connection import Connection, Outcome, connect, nobody, why
from menpai.load.tally import Tally
from menpai.load.target import Target

PAUSE_SECONDS = 0.05  # before a client whose connection failed tries again


class Clients:
    """Closed-loop clients on one target, sharing a stream of requests."""

    def __init__(self, target: Target, requests: Iterator[bytes], timeout: float) -> None:
        self._target = target
        self._requests = requests
        self._timeout = timeout
        self._tally = Tally()
        self._until = 0.0

    async def run(self, count: int, seconds: float, warm_up: float) -> Tally:
        """Let `count` clients work; what happens in the warm-up is not counted."""
        begin = perf_counter() + warm_up
        self._until = begin + seconds
        await asyncio.gather(*(self._client(begin) for _ in range(count)))
        return self._tally

    async def _client(self, begin: float) -> None:
        while perf_counter() < self._until:
            try:
                connection = await connect(self._target)
            except OSError as error:
                if perf_counter() >= begin:
                    self._tally.sent += 1
                    self._tally.count(why(error), 0.0, False)
                await asyncio.sleep(PAUSE_SECONDS)
            else:
                await self._work(connection, begin)

    async def _work(self, connection: Connection, begin: float) -> None:
        """Send and hear, until the time is over or the connection falls; all in callbacks."""
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        tally, requests = self._tally, self._requests
        started = 0.0

        def send() -> None:
            nonlocal started
            request = next(requests)
            started = perf_counter()
            tally.sent += started >= begin
            connection.send(request)

        def hear(_: Connection, outcome: Outcome) -> None:
            now = perf_counter()
            if started >= begin:
                tally.count(outcome, now - started, now <= self._until)
            if now < self._until and connection.alive:
                send()
            elif not over.done():
                over.set_result(None)

        def watch() -> None:  # one timer a connection, not one a request
            if started and perf_counter() - started > self._timeout:
                connection.abandon("timeout")
            if not over.done():
                loop.call_later(min(0.1, self._timeout), watch)

        connection.on_answer = hear
        try:
            send()
            watch()
            await over
        finally:
            connection.on_answer = nobody
            connection.close()
