"""Candidates: the join finds what a scan over all pairs finds, whatever blocks the rows come in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.search.keys.postings import weights
from menpai.tables.linkage import candidates
from menpai.tables.linkage.candidates import best, find_pairs, near_best, ranks
from menpai.tables.linkage.terms import keys_of

PLACES = st.sampled_from(["文三路", "建国路", "望江花园", "海月花园", "利丰", "新"])
NUMBERS = st.sampled_from(["1号", "12号", "3幢", "502室", "8-2", ""])
TEXTS = st.lists(st.tuples(PLACES, PLACES, NUMBERS, NUMBERS).map("".join), min_size=1, max_size=12).map(
    lambda texts: sorted(set(texts))
)


def terms_of(text: str) -> list[int]:
    return keys_of([text])[0].tolist()


def scan(left: list[str], right: list[str]) -> dict[tuple[int, int], float]:
    """The score of every pair that shares a key, counted one by one."""
    terms = [set(terms_of(text)) for text in right]
    counts: dict[int, int] = {}
    for each in terms:
        for term in each:
            counts[term] = counts.get(term, 0) + 1

    def weight(found: set[int]) -> float:
        return sum(float(weights(np.array([counts.get(term, 1)]), len(right))[0]) for term in found)

    scores = {}
    for i, text in enumerate(left):
        asked = set(terms_of(text))
        for j, own in enumerate(terms):
            if shared := asked & own:
                scores[i, j] = weight(shared) / weight(asked) + weight(shared) / weight(own)
    return scores


@given(TEXTS, TEXTS)
@settings(max_examples=40)
def test_the_join_scores_as_a_scan_does(left: list[str], right: list[str]) -> None:
    pairs = find_pairs(left, right, 50)
    found = dict(zip(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True), pairs.score, strict=True))
    wanted = scan(left, right)
    assert found.keys() == wanted.keys()
    assert all(abs(found[pair] - score) < 1e-4 for pair, score in wanted.items())


def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    left = sorted(f"{road}{number}号" for road in ("文三路", "建国路", "望江东路") for number in range(1, 40))
    whole = find_pairs(left, left, 5, own=True)
    monkeypatch.setattr(candidates, "_BLOCK", 7)
    assert all(np.array_equal(a, b) for a, b in zip(whole, find_pairs(left, left, 5, own=True), strict=True))
    assert not (whole.left == whole.right).any()
    assert ranks(whole.left).max() == 4


def test_common_keys_count_where_rare_ones_led() -> None:
    right = sorted([*(f"望江路{number}号" for number in range(3000)), "望江路7号望京馆"])
    pairs = find_pairs(["望江路7号望京馆"], right, 3)
    assert right[pairs.right[0]] == "望江路7号望京馆"
    assert pairs.score[0] == pytest.approx(2.0)


def test_nothing_is_no_pair() -> None:
    assert len(find_pairs([], ["文三路1号"], 3).left) == 0
    assert len(find_pairs(["文三路1号"], [], 3).left) == 0


def test_best_breaks_ties_by_the_text() -> None:
    pairs = find_pairs(["文三路"], ["文三路1号", "文三路2号"], 5)
    assert best(pairs, np.array([1.0, 1.0]), 1).right.tolist() == [0]


def test_only_what_is_nearly_as_good_as_the_best_is_kept() -> None:
    pairs = find_pairs(
        ["文三路1号望江花园", "建国路2号"], ["建国路1号", "建国路2号", "文三路1号望江花园3幢", "望江花园"], 9
    )
    kept = near_best(pairs, 0.8)
    assert kept.left.tolist() == [0, 1]
    assert kept.right.tolist() == [2, 1]
    assert len(near_best(pairs, 0.0).left) == len(pairs.left)
