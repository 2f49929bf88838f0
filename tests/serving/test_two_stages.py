"""Reading and encoding queue apart: who needs no encoder is not held up, what was given up is never run, a GPU has a
batch at hand, and a broken row costs nobody else anything."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from menpai.errors import NotReadyError, Problem
from menpai.matcher import Doubt, Matcher
from menpai.serving.batching import Batcher
from menpai.serving.errors import ClientGoneError
from menpai.serving.line import Deadline
from menpai.serving.metrics import Metrics
from tests.bert import narrow_pack
from tests.serving.rig import A, until
from tests.serving.test_batching import FAR, never, value

CLEAR = (A, A)
ROADS = ("文三路", "青年路", "人民路")


def doubtful(matcher: Matcher, count: int) -> list[tuple[str, str]]:
    """Pairs that the fast scorer is not sure of."""
    found = []
    for n in range(400):
        pair = (f"{ROADS[n % 3]}{n}号阳光花园", f"阳光花园{ROADS[n % 3]}{n + n % 2}号{n % 7}栋")
        if isinstance(matcher.begin([pair])[0], Doubt):
            found.append(pair)
        if len(found) == count:
            return found
    raise AssertionError("the pack is sure of everything")


class Engine:
    """The second half of a matcher, whose runs take their time without Python's lock and can be held or broken."""

    def __init__(self, matcher: Matcher, seconds: float = 0.0) -> None:
        self.matcher, self.seconds = matcher, seconds
        self.open = threading.Event()
        self.open.set()
        self.began: list[list[str]] = []
        self.at_once = self.most_at_once = 0
        self.poison: set[str] = set()

    def finish(self, doubts: list[Doubt]) -> list[Any]:
        texts = [doubt.comparison.a.normalized.raw for doubt in doubts]
        self.began.append(texts)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(self.seconds)
        assert self.open.wait(30)
        self.at_once -= 1
        if self.poison & set(texts):
            raise RuntimeError("the engine broke")
        return list(self.matcher.finish(doubts))


def with_stages(
    engine: Engine, work: Callable[[Batcher[Any]], Awaitable[None]], *, runs: int = 1, device: str = "cpu"
) -> Metrics:
    metrics = Metrics()

    async def go() -> None:
        batcher: Batcher[Any] = Batcher(
            engine.matcher.begin, lambda pair: len(pair[0]) + len(pair[1]), queue_seconds=60, metrics=metrics,
            finish=engine.finish, runs=runs, device=device,
        )  # fmt: skip
        try:
            await work(batcher)
        finally:
            engine.open.set()
            batcher.close()

    asyncio.run(go())
    return metrics


@contextmanager
def held(engine: Engine) -> Iterator[None]:
    engine.open.clear()
    yield
    engine.open.set()


def start(batcher: Batcher[Any], *pairs: Any, deadline: Deadline = FAR) -> asyncio.Task[Any]:
    return asyncio.create_task(batcher.run(pairs, deadline, never))


def test_answers_are_those_of_match_many(matcher: Matcher) -> None:
    pairs = [*doubtful(matcher, 6), CLEAR, ("", A), *doubtful(matcher, 3)] * 8

    async def work(batcher: Batcher[Any]) -> None:
        jobs = await asyncio.gather(start(batcher, *pairs), *(start(batcher, pair) for pair in pairs))
        wanted = matcher.match_many(pairs)
        assert jobs[0].results == wanted
        assert [job.results[0] for job in jobs[1:]] == wanted
        assert batcher.idle

    with_stages(Engine(matcher), work, runs=2)


def test_who_needs_no_encoder_does_not_wait_for_it(matcher: Matcher) -> None:
    engine = Engine(matcher)

    async def work(batcher: Batcher[Any]) -> None:
        with held(engine):
            slow = [start(batcher, pair) for pair in doubtful(matcher, 5)]
            await until(lambda: engine.began)
            assert (await start(batcher, CLEAR)).results[0].decided_by == "exact"
            assert not any(task.done() for task in slow)
        await asyncio.gather(*slow)

    with_stages(engine, work)


def test_what_a_lone_pair_costs_is_reading_and_running_together(matcher: Matcher) -> None:
    """What the engine alone takes taught the door that pairs are cheap, and it let in twice what could be done."""
    engine = Engine(matcher)
    begin = matcher.begin

    def slowly(pairs: list[Any]) -> Any:
        time.sleep(0.02)
        return begin(pairs)

    async def work(batcher: Batcher[Any]) -> None:
        batcher._work = slowly
        batcher.costs.row = 0.02
        for pair in doubtful(matcher, 8):
            await start(batcher, pair)
        assert batcher.costs.row == 0.02
        batcher.costs.row = 10.0
        await start(batcher, CLEAR)
        assert 5.0 < batcher.costs.row < 10.0  # it is no slower than that

    with_stages(engine, work)


