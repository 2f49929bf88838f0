"""Candidates of a query: the rows that share the most, and the rarest, of its keys.

The runs of all terms, each with its weight, are a step function over the rows; sorting their ends sums it up. Terms
whose runs are too many are only looked up for the rows that the others found.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.search import ngrams
from menpai.search.keys import Postings, terms_of
from menpai.search.keys.postings import Runs, expand, weights
from menpai.search.view import View

MOST_RUNS = 3_000
"Runs of one query that are summed up; the rest is looked up."
_MORE = 4
_NOTHING, _NEVER = 1e-6, 1e9


class Found(NamedTuple):
    """Candidates of one shard: rows, and the weight of the query's terms that each has."""

    shard: int
    rows: NDArray[np.int64]
    shared: NDArray[np.float64]


class Query(NamedTuple):
    """A query's terms: where each stands in each shard (-1: nowhere), its weight, and the sum of all weights."""

    terms: NDArray[np.uint32]
    places: list[NDArray[np.int64]]
    weights: NDArray[np.float64]
    norm: float


def find_candidates(view: View, text: str, limit: int) -> tuple[Query, list[Found]]:
    """For each shard the living rows, `limit` at most, with the greatest shared weight, best first."""
    postings = [shard.parts[ngrams.NAME] for shard in view.shards]
    query = weigh(postings, terms_of(text))
    found = []
    for at, (shard, part) in enumerate(zip(view.shards, postings, strict=True)):
        rows, shared = best_rows(part, query.places[at], query.weights, limit, shard.dead)
        found.append(Found(at, rows, shared))
    return query, found


def weigh(postings: Sequence[Postings], terms: NDArray[np.uint32]) -> Query:
    """The terms with their weights over all shards; a term that no row has weighs as one that a single row has."""
    places = [part.find(terms) for part in postings]
    counts = np.zeros(len(terms), np.int64)
    for part, at in zip(postings, places, strict=True):
        counts[at >= 0] += part.counts[at[at >= 0]]
    weight = weights(np.maximum(counts, 1), sum(part.rows for part in postings)).astype(np.float64)
    return Query(terms, places, weight, float(weight.sum()))


def best_rows(
    part: Postings,
    places: NDArray[np.int64],
    weight: NDArray[np.float64],
    limit: int,
    dead: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows that share a term, and what each shares, greatest first."""
    known = [(part.runs_of(at), w) for at, w in zip(places.tolist(), weight.tolist(), strict=True) if at >= 0]
    known.sort(key=lambda entry: len(entry[0].starts))
    total = np.cumsum([len(runs.starts) for runs, _ in known])
    light = max(1, int(np.searchsorted(total, MOST_RUNS, "right")))
    heavy = known[light:]
    removed = [] if dead is None else [(_removed(dead), -_NEVER)]
    rows, shared = _top(*_steps(known[:light] + removed), limit * _MORE if heavy else limit)
    for runs, w in heavy:
        shared = shared + w * _within(runs, rows)
    order = np.argsort(-shared, kind="stable")[:limit]
    return rows[order], shared[order]


def _steps(
    known: Sequence[tuple[Runs, float]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Stretches of rows over which the sum of weights stays the same: starts, ends, sums."""
    if not known:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    sizes = [len(runs.starts) for runs, _ in known]
    at = np.concatenate([*(runs.starts for runs, _ in known), *(runs.ends for runs, _ in known)])
    weight = np.repeat([w for _, w in known], sizes)
    order = np.argsort(at)
    at = at[order].astype(np.int64)
    level = np.cumsum(np.concatenate((weight, -weight))[order])
    last = np.flatnonzero(np.diff(at, append=-1))
    return at[last[:-1]], at[last[1:]], level[last[:-1]]


def _top(
    starts: NDArray[np.int64], ends: NDArray[np.int64], shared: NDArray[np.float64], limit: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The first `limit` rows of the highest stretches."""
    high = np.argpartition(-shared, limit)[:limit] if len(starts) > limit else np.arange(len(starts))
    high = high[shared[high] > _NOTHING]
    high = high[np.lexsort((starts[high], -shared[high]))]
    lengths = np.minimum(ends[high] - starts[high], limit)
    enough = int(np.searchsorted(np.cumsum(lengths), limit)) + 1
    high, lengths = high[:enough], lengths[:enough]
    rows = expand(starts[high], starts[high] + lengths).astype(np.int64)
    return rows[:limit], np.repeat(shared[high], lengths)[:limit]


def _removed(dead: NDArray[np.bool_]) -> Runs:
    """The removed rows as runs."""
    edges = np.flatnonzero(np.diff(dead.astype(np.int8), prepend=0, append=0)).astype(np.uint32)
    return Runs(edges[::2], edges[1::2], int(dead.sum()))


def _within(runs: Runs, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each row lies in one of the runs."""
    at = np.searchsorted(runs.starts, rows, "right") - 1
    return (at >= 0) & (rows < runs.ends[np.maximum(at, 0)])
