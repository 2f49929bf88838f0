"""The sample: one walk, any order, each pair once; the doubtful by the edge of their label."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.tables.review.pair import Pair
from menpai.tables.review.sample import distance, draw, in_doubt, stratum_of
from menpai.verdict import LABELS
from tests.tables.review.pairs import pair

PAIRS = [pair(number, number % 100 / 100) for number in range(600)]


def test_the_order_of_the_rows_does_not_matter() -> None:
    shuffled = random.Random(1).sample(PAIRS, len(PAIRS))
    assert draw(shuffled, 20) == draw(PAIRS, 20)


@given(st.lists(st.integers(0, 60), max_size=120), st.integers(1, 12))
def test_what_is_kept_is_the_first_by_key_of_each_stratum(numbers: list[int], most: int) -> None:
    pairs = [PAIRS[number] for number in numbers]
    sample = draw(pairs, most)
    unique = {each.key: each for each in pairs}.values()
    assert sum(drawn.size for drawn in sample.strata.values()) == len(unique)
    for name, drawn in sample.strata.items():
        mine = sorted((each for each in unique if stratum_of(each) == name), key=lambda each: each.key)
        assert drawn.pairs == mine[:most]
    plain = sorted(filter(in_doubt, unique), key=lambda each: (distance(each), each.key))
    assert sample.doubtful == plain[:most]


@pytest.mark.parametrize(
    ("label", "similarity", "far"),
    [
        ("exact_match", 0.7, 0.0), ("exact_match", 0.99, 0.24), ("partial_match", 0.5, 0.25),
        ("partial_match", 0.72, 0.03), ("not_match", 0.3, 0.0), ("not_match", 0.01, 0.24),
    ],
)  # fmt: skip
def test_a_sure_partial_match_is_not_in_doubt(label: str, similarity: float, far: float) -> None:
    one = pair(1, similarity, label=label)
    assert distance(one) == pytest.approx(far)
    assert in_doubt(one) == (far <= 0.2)


def test_marks_of_max_error_say_which_are_in_doubt() -> None:
    sure, unsure = pair(1, 0.5)._replace(review=True), pair(2, 0.74)._replace(review=False)
    assert draw([sure, unsure], 5).doubtful == [sure]


def test_joined_partial_matches_are_noticed() -> None:
    assert draw([pair(1, 0.5, joined=True)], 5).partial
    assert not draw([pair(1, 0.5), pair(2)], 5).partial


def test_a_key_is_of_the_texts_and_ids_alone() -> None:
    one = pair(1)
    assert one.key == one._replace(label=LABELS[2], similarity=0.1, joined=False).key
    assert len({one.key, one._replace(a="x").key, one._replace(id_b="x").key}) == 3
    assert Pair("a\ud800", "b", "", "", "", None, True).key