def test_what_was_given_up_at_the_desk_is_never_run(matcher: Matcher) -> None:
    engine = Engine(matcher)
    first, late, cancelled, left, last = doubtful(matcher, 5)

    async def work(batcher: Batcher[Any]) -> None:
        with held(engine):
            tasks = [start(batcher, first)]
            await until(lambda: engine.began)
            late_task = start(batcher, late, deadline=Deadline(100))
            cancelled_task = start(batcher, cancelled)
            gone = asyncio.Event()
            left_task = asyncio.create_task(batcher.run([left], FAR, gone.wait))
            tasks.append(start(batcher, last))
            await until(lambda: batcher.waiting == 4 and not batcher._reading)
            cancelled_task.cancel()
            gone.set()
            with pytest.raises(ClientGoneError):
                await left_task
            with pytest.raises(Exception, match="nothing was run"):
                await late_task
        await asyncio.gather(*tasks)
        assert {text for texts in engine.began for text in texts} == {first[0], last[0]}
        assert batcher.idle
        assert batcher.predicted_wait(bulk=True) == 0

    metrics = with_stages(engine, work)
    assert value(metrics, "menpai_shed_items_total", reason="gone") == 1
    assert value(metrics, "menpai_shed_items_total", reason="deadline") == 1


def test_a_thousand_callers_leave_and_the_engine_hears_of_none(matcher: Matcher) -> None:
    engine = Engine(matcher)
    pair = doubtful(matcher, 1)[0]

    async def work(batcher: Batcher[Any]) -> None:
        tells: list[Callable[[], None]] = []
        with held(engine):
            first = start(batcher, pair)
            await until(lambda: engine.began)
            tasks = [
                asyncio.create_task(
                    batcher.run([pair], FAR, never, lambda tell: bool(tell and tells.append(tell)))
                )
                for _ in range(1000)
            ]
            await until(lambda: len(tells) == 1000)
            for tell in tells:
                tell()
            results = await asyncio.gather(*tasks, return_exceptions=True)
        await first
        assert all(isinstance(result, ClientGoneError) for result in results)
        await until(lambda: batcher.idle)
        assert sum(map(len, engine.began)) == 1

    metrics = with_stages(engine, work)
    assert value(metrics, "menpai_shed_items_total", reason="gone") == 1000


def test_who_has_left_before_is_not_let_in(matcher: Matcher) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        with pytest.raises(ClientGoneError):
            await batcher.run([CLEAR], FAR, never, lambda tell: True)
        assert batcher.idle
        assert batcher.predicted_wait(bulk=True) == 0

    metrics = with_stages(Engine(matcher), work)
    assert value(metrics, "menpai_shed_items_total", reason="gone") == 1


def test_who_was_refused_may_leave(matcher: Matcher) -> None:
    """A connection on which a request was refused is closed: nothing is taken out of the line for it."""
    engine = Engine(matcher)
    first, second = doubtful(matcher, 2)
    tells: list[Callable[[], None] | None] = [None]

    def when_lost(tell: Callable[[], None] | None) -> bool:
        tells.append(tell)
        return False

    async def work(batcher: Batcher[Any]) -> None:
        batcher.costs.row = 1000.0
        with held(engine):
            task = start(batcher, first)
            await until(lambda: engine.began)
            with pytest.raises(NotReadyError):
                await batcher.run([second], FAR, never, when_lost)
            assert tells[-1] is None
        await task
        assert batcher.waiting == 0

    with_stages(engine, work)


def test_a_poison_row_of_a_list_is_a_problem_in_its_place(matcher: Matcher) -> None:
    engine = Engine(matcher)
    pairs = doubtful(matcher, 20)
    engine.poison = {pairs[7][0]}

    async def work(batcher: Batcher[Any]) -> None:
        results = (await start(batcher, *pairs, CLEAR)).results
        assert results[7] == Problem("row_failed", {})
        wanted = matcher.match_many([*pairs, CLEAR])
        assert [*results[:7], *results[8:]] == [*wanted[:7], *wanted[8:]]
        with pytest.raises(RuntimeError, match="broke"):
            await start(batcher, pairs[7])

    with_stages(engine, work)


def test_a_gpu_has_a_full_batch_at_hand_and_never_runs_two(matcher: Matcher) -> None:
    """Its runs do not overlap, and between two of them passes no time in which a batch is made ready."""
    engine = Engine(matcher, seconds=0.005)
    pairs = doubtful(matcher, 8) * 8

    async def work(batcher: Batcher[Any]) -> None:
        for _ in range(20):
            batcher._desk.learn(1, 0.01)  # a run is then a few rows
        with held(engine):
            tasks = [start(batcher, *pairs)]
            await until(lambda: engine.began and batcher._running == 2)
        await asyncio.gather(*tasks)

    with_stages(engine, work, device="cuda")
    assert engine.most_at_once == 1
    assert sum(map(len, engine.began)) == len(pairs)


def test_a_cpu_runs_one_batch_on_each_core(matcher: Matcher) -> None:
    engine = Engine(matcher, seconds=0.02)
    pairs = doubtful(matcher, 8)

    async def work(batcher: Batcher[Any]) -> None:
        batcher._desk.learn(1, 0.01)
        await asyncio.gather(*(start(batcher, pair) for pair in pairs * 2))

    with_stages(engine, work, runs=2)
    assert engine.most_at_once == 2


def test_an_imported_pack_is_asked_in_halves_too() -> None:
    imported = Matcher.open(narrow_pack("int8").path, threads=2)
    pairs = [(f"{ROADS[n % 3]}{n}号", f"{ROADS[n % 2]}{n}号{n % 5}栋") for n in range(40)] + [CLEAR, ("", A)]
    found = imported.begin(pairs)
    doubts = [each for each in found if isinstance(each, Doubt)]
    rest = iter(imported.finish(doubts))
    answers = [next(rest) if isinstance(each, Doubt) else each for each in found]
    assert len(doubts) == 40
    assert answers == imported.match_many(pairs)
