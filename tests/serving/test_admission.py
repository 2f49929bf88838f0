"""Admission: what a request costs, how long it will wait, and when it is told to come back."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import NotReadyError
from menpai.serving.admission import Backlog, Costs, check, measure_costs
from menpai.serving.line import Deadline

NOW = Deadline(5000)


def busy(costs: Costs, rows: int, seconds: float, windows: int) -> None:
    now = 0.0
    for _ in range(windows):
        costs.note(now, rows, 40 * rows, seconds, busy=True)
        now += seconds


def test_what_costs_nothing_known_lets_everything_in() -> None:
    check(Costs().seconds(10**6, 10**8), 0.0, 2.0, NOW)


@given(wait=st.floats(0, 60), bound=st.floats(0, 30))
def test_the_bound_is_in_seconds(wait: float, bound: float) -> None:
    if wait <= min(bound, 5.0):
        check(wait, 0.0, bound, NOW)
        return
    with pytest.raises(NotReadyError) as caught:
        check(wait, 0.0, bound, NOW)
    retry = caught.value.details["retry_after"]
    excess = max(0.5, wait - min(bound, 5.0))
    assert max(1, excess) <= retry <= 2 * excess + 1


def test_those_who_are_refused_do_not_come_back_all_at_once() -> None:
    seen = set()
    for _ in range(200):
        with pytest.raises(NotReadyError) as caught:
            check(12.0, 0.0, 2.0, Deadline(60_000))
        seen.add(caught.value.details["retry_after"])
    assert len(seen) > 5


@pytest.mark.parametrize(
    ("wait", "own", "deadline", "let_in"),
    [
        (0.4, 0.2, Deadline(500, strict=True), False),
        (0.2, 0.2, Deadline(500, strict=True), True),
        (0.4, 0.2, Deadline(500), True),
        (0.6, 0.0, Deadline(500), False),
        (0.1, 9.0, Deadline(500, strict=True), True),  # its own work is the caller's to cut
        (0.0, 9.0, NOW, True),
    ],
)
def test_the_predicted_end_is_held_against_the_deadline(
    wait: float, own: float, deadline: Deadline, let_in: bool
) -> None:
    if let_in:
        check(wait, own, 2.0, deadline)
    else:
        with pytest.raises(NotReadyError, match="too much work is waiting"):
            check(wait, own, 2.0, deadline)


def test_bulk_waits_for_all_and_short_requests_for_short_ones() -> None:
    backlog = Backlog()
    backlog.add(False, 3, 120)
    backlog.add(True, 1000, 40_000)
    assert backlog.before(False) == (3, 120)
    assert backlog.before(True) == (1003, 40_120)


def test_costs_are_fitted_to_short_and_long_pairs() -> None:
    def work(pairs: list[tuple[str, str]]) -> list[Any]:
        time.sleep(sum(0.001 + 0.0001 * (len(a) + len(b)) for a, b in pairs))
        return list(pairs)

    costs = measure_costs(work)
    assert costs.character == pytest.approx(0.0001, rel=0.4)
    assert costs.seconds(1, 40) == pytest.approx(0.005, rel=0.4)


def test_work_without_a_gap_keeps_them_current() -> None:
    costs = Costs(0.001, 0.0001)
    busy(costs, rows=10, seconds=0.1, windows=40)
    assert costs.seconds(10, 400) == pytest.approx(0.1, rel=0.05)
    assert costs.row / costs.character == pytest.approx(10)


def test_a_stall_does_not_close_the_door() -> None:
    costs = Costs(0.001)
    costs.note(0.0, 8, 0, 0.01, busy=True)
    costs.note(60.0, 8, 0, 0.01, busy=True)
    assert costs.row < 0.002


def test_a_lone_batch_opens_it_again_and_never_closes_it() -> None:
    costs = Costs(1.0)
    for _ in range(40):
        costs.note(0.0, 1, 40, 0.001, busy=False)
    assert costs.row < 0.01
    costs.note(0.0, 1, 40, 9.0, busy=False)
    assert costs.row < 0.01


def test_one_pair_that_took_long_is_no_measurement() -> None:
    costs = Costs(0.001)
    costs.note(0.0, 1, 0, 0.5, busy=True)
    costs.note(0.5, 1, 0, 0.5, busy=True)
    assert costs.row == 0.001
