"""The candidates of a question over all shards, with the features by which they are ranked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.address import LEVEL_OF, LEVELS
from menpai.search import ngrams
from menpai.search.candidates import Floats, Mask, find_candidates
from menpai.search.keys import Weighing
from menpai.search.nearby import around, distances
from menpai.search.question import Question
from menpai.search.ranking import Text, features
from menpai.search.segment import UNKNOWN
from menpai.search.view import Shard, View

HALF = 100.0
"Metres at which nearness is one half."
FAR = 400.0
"Metres at which a candidate without a point is taken to lie."

_WIDE = 4
"Candidates by their keys for each that is compared."
COMPARED = 128
"Characters of an address, and of a name, that are compared one by one."


class Pool(NamedTuple):
    """Candidates: the shard and row of each, its features by name, and its metres (NaN where unknown)."""

    shards: list[Shard]
    rows: list[int]
    features: dict[str, Floats]
    metres: Floats

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """In 0..1: the mean, by these weights, of the features that the question and the candidate have."""
        total, scores = np.zeros(len(self.rows)), np.zeros(len(self.rows))
        for name, weight in weights.items():
            if name in self.features:
                known = ~np.isnan(self.features[name])
                total += weight * known
                scores[known] += weight * self.features[name][known]
        return scores / np.maximum(total, 1e-9)

    def nameless(self) -> Mask:
        """Which candidates have no name."""
        pairs = zip(self.shards, self.rows, strict=True)
        return np.array([not shard.segment.name_keys[row] for shard, row in pairs], bool)

    def depth(self, at: int) -> int:
        """How deep a candidate's address goes: the finest element in it as a position in LEVELS."""
        kinds = (kind for _, kind in self.shards[at].segment.cuts(self.rows[at]))
        return max(
            (LEVELS.index(level) for kind in kinds if (level := LEVEL_OF.get(kind, kind)) in LEVELS),
            default=0,
        )


def gather(view: View, question: Question, limit: int, radius: float | None = None) -> Pool:
    """The `limit` rows that share most with the question, or of whose own keys it has most, or that lie nearest."""
    dead = [_left_out(shard, question, radius) for shard in view.shards]
    found = find_candidates(view, question.text.joined, _WIDE * limit, dead)
    of_query = np.concatenate([part.of_query for part in found] or [np.zeros(0)])
    of_row = np.minimum(np.concatenate([part.of_row for part in found] or [np.zeros(0)]), 1.0)
    if not len(of_query):
        return Pool([], [], {}, np.zeros(0))
    metres = np.concatenate(
        [_metres(shard, part.rows, question) for shard, part in zip(view.shards, found, strict=True)]
    )
    near = HALF / (HALF + np.where(np.isnan(metres), FAR, metres))
    best = _chosen(of_query, of_query + of_row + near, limit)
    places = [
        (shard, row) for shard, part in zip(view.shards, found, strict=True) for row in part.rows.tolist()
    ]
    shards, rows = [places[at][0] for at in best], [places[at][1] for at in best]
    texts = [
        _compared(shard.segment.keys[row], shard.segment.name_keys[row])
        for shard, row in zip(shards, rows, strict=True)
    ]
    weighing = Weighing([shard.parts[ngrams.NAME] for shard in view.shards])
    known = features(_compared(*question.text), texts, weighing)
    known |= {"shared_query": of_query[best], "shared_candidate": of_row[best]}
    if question.point is not None:
        known["near"] = near[best]
    return Pool(shards, rows, known, metres[best])


def _chosen(first: Floats, second: Floats, limit: int) -> list[int]:
    """The `limit` best: half of them by the first measure, the rest by the second."""
    best = np.argsort(-first, kind="stable")[: limit // 2].tolist()
    others = np.argsort(-second, kind="stable")[:limit].tolist()
    return list(dict.fromkeys([*best, *others]))[:limit]


def _compared(address: str, name: str) -> Text:
    """As much of a text as is compared character by character."""
    return Text(address[:COMPARED], name[:COMPARED])


def _left_out(shard: Shard, question: Question, radius: float | None) -> Mask | None:
    """The rows that may not be found: removed, or not known to lie within the radius."""
    if radius is None or question.point is None:
        return shard.dead
    rows, _ = around(shard, question.point, radius)
    gone = np.ones(len(shard.segment), bool)
    gone[rows] = False
    return gone


def _metres(shard: Shard, rows: NDArray[np.int64], question: Question) -> Floats:
    """How far each row lies from the question's point; NaN where one of them has none."""
    if question.point is None:
        return np.full(len(rows), np.nan)
    known = np.asarray(shard.segment.lat)[rows] != UNKNOWN
    return np.where(known, distances(shard.segment, rows, question.point), np.nan)
