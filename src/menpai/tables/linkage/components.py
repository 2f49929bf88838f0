"""Merging a whole table: entities that no chain of joining pairs links never meet, so each component merges alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.tables.linkage.candidates import Floats, Places
from menpai.tables.linkage.marks import Mark
from menpai.tables.linkage.merging import Edge, Giant, Merged, merge

Rows = Iterable[tuple[int, int]]


class Edges(NamedTuple):
    """Compared pairs in columns; see Edge."""

    a: Places
    b: Places
    odds: Floats
    shared: Floats
    joins: NDArray[np.bool_]

    def plus(self, other: Edges) -> Edges:
        """Both."""
        return Edges(*(np.concatenate(parts) for parts in zip(self, other, strict=True)))


def merge_table(
    entities: int,
    mark: Callable[[int], Mark | None],
    edges: Edges,
    largest: int,
    together: Rows = (),
    separate: Rows = (),
) -> Merged:
    """What `merge` makes of all entities and edges, component by component."""
    together, separate = sorted(together), sorted(separate)
    of = _components(entities, edges, together)
    cluster, vetoed, giants = list(range(entities)), 0, list[Giant]()
    joined, apart = _by_component(of, together), _by_component(of, separate)
    for members, some in _groups(of, edges):
        place = {entity: at for at, entity in enumerate(members)}
        root = of[members[0]]

        def local(pairs: Rows, place: dict[int, int] = place) -> list[tuple[int, int]]:
            return [(place[a], place[b]) for a, b in pairs]

        found = merge(
            [mark(entity) for entity in members],
            [
                Edge(place[a], place[b], *rest)
                for a, b, *rest in zip(*(c[some].tolist() for c in edges), strict=True)
            ],
            largest,
            local(joined[root]),
            local(apart[root]),
        )
        for entity, first in zip(members, found.cluster, strict=True):
            cluster[entity] = members[first]
        vetoed += found.vetoed
        giants += [Giant(members[giant.a], members[giant.b], giant.size) for giant in found.giants]
    return Merged(cluster, vetoed, sorted(giants, key=lambda giant: (-giant.size, giant.a, giant.b)))


def _components(entities: int, edges: Edges, together: Rows) -> list[int]:
    """Of each entity the first of those that joining pairs link it to."""
    above = list(range(entities))

    def root(at: int) -> int:
        while above[at] != at:
            above[at] = at = above[above[at]]
        return at

    for a, b in [*zip(edges.a[edges.joins].tolist(), edges.b[edges.joins].tolist(), strict=True), *together]:
        a, b = root(a), root(b)
        above[max(a, b)] = min(a, b)
    return [root(at) for at in range(entities)]


def _groups(of: list[int], edges: Edges) -> Iterator[tuple[list[int], Places]]:
    """The members of each component of several, ascending, and the places of the edges inside it."""
    component = np.array(of, np.int64)
    inside = np.flatnonzero(component[edges.a] == component[edges.b])
    inside = inside[np.argsort(component[edges.a[inside]], kind="stable")]
    roots = component[edges.a[inside]]
    members = np.argsort(component, kind="stable")
    owner = component[members]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    sizes = np.diff(first, append=len(owner))
    for start, size in zip(first[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        root = owner[start]
        low, high = np.searchsorted(roots, [root, root + 1])
        yield members[start : start + size].tolist(), inside[low:high]


def _by_component(of: list[int], pairs: Rows) -> dict[int, list[tuple[int, int]]]:
    """Pairs inside a component, by it."""
    found = defaultdict[int, list[tuple[int, int]]](list)
    for a, b in pairs:
        if of[a] == of[b]:
            found[of[a]].append((a, b))
    return found
