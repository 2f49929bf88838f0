"""How many of the pairs that belong together the candidate keys bring together, before anything is judged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from menpai.search.gather import gather
from menpai.search.question import read_question
from menpai.search.search import Query
from menpai.search.view import View

_Z = 1.96


class BlockingRecall(NamedTuple):
    """Known pairs, those whose row was among the candidates, and the bounds of the share (95 %, Wilson 1927)."""

    pairs: int
    found: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Found of all; 0 of none."""
        return self.found / self.pairs if self.pairs else 0.0


def blocking_recall(view: View, pairs: Iterable[tuple[Query, str]], limit: int = 10) -> BlockingRecall:
    """Of queries with the id of the row that each means: for how many it is among `limit` candidates by their keys."""
    total = found = 0
    for query, wanted in pairs:
        pool = gather(view, read_question(query), limit)
        total += 1
        rows = zip(pool.shards, pool.rows, strict=True)
        found += any(shard.segment.ids[row] == wanted for shard, row in rows)
    return BlockingRecall(total, found, *_bounds(found, total))


def _bounds(found: int, total: int) -> tuple[float, float]:
    if not total:
        return 0.0, 1.0
    share, square = found / total, _Z * _Z
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _Z * math.sqrt(share * (1 - share) / total + square / (4 * total * total)) / (1 + square / total)
    return max(0.0, middle - half), min(1.0, middle + half)
