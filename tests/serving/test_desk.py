"""The desk: the oldest row picks its company by length, within a budget that is learned in seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from menpai.serving.desk import FEWEST_ROWS, FIRST_TOKENS, RUN_SECONDS, Desk, Seat
from menpai.serving.line import SLICE_ITEMS, Deadline, Job
from tests.serving.test_queue_rules import Doubtful


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with asyncio.Runner() as runner:
        yield runner.get_loop()


def seats(loop: asyncio.AbstractEventLoop, *tokens: int, bulk: bool = False, turn: float = 0.0) -> list[Seat]:
    job = Job([""] * (2 * SLICE_ITEMS if bulk else 1), loop.create_future(), Deadline(60_000), 0.0)
    return [Seat(job, at, Doubtful(count), turn + at / 1000, 0.0) for at, count in enumerate(tokens)]


def desk(found: list[Seat], token_seconds: float = 0.0, device: str = "cpu") -> Desk:
    made = Desk(device)
    if token_seconds:
        made.learn(1000, 1000 * token_seconds)
    for seat in found:
        made.add(seat)
    return made


HEAVY, LIGHT = 4e-4, 1e-6


def cut(made: Desk, free: int = 1) -> tuple[list[int], str]:
    sitting = made.cut(1.0, free)
    return [seat.doubt.tokens for seat in sitting.seats], sitting.reason


def test_where_tokens_cost_a_row_takes_only_those_of_its_length(loop: asyncio.AbstractEventLoop) -> None:
    made = desk(seats(loop, 40, 90, 42, 38, 20, 44), HEAVY)
    assert cut(made) == ([40, 42, 38, 44], "length")
    assert cut(made) == ([90], "length")
    assert cut(made) == ([20], "empty")
    assert cut(made) == ([], "empty")


def test_padding_is_told(loop: asyncio.AbstractEventLoop) -> None:
    assert desk(seats(loop, 40, 44), HEAVY).cut(1.0).padding == 4
    assert desk(seats(loop, 40, 44), LIGHT).cut(1.0).padding == 0


def test_where_the_call_costs_more_all_go_together(loop: asyncio.AbstractEventLoop) -> None:
    assert cut(desk(seats(loop, 40, 90, 20, 60), LIGHT)) == ([40, 90, 20, 60], "empty")


def test_a_run_ends_within_its_time(loop: asyncio.AbstractEventLoop) -> None:
    made = desk(seats(loop, *[40] * 20), HEAVY)
    assert made.budget == round(RUN_SECONDS / HEAVY)
    assert made.full
    found, reason = cut(made)
    assert (len(found), reason) == (made.budget // 40, "tokens")


def test_a_slow_engine_still_reads_its_weights_for_a_few_rows(loop: asyncio.AbstractEventLoop) -> None:
    assert cut(desk(seats(loop, *[40] * 20), 1.0)) == ([40] * FEWEST_ROWS, "tokens")


def test_free_runs_share_what_waits(loop: asyncio.AbstractEventLoop) -> None:
    made = desk(seats(loop, 40, 40, 40, 40), HEAVY)
    assert cut(made, free=2) == ([40, 40], "shared")
    assert cut(made, free=1) == ([40, 40], "empty")


def test_the_budget_follows_the_runs() -> None:
    made = desk([])
    assert made.budget == FIRST_TOKENS
    for _ in range(60):
        made.learn(1000, 1000 * LIGHT)
    assert made.budget == 4096
    assert desk([], LIGHT, device="cuda").budget == 16_384


def test_bulk_waits_for_its_turn(loop: asyncio.AbstractEventLoop) -> None:
    made = desk(
        [*seats(loop, 40, bulk=True, turn=0.5), *seats(loop, 41, turn=0.2), *seats(loop, 42, turn=0.9)], HEAVY
    )
    assert cut(made) == ([41, 40, 42], "empty")
