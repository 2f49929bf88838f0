"""Pairs cut into batches: the pairs of a left entity in one, and neighbours together, so that each is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.tables.linkage.candidates import Pairs, Places
from menpai.tables.linkage.judging import Batch
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Entity, Records

PAIRS = 2048
"Pairs of a batch: about half a second of work."


class Piece(NamedTuple):
    """A batch, the place of each of its pairs, and the entities whose marks it brings."""

    batch: Batch
    pairs: Places
    own: Places


def pieces(
    left: Records,
    right: Records,
    pairs: Pairs,
    named: NDArray[np.bool_],
    plan: Plan,
    one: bool = False,
    alone: Sequence[int] = (),
) -> Iterator[Piece]:
    """The batches of pairs, which are given by left; of one table each entity is in `own` of the first that has it, and
    those of `alone` in the last."""
    base = 0 if one else len(left.entities)
    seen = np.zeros(len(left.entities) if one else 0, bool)
    first = np.flatnonzero(np.diff(pairs.left, prepend=-1))
    sizes = np.diff(first, append=len(pairs.left))
    groups = _near(pairs, first, len(left.entities)) if one else np.arange(len(first))

    def entity(at: int) -> Entity:
        return left.entities[at] if one or at < base else right.entities[at - base]

    def piece(places: Places, extra: Places) -> Piece:
        a, b = pairs.left[places], pairs.right[places] + base
        ids, at = np.unique(np.concatenate((a, b, extra)), return_inverse=True)
        own = np.flatnonzero(~seen[ids]) if one else ids[:0]
        if one:
            seen[ids] = True
        found = [entity(each) for each in ids.tolist()]
        batch = Batch(
            [each.address for each in found],
            [each.point for each in found],
            at[: len(a)].tolist(),
            at[len(a) : len(a) + len(b)].tolist(),
            named[places].tolist(),
            own.tolist(),
            one,
            plan.accept == "exact",
            plan.read,
        )
        return Piece(batch, places, ids[own])

    nothing = np.zeros(0, np.int64)
    for some in _cut(sizes[groups]):
        chosen = groups[some]
        within = np.arange(sizes[chosen].sum()) - np.repeat(
            np.cumsum(sizes[chosen]) - sizes[chosen], sizes[chosen]
        )
        yield piece(np.repeat(first[chosen], sizes[chosen]) + within, nothing)
    rest = np.array(sorted(at for at in set(alone) if not seen[at]), np.int64)
    if len(rest):
        yield piece(nothing, rest)


def _cut(sizes: Places) -> Iterator[slice]:
    """Stretches of groups with PAIRS pairs or a few more each."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(sizes):
        before = int(ends[start - 1]) if start else 0
        stop = int(np.searchsorted(ends, before + PAIRS)) + 1
        yield slice(start, min(stop, len(sizes)))
        start = stop


def _near(pairs: Pairs, first: Places, entities: int) -> Places:
    """An order of the groups (pairs of one left entity) in which entities that lead to each other's best stand together."""
    a, b = np.concatenate((pairs.left, pairs.right)), np.concatenate((pairs.right, pairs.left))
    order = np.lexsort((b, -np.concatenate((pairs.score, pairs.score)), a))
    start = order[np.flatnonzero(np.diff(a[order], prepend=-1))]
    above = list(range(entities))

    def root(at: int) -> int:
        while above[at] != at:
            above[at] = at = above[above[at]]
        return at

    for one, other in zip(a[start].tolist(), b[start].tolist(), strict=True):
        one, other = root(one), root(other)
        above[max(one, other)] = min(one, other)
    lefts = pairs.left[first].tolist()
    return np.argsort(np.array([root(at) for at in lefts], np.int64), kind="stable")
