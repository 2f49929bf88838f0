"""The batcher with the real matcher: right answers to the right callers, in any company and trouble."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from menpai.errors import NotReadyError
from menpai.matcher import Matcher
from menpai.serving.batching import Batcher
from menpai.serving.errors import ClientGoneError
from menpai.serving.line import BATCH_ITEMS, Deadline, Job
from menpai.serving.metrics import Metrics
from tests.serving.rig import A, Held, until

Pairs = list[tuple[str, str]]
FAR = Deadline(60_000)
NUMBERS = [f"文三路{n}号" for n in range(1, 60)]


async def never() -> None:
    await asyncio.Event().wait()


def with_batcher(
    held: Held,
    work: Callable[[Batcher[Any]], Awaitable[None]],
    *,
    workers: int = 2,
    queue_seconds: float = 60.0,
) -> Metrics:
    metrics = Metrics()

    async def go() -> None:
        batcher: Batcher[Any] = Batcher(
            held.match_many,
            lambda pair: len(pair[0]),
            queue_seconds=queue_seconds,
            metrics=metrics,
            workers=workers,
        )
        try:
            await work(batcher)
        finally:
            held.open.set()
            batcher.close()

    asyncio.run(go())
    return metrics


def pairs_of(seed: int, count: int) -> Pairs:
    chosen = random.Random(seed)
    return [(chosen.choice(NUMBERS), chosen.choice(NUMBERS)) for _ in range(count)]


async def busy(batcher: Batcher[Any], held: Held) -> asyncio.Task[Job[Any]]:
    """A worker that holds one pair in its hands until `held.open` is set."""
    held.hold()
    task = asyncio.create_task(batcher.run([(A, A)], FAR, never))
    await until(held.begun.is_set)
    return task


def value(metrics: Metrics, name: str, **labels: str) -> float:
    return metrics.registry.get_sample_value(name, labels) or 0.0


@pytest.mark.parametrize("seed", range(3))
def test_requests_of_all_sizes_at_once_get_the_plain_answers(matcher: Matcher, held: Held, seed: int) -> None:
    requests = [pairs_of(seed * 100 + n, size) for n, size in enumerate([1, 3, 200, 1, 40, 0, 65, 1])]

    async def work(batcher: Batcher[Any]) -> None:
        jobs = await asyncio.gather(*(batcher.run(pairs, FAR, never) for pairs in requests))
        for job, pairs in zip(jobs, requests, strict=True):
            assert job.results == matcher.match_many(pairs)
        assert batcher.waiting == 0

    metrics = with_batcher(held, work)
    assert value(metrics, "menpai_batch_items_sum") == sum(map(len, requests))


def test_what_waits_is_cut_together_when_a_worker_is_free(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        first = await busy(batcher, held)
        rest = [asyncio.create_task(batcher.run(pairs_of(n, 1), FAR, never)) for n in range(20)]
        await until(lambda: batcher.waiting == 20)
        held.open.set()
        await asyncio.gather(first, *rest)
        assert [len(batch) for batch in held.batches] == [1, 20]

    with_batcher(held, work, workers=1)


def test_a_single_pair_does_not_wait_behind_a_long_list(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        first = await busy(batcher, held)
        long = asyncio.create_task(batcher.run(pairs_of(1, 10 * BATCH_ITEMS), FAR, never))
        await until(lambda: batcher.waiting == 10 * BATCH_ITEMS)
        short = asyncio.create_task(batcher.run([(A, NUMBERS[0])], FAR, never))
        await until(lambda: batcher.waiting == 10 * BATCH_ITEMS + 1)
        held.open.set()
        await asyncio.gather(first, short, long)
        assert (A, NUMBERS[0]) in held.batches[1]

    with_batcher(held, work, workers=1)


def test_the_deadline_passes_while_queued_and_the_pair_is_never_run(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        first = await busy(batcher, held)
        with pytest.raises(NotReadyError) as caught:
            await batcher.run([(A, "从不")], Deadline(30), never)
        assert caught.value.code == "deadline_passed"
        assert batcher.waiting == 0
        held.open.set()
        await first
        assert not any((A, "从不") in batch for batch in held.batches)

    metrics = with_batcher(held, work, workers=1)
    assert value(metrics, "menpai_shed_items_total", reason="deadline") == 1


@pytest.mark.parametrize("strict", [False, True])
def test_a_list_that_was_begun_is_given_up_only_on_its_callers_word(held: Held, strict: bool) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        held.hold()
        pairs = pairs_of(2, 3 * BATCH_ITEMS)
        task = asyncio.create_task(batcher.run(pairs, Deadline(1000, strict), never))
        await until(held.begun.is_set)
        await asyncio.sleep(1.1)
        held.open.set()
        if strict:
            with pytest.raises(NotReadyError, match=f"of {len(pairs)} rows were begun") as caught:
                await task
            assert caught.value.code == "deadline_halfway"
            assert 0 < caught.value.details["begun"] < len(pairs)
        else:
            assert len((await task).results) == len(pairs)

    with_batcher(held, work, workers=1)


def test_a_pair_in_a_workers_hands_is_answered_even_if_late(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        held.hold()
        task = asyncio.create_task(batcher.run([(A, A)], Deadline(1000, strict=True), never))
        await until(held.begun.is_set)
        await asyncio.sleep(1.1)
        held.open.set()
        assert (await task).results[0].label == "exact_match"

    with_batcher(held, work, workers=1)


def test_what_waits_for_a_caller_who_left_is_dropped(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        left = asyncio.Event()
        first = await busy(batcher, held)
        task = asyncio.create_task(batcher.run([(A, "走了")] * 100, FAR, left.wait))
        await until(lambda: batcher.waiting == 100)
        left.set()
        with pytest.raises(ClientGoneError):
            await task
        assert batcher.waiting == 0
        held.open.set()
        await first
        assert not any((A, "走了") in batch for batch in held.batches)

    metrics = with_batcher(held, work, workers=1)
    assert value(metrics, "menpai_shed_items_total", reason="gone") == 100


def test_a_cancelled_request_leaves_the_line(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        first = await busy(batcher, held)
        task = asyncio.create_task(batcher.run(pairs_of(3, 10), FAR, never))
        await until(lambda: batcher.waiting == 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert batcher.waiting == 0
        held.open.set()
        await first

    with_batcher(held, work, workers=1)


def test_more_than_may_wait_is_refused_with_a_time_to_come_back(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        batcher.costs.row = 0.1
        first = await busy(batcher, held)
        taken = [asyncio.create_task(batcher.run(pairs_of(n, 1), FAR, never)) for n in range(20)]
        await until(lambda: batcher.waiting == 20)
        with pytest.raises(NotReadyError) as caught:
            await batcher.run([(A, A)], FAR, never)
        assert caught.value.code == "service_full"
        assert caught.value.details["retry_after"] == 1
        assert caught.value.details["wait"] == pytest.approx(2.1)
        held.open.set()
        await asyncio.gather(first, *taken)
        assert (await batcher.run([(A, A)], FAR, never)).results[0].label == "exact_match"

    metrics = with_batcher(held, work, workers=1, queue_seconds=2.0)
    assert value(metrics, "menpai_shed_items_total", reason="full") == 1


def test_a_long_list_in_the_line_does_not_shut_out_single_pairs(held: Held) -> None:
    async def work(batcher: Batcher[Any]) -> None:
        batcher.costs.row = 0.01
        first = await busy(batcher, held)
        long = asyncio.create_task(batcher.run(pairs_of(4, 1000), FAR, never))
        await until(lambda: batcher.waiting == 1000)
        assert batcher.predicted_wait() == pytest.approx(0.01)
        assert batcher.predicted_wait(bulk=True) == pytest.approx(10.01)
        with pytest.raises(NotReadyError):
            await batcher.run(pairs_of(5, 1000), FAR, never)
        single = asyncio.create_task(batcher.run([(A, A)], FAR, never))
        held.open.set()
        await asyncio.gather(first, long, single)
        assert batcher.predicted_wait(bulk=True) == pytest.approx(0, abs=1e-9)

    with_batcher(held, work, workers=1, queue_seconds=2.0)


def test_a_failure_stands_alone(matcher: Matcher, held: Held) -> None:
    """A pair that breaks the engine costs its own request only, also when it was cut together with others."""

    async def work(batcher: Batcher[Any]) -> None:
        first = await busy(batcher, held)
        good = [pairs_of(n, 2) for n in range(5)]
        tasks = [asyncio.create_task(batcher.run(pairs, FAR, never)) for pairs in good]
        bad = asyncio.create_task(batcher.run([(A, held.poison)], FAR, never))
        await until(lambda: batcher.waiting == 11)
        held.open.set()
        with pytest.raises(RuntimeError, match="engine"):
            await bad
        for task, pairs in zip(tasks, good, strict=True):
            assert (await task).results == matcher.match_many(pairs)
        await first

    with_batcher(held, work, workers=1)
