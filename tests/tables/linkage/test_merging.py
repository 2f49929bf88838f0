"""merge: against a slow plain twin, and what keeps clusters apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.parsing import parse
from menpai.tables.linkage.components import Edges, merge_table
from menpai.tables.linkage.marks import Mark, apart, mark_of
from menpai.tables.linkage.merging import Edge, merge
from menpai.text import normalize
from tests.judging import matcher

TEXTS = (
    "文三路5号",
    "文三路7号",
    "文三路5号2幢",
    "文三路5号3幢101室",
    "文三路",
    "5号",
    "杭州市文三路",
    "宁波市文三路5号",
)


def mark(text: str) -> Mark:
    side = matcher().side(text)
    assert parse(normalize(text))
    return mark_of(side)


MARKS = {text: mark(text) for text in TEXTS}
WEIGHTS = st.sampled_from((-3.0, -1.0, 0.5, 1.0, 2.0))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Mark | None], list[Edge], int, list[tuple[int, int]]]:
    marks = draw(st.lists(st.sampled_from([*MARKS.values(), None]), min_size=2, max_size=9))
    pairs = [(a, b) for b in range(len(marks)) for a in range(b)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True))
    edges = [Edge(a, b, odds := draw(WEIGHTS), 0.0, odds > 0) for a, b in chosen]
    return marks, edges, draw(st.integers(2, 9)), draw(st.lists(st.sampled_from(pairs), max_size=2))


def plain(
    marks: Sequence[Mark | None], edges: Sequence[Edge], largest: int, separate: Sequence[tuple[int, int]]
) -> list[int]:
    """The same with sets, everything looked at anew for each merge."""
    clusters = [{at} for at in range(len(marks))]
    said = {(edge.a, edge.b): max(edge.odds, -1.0) for edge in edges}
    never = {*separate, *((b, a) for a, b in separate)}
    for edge in sorted(edges, key=lambda edge: (-edge.odds, -edge.shared, edge.a, edge.b)):
        one = next(some for some in clusters if edge.a in some)
        other = next(some for some in clusters if edge.b in some)
        between = [(a, b) for a in one for b in other]
        conflict = any(x and y and apart(x, y) for x, y in ((marks[a], marks[b]) for a, b in between))
        total = sum(said.get((min(pair), max(pair)), 0.0) for pair in between)
        if not edge.joins or one is other or conflict or total < 0 or not never.isdisjoint(between):
            continue
        if len(one) + len(other) <= largest:
            one |= other
            clusters.remove(other)
    return [min(next(some for some in clusters if at in some)) for at in range(len(marks))]


@settings(max_examples=50)
@given(tables())
def test_as_the_plain_twin(table: tuple[list[Mark | None], list[Edge], int, list[tuple[int, int]]]) -> None:
    marks, edges, largest, separate = table
    assert merge(marks, edges, largest, (), separate).cluster == plain(marks, edges, largest, separate)


@settings(max_examples=50)
@given(tables())
def test_no_cluster_holds_a_conflict_or_too_much(
    table: tuple[list[Mark | None], list[Edge], int, list[tuple[int, int]]],
) -> None:
    marks, edges, largest, separate = table
    found = merge(marks, reversed(edges), largest, (), separate).cluster
    assert found == merge(marks, edges, largest, (), separate).cluster
    assert max(map(found.count, found)) <= largest
    for a, one in enumerate(marks):
        for b, other in enumerate(marks[:a]):
            assert found[a] != found[b] or not (one and other and apart(one, other))


@settings(max_examples=50)
@given(tables(), st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=2))
def test_component_by_component_is_the_same(
    table: tuple[list[Mark | None], list[Edge], int, list[tuple[int, int]]], wished: list[tuple[int, int]]
) -> None:
    marks, edges, largest, separate = table
    together = [(a, b) for a, b in wished if a < b < len(marks)]
    columns = [list(column) for column in zip(*edges, strict=True)] or [[]] * 5
    kinds = (np.int64, np.int64, np.float64, np.float64, bool)
    arrays = Edges(*(np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)))
    found = merge_table(len(marks), lambda at: marks[at], arrays, largest, together, separate)
    whole = merge(marks, edges, largest, together, separate)
    assert (found.cluster, found.vetoed, sorted(found.giants)) == (
        whole.cluster,
        whole.vetoed,
        sorted(whole.giants),
    )


def test_a_person_overrules_conflicts() -> None:
    marks = [MARKS["文三路5号"], MARKS["文三路7号"], MARKS["文三路5号2幢"]]
    assert merge(marks, [], 9, [(0, 1)]).cluster == [0, 0, 2]
    joining = [Edge(0, 2, 9.0, 0.0, True)]
    assert merge(marks, joining, 9).cluster == [0, 1, 0]
    assert merge(marks, joining, 9, [], [(0, 2)]).cluster == [0, 1, 2]


def test_what_would_be_too_large_is_told() -> None:
    marks = [MARKS["文三路5号"]] * 3
    found = merge(marks, [Edge(0, 1, 2.0, 0.0, True), Edge(1, 2, 1.0, 0.0, True)], 2)
    assert found.cluster == [0, 0, 2]
    assert [(giant.a, giant.b, giant.size) for giant in found.giants] == [(1, 2, 3)]
