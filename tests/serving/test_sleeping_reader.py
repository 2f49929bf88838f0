"""A process that is stopped in the wrong moment still answers everybody."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from menpai.errors import NotReadyError
from menpai.matcher import Matcher
from menpai.serving import batching
from menpai.serving.batching import Batcher
from menpai.serving.line import Deadline
from menpai.serving.metrics import Metrics
from tests.serving.test_two_stages import Engine, doubtful, start


def test_a_deadline_that_passes_while_the_reader_sleeps_is_told(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is stopped between the end of reading and the look at the clock; the timer rings meanwhile."""
    (pair,) = doubtful(matcher, 1)
    asleep: list[int] = []

    def clock() -> float:
        now = time.monotonic()
        if asleep and asleep[0] == threading.get_ident():
            asleep.clear()
            time.sleep(0.5)
        return now

    class Sleepy(Engine):
        def begin(self, pairs: list[Any]) -> list[Any]:
            answers = list(self.matcher.begin(pairs))
            asleep.append(threading.get_ident())
            return answers

    engine = Sleepy(matcher)

    async def go() -> None:
        batcher: Batcher[Any] = Batcher(
            engine.begin, lambda pair: len(pair[0]), queue_seconds=60, metrics=Metrics(), finish=engine.finish
        )
        try:
            monkeypatch.setattr(batching, "monotonic", clock)
            with pytest.raises(NotReadyError) as caught:
                await asyncio.wait_for(start(batcher, pair, deadline=Deadline(200)), 10)
            assert caught.value.code == "deadline_passed"
            assert engine.began == []
        finally:
            batcher.close()

    asyncio.run(go())
