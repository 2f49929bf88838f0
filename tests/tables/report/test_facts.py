"""What a report keeps of what passes: right counts, samples of bounded size, the most doubtful pairs."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.tables.report.facts import BINS, DOUBTS, EXAMPLES, POINTS, Facts, Seen, bin_of
from menpai.tables.report.reservoir import Nearest, Reservoir
from menpai.tables.review.pair import Pair
from menpai.verdict import LABELS


def seen(label: str, similarity: float, *conflicts: str, review: bool | None = None) -> Seen:
    pair = Pair("文三路1号", "文三路2号", "1", "2", label, similarity, label == "exact_match", review)
    return Seen(pair, "road", conflicts)


@given(st.lists(st.integers(), max_size=60), st.integers(1, 8))
def test_a_reservoir_holds_so_many_of_what_passed_and_no_other(items: list[int], size: int) -> None:
    sample = Reservoir[int](size)
    for item in items:
        sample.add(item)
    assert len(sample) == min(size, len(items))
    assert not Counter(sample) - Counter(items)
    assert sample.passed == len(items)


def test_each_item_of_a_reservoir_is_as_likely_as_any_other() -> None:
    kept: Counter[int] = Counter()
    for seed in range(2000):
        sample = Reservoir[int](5, seed)
        for item in range(20):
            sample.add(item)
        kept.update(sample)
    assert all(400 < kept[item] < 600 for item in range(20))


@given(st.lists(st.floats(0, 1), max_size=60), st.integers(1, 8))
def test_the_nearest_are_the_least_in_order_and_the_first_of_equals(
    distances: list[float], size: int
) -> None:
    nearest = Nearest[int](size)
    for at, distance in enumerate(distances):
        nearest.add(distance, at)
    assert list(nearest) == sorted(range(len(distances)), key=lambda at: (distances[at], at))[:size]


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.floats(0, 1)), max_size=80))
def test_every_pair_stands_in_one_bar(pairs: list[tuple[str, float]]) -> None:
    facts = Facts("link")
    for label, similarity in pairs:
        facts.add_pair(seen(label, similarity))
    for label in LABELS:
        assert (
            sum(facts.similarities[label]) == facts.labels[label] == sum(name == label for name, _ in pairs)
        )


def test_memory_does_not_grow_with_the_pairs() -> None:
    facts = Facts("link")
    for at in range(2000):
        facts.add_pair(seen("partial_match", 0.7 + at / 1e5, "roadno", "roadno"))
        facts.add_point((30.0, 120.0 + at / 1e5), "linked_points")
    assert facts.conflicts == {"roadno": 2000}
    assert {name: len(sample) for name, sample in facts.examples.items()} == {
        "partial_match": EXAMPLES,
        "roadno": EXAMPLES,
    }
    assert len(list(facts.doubts)) == DOUBTS
    assert len(facts.points["linked_points"]) == min(POINTS, 2000)


def test_what_max_error_marked_is_in_doubt_and_nothing_else() -> None:
    facts = Facts("link")
    facts.add_pair(seen("exact_match", 0.99, review=True))
    facts.add_pair(seen("partial_match", 0.74, review=False))
    assert [each.pair.similarity for each in facts.doubts] == [0.99]
    assert sum(facts.doubted) == 1


def test_a_pair_that_was_not_judged_counts_nowhere() -> None:
    facts = Facts("match")
    facts.add_pair(Seen(Pair("a", "b", "", "", "", None, False)))
    assert not facts.labels
    assert not facts.examples


@pytest.mark.parametrize(
    ("share", "bar"), [(0.0, 0), (0.0499, 0), (0.05, 1), (1.0, BINS - 1), (1.5, BINS - 1)]
)
def test_the_last_bar_holds_one(share: float, bar: int) -> None:
    assert bin_of(share) == bar


def test_clusters_by_size_with_texts_asked_for_only_where_there_are_several() -> None:
    facts = Facts("dedupe")
    facts.add_cluster("a", 1, lambda: pytest.fail("nobody shows it"))
    facts.add_cluster("b", 4, lambda: ["x", "y"])
    facts.add_cluster("c", 70, lambda: ["z"])
    assert facts.to_dict()["sizes"] == {"1": 1, "4–5": 1, "> 50": 1}
    assert [family["id"] for family in facts.to_dict()["clusters"]] == ["b", "c"]
