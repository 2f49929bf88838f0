"""Clusters by merging the surest pairs first, where nothing in either cluster speaks against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from menpai.tables.linkage.marks import Mark, any_apart

_AGAINST = -1.0
"What one pair can say against a merge at most: two slips of one name lie far apart."


class Edge(NamedTuple):
    """A compared pair of entities, its log-odds of one place, the keys they share, and whether its label joins."""

    a: int
    b: int
    odds: float
    shared: float
    joins: bool


class Giant(NamedTuple):
    """A merge that was left undone for its size: an entity of either cluster, and the spellings it would have had."""

    a: int
    b: int
    size: int


class Merged(NamedTuple):
    """The cluster of each entity, named by the first of its entities; merges that were vetoed; giants."""

    cluster: list[int]
    vetoed: int
    giants: list[Giant]


def merge(
    marks: Sequence[Mark | None],
    edges: Iterable[Edge],
    largest: int,
    together: Iterable[tuple[int, int]] = (),
    separate: Iterable[tuple[int, int]] = (),
) -> Merged:
    """The clusters of entities; `together` are merged whatever speaks against it, `separate` never meet.

    Two clusters merge over a pair that joins if no mark of one is apart from a mark of the other, and the pairs
    between them that were compared speak for it on the whole.
    """
    known = sorted(edges, key=lambda edge: (-edge.odds, -edge.shared, edge.a, edge.b))
    forest = _Forest(marks, known, separate)
    for a, b in sorted(together):
        forest.join(forest.root(a), forest.root(b))
    vetoed, giants = 0, list[Giant]()
    for edge in known:
        if not edge.joins:
            continue
        a, b = forest.root(edge.a), forest.root(edge.b)
        if a == b:
            continue
        if not forest.agree(a, b):
            vetoed += 1
        elif (size := forest.size[a] + forest.size[b]) > largest:
            giants.append(Giant(edge.a, edge.b, size))
        else:
            forest.join(a, b)
    return Merged([forest.root(at) for at in range(len(marks))], vetoed, giants)


class _Forest:
    """Clusters by their first entity: sizes, marks, what was compared with each other cluster, and who never meets."""

    def __init__(
        self, marks: Sequence[Mark | None], edges: Iterable[Edge], separate: Iterable[tuple[int, int]]
    ) -> None:
        self._above = list(range(len(marks)))
        self.size = [1] * len(marks)
        self._marks = [frozenset(() if mark is None else (mark,)) for mark in marks]
        self._odds: list[dict[int, float]] = [{} for _ in marks]
        for edge in edges:
            self._odds[edge.a][edge.b] = self._odds[edge.b][edge.a] = max(edge.odds, _AGAINST)
        self._separate: list[set[int]] = [set() for _ in marks]
        for a, b in separate:
            self._separate[a].add(b)
            self._separate[b].add(a)

    def root(self, at: int) -> int:
        """The first entity of the cluster."""
        while self._above[at] != at:
            self._above[at] = at = self._above[self._above[at]]
        return at

    def agree(self, a: int, b: int) -> bool:
        """Whether two clusters may merge."""
        return (
            b not in self._separate[a]
            and self._odds[a].get(b, 0.0) >= 0
            and not any_apart(self._marks[a], self._marks[b])
        )

    def join(self, a: int, b: int) -> None:
        """Make one cluster of two."""
        if a == b:
            return
        a, b = min(a, b), max(a, b)
        self._above[b] = a
        self.size[a] += self.size[b]
        self._marks[a] |= self._marks[b]
        for other, odds in self._odds[b].items():
            mine = self._odds[other]
            mine.pop(b)
            if other != a:
                mine[a] = self._odds[a][other] = self._odds[a].get(other, 0.0) + odds
        self._odds[a].pop(b, None)
        self._odds[b] = {}
        for other in self._separate[b]:
            self._separate[other].discard(b)
            if other != a:
                self._separate[other].add(a)
                self._separate[a].add(other)
        self._separate[a].discard(b)
