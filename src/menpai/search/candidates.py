"""Candidates of a query: the rows that share the most, and the rarest, of its keys.

The runs of all terms, each with its weight, are a step function over the rows; sorting their ends sums it up. Terms
with many runs are only added where the others found most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.search import ngrams
from menpai.search.keys import Postings, Weighing, terms_of
from menpai.search.keys.postings import Runs, expand
from menpai.search.view import View

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]
MOST_RUNS = 3_000
"Runs of one query that are summed up; the rest is looked up."
_MOST_WITHIN = 10_000
"Runs of the other terms that are looked at within what the first ones found."
_MORE = 4
_NOTHING, _NEVER = 1e-6, 1e6
_NO_ROWS = np.zeros(0, np.uint32)


class Found(NamedTuple):
    """Candidates of one shard: rows, and which share of the query's weight and of its own each shares with it."""

    rows: NDArray[np.int64]
    of_query: Floats
    of_row: Floats


class Steps(NamedTuple):
    """A step function over rows: from starts[i] to ends[i] (exclusive) it is levels[i], elsewhere nothing."""

    starts: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    levels: Floats


def find_candidates(view: View, text: str, limit: int, dead: Sequence[Mask | None]) -> list[Found]:
    """For each shard the rows, `limit` at most, with the greatest shared weight, best first; `dead` are left out."""
    postings: list[Postings] = [shard.parts[ngrams.NAME] for shard in view.shards]
    weight, places = Weighing(postings).terms(terms_of(text))
    norm = max(float(weight.sum()), 1e-9)
    found = []
    for part, at, gone in zip(postings, places, dead, strict=True):
        rows, shared = best_rows(part, at, weight, limit, gone)
        found.append(
            Found(rows, shared / norm, shared / np.maximum(part.norms[rows].astype(np.float64), 1e-9))
        )
    return found


def best_rows(
    part: Postings, places: NDArray[np.int64], weight: Floats, limit: int, dead: Mask | None = None
) -> tuple[NDArray[np.int64], Floats]:
    """Rows that share a term, and what each shares, greatest first; of equals the first rows."""
    known = [(part.runs_of(at), w) for at, w in zip(places.tolist(), weight.tolist(), strict=True) if at >= 0]
    known.sort(key=lambda entry: len(entry[0].starts))
    total = np.cumsum([len(runs.starts) for runs, _ in known])
    light = max(1, int(np.searchsorted(total, MOST_RUNS, "right")))
    heavy = known[light:]
    if dead is not None:
        known = [(_removed(dead), -_NEVER), *known]
        light += 1
    steps = _steps([_stretches(runs, w) for runs, w in known[:light]])
    return _top(_refined(steps, heavy, _MORE * limit) if heavy else steps, limit)


def _stretches(runs: Runs, weight: float) -> Steps:
    return Steps(runs.starts, runs.ends, np.full(len(runs.starts), weight))


def _steps(parts: Sequence[Steps]) -> Steps:
    """The sum of step functions, where it is not nothing everywhere."""
    if not parts:
        return Steps(_NO_ROWS, _NO_ROWS, np.zeros(0))
    weight = np.concatenate([part.levels for part in parts])
    at = np.concatenate([*(part.starts for part in parts), *(part.ends for part in parts)])
    order = np.argsort(at)
    at = at[order]
    level = np.cumsum(np.concatenate((weight, -weight))[order])
    last = np.flatnonzero(at[1:] != at[:-1])
    return Steps(at[last], at[last + 1], level[last])


def _refined(steps: Steps, heavy: Sequence[tuple[Runs, float]], most: int) -> Steps:
    """The highest steps with what the heavy terms add inside them, the rarest first, as far as the work is bounded."""
    high = _highest(steps, most)
    high = high[np.argsort(steps.starts[high])]
    base = Steps(steps.starts[high], steps.ends[high], steps.levels[high])
    parts, room = [base], _MOST_WITHIN
    for runs, weight in heavy:
        first = np.searchsorted(runs.ends, base.starts, "right")
        past = np.searchsorted(runs.starts, base.ends, "left")
        sizes = np.maximum(past - first, 0)
        room -= int(sizes.sum())
        if room < 0:
            break
        which = expand(first, first + sizes)
        starts = np.maximum(runs.starts[which], np.repeat(base.starts, sizes))
        ends = np.minimum(runs.ends[which], np.repeat(base.ends, sizes))
        parts.append(Steps(starts, ends, np.full(len(starts), weight)))
    return _steps(parts)


def _highest(steps: Steps, most: int) -> NDArray[np.int64]:
    """Which steps are the highest above nothing, `most` at most, in no order."""
    levels = steps.levels
    high = np.argpartition(-levels, most)[:most] if len(levels) > most else np.arange(len(levels))
    return high[levels[high] > _NOTHING]


def _top(steps: Steps, limit: int) -> tuple[NDArray[np.int64], Floats]:
    """The first `limit` rows of the highest steps."""
    starts, ends, levels = steps
    high = _highest(steps, limit)
    high = high[np.lexsort((starts[high], -levels[high]))]
    lengths = np.minimum(ends[high] - starts[high], limit)
    enough = int(np.searchsorted(np.cumsum(lengths), limit)) + 1
    high, lengths = high[:enough], lengths[:enough]
    rows = expand(starts[high], starts[high] + lengths).astype(np.int64)
    return rows[:limit], np.repeat(levels[high], lengths)[:limit]


def _removed(dead: Mask) -> Runs:
    """The removed rows as runs."""
    edges = np.flatnonzero(np.diff(dead.astype(np.int8), prepend=0, append=0)).astype(np.uint32)
    return Runs(edges[::2], edges[1::2], int(dead.sum()))
