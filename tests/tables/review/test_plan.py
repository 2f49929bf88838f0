"""The plan: doubtful and random pairs in turns, the same every time, a longer one beginning like a shorter one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.tables.review.plan import make_plan
from menpai.tables.review.sample import draw
from tests.tables.review.pairs import pair

PAIRS = [pair(number, number * 7 % 100 / 100) for number in range(2000)]


@settings(max_examples=15)
@given(st.integers(1, 40), st.integers(0, 40))
def test_a_longer_plan_begins_like_a_shorter_one(short: int, more: int) -> None:
    plan = make_plan(draw(PAIRS, short), short)
    longer = make_plan(draw(PAIRS, short + more), short + more)
    assert longer.turns[: len(plan.turns)] == plan.turns
    assert len({turn.pair.key for turn in plan.turns}) == short


def test_half_are_doubtful_and_half_random_and_of_these_half_were_joined() -> None:
    turns = make_plan(draw(PAIRS, 200), 100).turns
    control = [turn.control for turn in turns if turn.control is not None]
    assert abs(len(control) - len(turns) / 2) <= 1
    assert abs(sum(name.joined for name in control) - len(control) / 2) <= 1
    assert all((one.control is None) != (other.control is None) for one, other in pairwise(turns))


def test_every_stratum_is_asked_first_and_large_doubtful_ones_more() -> None:
    plan = make_plan(draw(PAIRS, 300), 200)
    counts = Counter(turn.control for turn in plan.turns if turn.control is not None)
    assert set(counts) == set(plan.sizes)
    sure, unsure = (counts[name] for name in sorted(name for name in plan.sizes if name.joined)[::-1])
    assert sure < unsure


def test_few_pairs_are_all_asked_once() -> None:
    few = PAIRS[:7]
    turns = make_plan(draw(few, 50), 50).turns
    assert {turn.pair.key for turn in turns} == {one.key for one in few}
    assert Counter(turn.pair.key for turn in turns if turn.control) == Counter(one.key for one in few)


def test_an_empty_grey_zone_leaves_the_random_ones() -> None:
    plan = make_plan(draw([pair(number, 1.0) for number in range(50)], 50), 20)
    assert len(plan.turns) == 20
    assert plan.doubtful == 0
    assert all(turn.control is not None for turn in plan.turns)
