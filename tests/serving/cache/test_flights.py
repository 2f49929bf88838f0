"""Single flight by itself: who leads, who follows, and what becomes of those who follow one that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from menpai.errors import MenpaiError, NotReadyError
from menpai.serving.cache.flights import MOST, Answers, Flights, Patience
from menpai.serving.cache.written import Written
from menpai.serving.errors import ClientGoneError

ANSWER = Written(b"{}", "exact_match", 1.0, "exact", "b")


class Judge:
    """Answers when it is let, or raises; counts what it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[list[Any]] = []
        self.open = asyncio.Event()
        self.error = error

    async def __call__(self, pairs: Mapping[Any, Any]) -> Answers:
        self.asked.append(list(pairs))
        await self.open.wait()
        if self.error:
            raise self.error
        return dict.fromkeys(pairs, ANSWER)


async def never() -> None:
    await asyncio.Event().wait()


def patience(timeout_ms: int = 10_000, gone: Any = never) -> Patience:
    return Patience(timeout_ms, gone)


def names(*texts: str) -> dict[Any, Any]:
    return {("b", text, text): text for text in texts}


async def pause() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_followers_get_the_leaders_answer_and_judge_the_rest() -> None:
    async def work() -> None:
        flights, judge = Flights(), Judge()
        first = asyncio.create_task(flights.settle(names("x", "y"), judge, patience()))
        await pause()
        second = asyncio.create_task(flights.settle(names("y", "z"), judge, patience()))
        await pause()
        judge.open.set()
        assert await first == (dict.fromkeys(names("x", "y"), ANSWER), 0)
        assert await second == (dict.fromkeys(names("y", "z"), ANSWER), 1)
        assert judge.asked == [list(names("x", "y")), list(names("z"))]
        assert not flights._open

    asyncio.run(work())


def test_nobody_waits_for_a_long_list() -> None:
    async def work() -> None:
        flights, judge = Flights(), Judge()
        long = names(*map(str, range(MOST + 1)))
        first = asyncio.create_task(flights.settle(long, judge, patience()))
        await pause()
        second = asyncio.create_task(flights.settle(names("0"), judge, patience()))
        await pause()
        assert len(judge.asked) == 2
        judge.open.set()
        await asyncio.gather(first, second)

    asyncio.run(work())


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (ClientGoneError(), 2), (NotReadyError("deadline_passed", timeout_ms=1), 2),
        (NotReadyError("service_full", wait=1.0, retry_after=1), 1), (RuntimeError("poison"), 1),
    ],
)  # fmt: skip
def test_a_failure_of_the_leaders_own_is_not_the_followers(error: Exception, tries: int) -> None:
    async def work() -> None:
        flights, judge = Flights(), Judge(error)
        both = [asyncio.create_task(flights.settle(names("x"), judge, patience())) for _ in range(2)]
        await pause()
        judge.open.set()
        await asyncio.wait(both)
        assert [type(task.exception()) for task in both] == [type(error)] * 2
        assert len(judge.asked) == tries
        assert not flights._open

    asyncio.run(work())


def test_a_leader_that_is_cancelled_leaves_the_pair_to_the_next() -> None:
    async def work() -> None:
        flights, judge = Flights(), Judge()
        first = asyncio.create_task(flights.settle(names("x"), judge, patience()))
        await pause()
        second = asyncio.create_task(flights.settle(names("x"), judge, patience()))
        await pause()
        first.cancel()
        judge.open.set()
        assert await second == (dict.fromkeys(names("x"), ANSWER), 0)

    asyncio.run(work())


def test_a_follower_leaves_at_its_deadline_or_with_its_caller() -> None:
    async def work() -> None:
        flights, judge = Flights(), Judge()
        first = asyncio.create_task(flights.settle(names("x"), judge, patience()))
        await pause()
        with pytest.raises(MenpaiError) as late:
            await flights.settle(names("x"), judge, patience(20))
        assert late.value.code == "deadline_passed"
        with pytest.raises(ClientGoneError):
            await flights.settle(names("x"), judge, patience(gone=pause))
        judge.open.set()
        await first
        assert len(judge.asked) == 1

    asyncio.run(work())
