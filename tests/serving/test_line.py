"""The line: every item is cut once and in order, budgets hold, short requests pass bulk by and bulk ages."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.serving.line import (
    AGEING_SECONDS,
    BATCH_CHARACTERS,
    BATCH_ITEMS,
    SLICE_ITEMS,
    Batch,
    Deadline,
    Job,
    Line,
)

FAR = Deadline(60_000)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with asyncio.Runner() as runner:
        yield runner.get_loop()


def job(
    loop: asyncio.AbstractEventLoop, items: list[str], deadline: Deadline = FAR, arrived: float = 0.0
) -> Job[str]:
    return Job(items, loop.create_future(), deadline, arrived)


def drain(line: Line[str], now: float = 1.0) -> list[Batch]:
    batches = []
    while (batch := line.cut(now)).slices:
        batches.append(batch)
    return batches


@given(
    lengths=st.lists(st.lists(st.integers(1, 3000), min_size=1, max_size=150), max_size=12),
    dropped=st.sets(st.integers(0, 11)),
)
def test_every_item_is_cut_once_in_order_and_within_the_budget(
    loop: asyncio.AbstractEventLoop, lengths: list[list[int]], dropped: set[int]
) -> None:
    jobs = [job(loop, ["路" * length for length in sizes]) for sizes in lengths]
    line: Line[str] = Line(len)
    for each in jobs:
        line.add(each)
    for at in dropped & set(range(len(jobs))):
        line.drop(jobs[at], "gone")
    assert line.waiting == sum(len(each.items) for each in jobs if not each.dropped)
    cut: dict[int, list[str]] = defaultdict(list)
    for batch in drain(line):
        assert 0 < batch.size <= BATCH_ITEMS
        characters = [len(item) for piece in batch.slices for item in piece.items]
        assert sum(characters[:-1]) < BATCH_CHARACTERS
        assert all(piece.stop - piece.start <= SLICE_ITEMS for piece in batch.slices)
        for piece in batch.slices:
            cut[id(piece.job)].extend(piece.items)
    assert line.waiting == 0
    kept = [each for at, each in enumerate(jobs) if at not in dropped]
    assert cut == {id(each): each.items for each in kept}


def test_a_short_request_passes_bulk_by(loop: asyncio.AbstractEventLoop) -> None:
    line: Line[str] = Line(len)
    long, short = job(loop, ["路"] * 1000), [job(loop, ["号"]) for _ in range(3)]
    for each in (long, *short):
        line.add(each)
    batch = line.cut(0.1)
    assert [piece.job for piece in batch.slices] == [*short, long, long]
    assert batch.reason == "items"
    assert [piece.stop - piece.start for piece in batch.slices] == [1, 1, 1, 32, 29]


def test_bulk_that_has_waited_goes_before_what_came_later(loop: asyncio.AbstractEventLoop) -> None:
    line: Line[str] = Line(len)
    long = job(loop, ["路"] * 1000)
    line.add(long)
    first = job(loop, ["号"], arrived=AGEING_SECONDS / 2)
    later = job(loop, ["号"], arrived=AGEING_SECONDS * 1.5)
    for each in (first, later):
        line.add(each)
    assert [piece.job for piece in line.cut(AGEING_SECONDS * 1.5).slices] == [first, long, later, long]


def test_without_bulk_only_short_requests_are_cut(loop: asyncio.AbstractEventLoop) -> None:
    line: Line[str] = Line(len)
    line.add(job(loop, ["路"] * 1000))
    assert not line.can_cut(bulk=False)
    assert not line.cut(9.0, bulk=False).slices
    line.add(short := job(loop, ["号"]))
    assert line.can_cut(bulk=False)
    assert [piece.job for piece in line.cut(9.0, bulk=False).slices] == [short]
    assert line.waiting == 1000


def test_a_lone_pair_is_cut_at_once(loop: asyncio.AbstractEventLoop) -> None:
    line: Line[str] = Line(len)
    line.add(job(loop, ["号"]))
    batch = line.cut(1.0)
    assert (batch.size, batch.reason) == (1, "empty")


@pytest.mark.parametrize(
    ("strict", "begun", "cut"), [(False, False, 0), (True, True, 64), (False, True, 100)]
)
def test_a_late_request_is_not_begun_and_given_up_half_way_only_on_its_callers_word(
    loop: asyncio.AbstractEventLoop, strict: bool, begun: bool, cut: int
) -> None:
    line: Line[str] = Line(len)
    late = job(loop, ["路"] * 100, Deadline(500, strict))
    line.add(late)
    if begun:
        line.cut(0.4)
    drain(line, now=0.6)
    assert late.cut == cut
