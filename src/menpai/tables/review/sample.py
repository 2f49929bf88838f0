"""What is kept of a million pairs: their number by bins of similarity, a random sample of each bin, the most doubtful."""

from __future__ import annotations

import heapq
from array import array
from bisect import bisect
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from menpai.tables.review.pair import Pair
from menpai.verdict import LABELS

EDGES = (0.05, 0.3, 0.7, 0.95)
"Similarities between bins."
_EXACT_EDGE, _NOT_EDGE = 0.75, 0.25
"Similarities at which two neighbouring labels are equally likely and the third is not."
GREY = 0.2
"Pairs farther from the edge of their label are not in doubt, unless `--max-error` said which are."


class Stratum(NamedTuple):
    """Pairs that were joined or not, of one bin of similarity (-1: no similarity is known)."""

    joined: bool
    bin: int


class Drawn(NamedTuple):
    """Of a stratum: how many pairs it has, their mean similarity, and the first of them in random order."""

    size: int
    mean: float
    pairs: list[Pair]


class Sample(NamedTuple):
    """All strata, the most doubtful pairs, the most doubtful first, and whether partial matches were joined."""

    strata: dict[Stratum, Drawn]
    doubtful: list[Pair]
    partial: bool


def stratum_of(pair: Pair) -> Stratum:
    """The stratum of a pair."""
    return Stratum(pair.joined, -1 if pair.similarity is None else bisect(EDGES, pair.similarity))


def distance(pair: Pair) -> float:
    """How far a pair is from having another label, in similarity; 0 is most in doubt.

    Similarity is P(exact) + ½·P(partial): a sure partial match has 0.5, so each label has its own edge.
    """
    similarity = 0.5 if pair.similarity is None else pair.similarity
    if pair.label == LABELS[0]:
        return max(0.0, similarity - _EXACT_EDGE)
    if pair.label == LABELS[2]:
        return max(0.0, _NOT_EDGE - similarity)
    return min(abs(similarity - _EXACT_EDGE), abs(similarity - _NOT_EDGE))


def in_doubt(pair: Pair) -> bool:
    """Whether a pair is in the grey zone."""
    if pair.review is not None:
        return pair.review
    return pair.similarity is not None and distance(pair) <= GREY


def draw(pairs: Iterable[Pair], most: int) -> Sample:
    """One walk over the pairs; up to `most` of each stratum and of the doubtful are kept, and 8 bytes of all others."""
    keys: dict[Stratum, array[int]] = {}
    sums: dict[Stratum, int] = {}  # in millionths, so that no order of the rows can matter
    kept: dict[Stratum, _Least] = {}
    doubtful, partial = _Least(most), False
    for pair in pairs:
        partial = partial or (pair.joined and pair.label == LABELS[1])
        stratum, rank = stratum_of(pair), int(pair.key, 16)
        keys.setdefault(stratum, array("Q")).append(rank)
        sums[stratum] = sums.get(stratum, 0) + round(1e6 * (pair.similarity or 0.0))
        kept.setdefault(stratum, _Least(most)).add((0.0, rank), pair)
        if in_doubt(pair):
            doubtful.add((distance(pair), rank), pair)
    return Sample(
        {
            stratum: Drawn(
                len(np.unique(np.frombuffer(ranks, np.uint64))),
                sums[stratum] / len(ranks) / 1e6,
                kept[stratum].pairs(),
            )
            for stratum, ranks in sorted(keys.items())
        },
        doubtful.pairs(),
        partial,
    )


class _Least:
    """The pairs with the least ranks, each once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[tuple[float, int], Pair]] = []  # by negative rank: the greatest is on top
        self._known: set[int] = set()

    def add(self, rank: tuple[float, int], pair: Pair) -> None:
        """Keep it, if it is new and among the least so far."""
        entry = ((-rank[0], -rank[1]), pair)
        if rank[1] in self._known or (len(self._heap) == self._most and entry[0] <= self._heap[0][0]):
            return
        self._known.add(rank[1])
        heapq.heappush(self._heap, entry)
        if len(self._heap) > self._most:
            self._known.discard(-heapq.heappop(self._heap)[0][1])

    def pairs(self) -> list[Pair]:
        """All of them, the least first."""
        return [pair for _, pair in sorted(self._heap, key=lambda entry: entry[0], reverse=True)]
