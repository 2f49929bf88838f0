"""Single flight: while a pair is being judged, whoever asks for it again waits for that answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any

from menpai.errors import MenpaiError, NotReadyError, Problem
from menpai.serving.cache.outer import Name
from menpai.serving.cache.written import Written
from menpai.serving.errors import ClientGoneError

MOST = 32  # pairs of a request that others may wait for: nobody's single pair waits for a long list
Answers = dict[Name, Written | Problem]
Run = Callable[[Mapping[Name, Any]], Awaitable[Answers]]


class Patience:
    """How long a request waits for another one's answer: to its deadline, or until its caller is gone."""

    def __init__(self, timeout_ms: int, gone: Callable[[], Awaitable[object]]) -> None:
        self._timeout_ms = timeout_ms
        self._until = monotonic() + timeout_ms / 1000
        self._gone = gone

    async def wait(self, done: asyncio.Future[None]) -> None:
        """Returns when it is done; raises NotReadyError (late) or ClientGoneError."""
        watcher: asyncio.Future[Any] = asyncio.ensure_future(self._gone())
        try:
            await asyncio.wait(
                {done, watcher}, timeout=self._until - monotonic(), return_when="FIRST_COMPLETED"
            )
            if done.done():
                return
            if watcher.done():
                raise ClientGoneError
            raise NotReadyError("deadline_passed", timeout_ms=self._timeout_ms)
        finally:
            watcher.cancel()


class Flight:
    """Pairs that one request has judged, and who waits for them."""

    def __init__(self) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answers: Answers = {}
        self.error: Exception | None = None


class Flights:
    """The pairs that are being judged now. Belongs to one event loop."""

    def __init__(self) -> None:
        self._open: dict[Name, Flight] = {}

    async def settle(self, pairs: Mapping[Name, Any], run: Run, patience: Patience) -> tuple[Answers, int]:
        """The answers on all pairs, and how many of them were another request's.

        Where the other one is given up, for a reason of its own, the pairs are judged after all.
        """
        settled: Answers = {}
        joined = 0
        left = dict(pairs)
        while left:
            others = {name: flight for name in left if (flight := self._open.get(name))}
            mine = {name: pair for name, pair in left.items() if name not in others}
            if mine:
                settled |= await self._lead(mine, run)
            for name, flight in others.items():
                await patience.wait(flight.done)
                if flight.error is not None:
                    raise flight.error.with_traceback(None)
                if (answer := flight.answers.get(name)) is not None:
                    settled[name] = answer
                    joined += 1
            left = {name: pair for name, pair in left.items() if name not in settled}
        return settled, joined

    async def _lead(self, pairs: Mapping[Name, Any], run: Run) -> Answers:
        if len(pairs) > MOST:
            return await run(pairs)
        flight = Flight()
        self._open |= dict.fromkeys(pairs, flight)
        try:
            flight.answers = await run(pairs)
            return flight.answers
        except Exception as error:
            if _would_meet_all(error, alone=len(pairs) == 1):
                flight.error = error
            raise
        finally:
            for name in pairs:
                del self._open[name]
            flight.done.set_result(None)


def _would_meet_all(error: Exception, *, alone: bool) -> bool:
    """Whether those who wait would be told the same: no room, or a pair on which the engine breaks."""
    if isinstance(error, MenpaiError):
        return error.code == "service_full"
    return alone and not isinstance(error, ClientGoneError)
