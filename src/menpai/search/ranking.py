"""Ranking of candidates by text: how much of the query each covers, and how much of it the query covers.

Texts are compared token by token in one matrix (tokens of all candidates × tokens of the query). A token counts fully
beside a neighbour that agrees too, partly alone, and a mistyped one (same sound, like shape) where its neighbour is
right. Its weight is that of the rarest key that it is part of.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.parsing.tables import read_table
from menpai.search.keys import Postings, Tokens, terms_of_tokens
from menpai.search.keys.postings import weights
from menpai.text.pinyin import syllables

Floats = NDArray[np.float32]
ALONE = 0.5
SOUND = 0.75
SHAPE = 0.65
_MOST = 1 << 16


class Coverage(NamedTuple):
    """For each candidate, in 0..1: how much of the query it covers, and how much of it the query covers."""

    query: Floats
    candidate: Floats


class Weighing:
    """Weights of keys over the postings of all shards."""

    def __init__(self, postings: Sequence[Postings]) -> None:
        self._postings = postings
        self._rows = max(1, sum(part.rows for part in postings))

    def tokens(self, tokens: Tokens) -> Floats:
        """The weight of each token: the greatest of the keys that it is part of; 1 for one without any."""
        terms, places = terms_of_tokens(tokens)
        counts = np.zeros(len(terms), np.int64)
        for part in self._postings:
            at = part.find(terms)
            counts[at >= 0] += part.counts[at[at >= 0]]
        weight = weights(np.maximum(counts, 1), self._rows)
        found = np.ones(len(tokens.values), np.float32)
        np.maximum.at(found, places, weight)
        pairs = ~tokens.is_number[places]
        np.maximum.at(found, places[pairs] - 1, weight[pairs])
        return found


def cover(query: Tokens, own: Floats, candidates: Tokens, weight: Floats, count: int) -> Coverage:
    """How query and each of `count` candidates cover one another; own and weight are the weights of their tokens."""
    empty = np.zeros(count, np.float32)
    if not len(query.values) or not len(candidates.values):
        return Coverage(empty, empty)
    agreed = _agreed(query, candidates)
    rows = candidates.rows
    covered = np.bincount(rows, agreed.max(1) * weight, count) / np.maximum(
        np.bincount(rows, weight, count), 1e-9
    )
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    best = np.maximum.reduceat(agreed, first, axis=0)
    of_query = empty.copy()
    of_query[rows[first]] = best @ own / own.sum()
    return Coverage(of_query, covered.astype(np.float32))


def _agreed(query: Tokens, candidates: Tokens) -> Floats:
    """[tokens of candidates, tokens of the query]: how well each two agree where they stand."""
    same: NDArray[np.bool_] = candidates.values[:, None] == query.values[None, :]
    alike: Floats = same.astype(np.float32)
    _mistyped(alike, query, candidates)
    # Neighbours on the diagonal agree exactly: in front or behind, in the same stretch of both texts.
    linked = candidates.joined[1:, None] & query.joined[None, 1:]
    beside = np.zeros_like(same)
    beside[1:, 1:] |= same[:-1, :-1] & linked
    beside[:-1, :-1] |= same[1:, 1:] & linked
    number = same & query.is_number[None, :]
    alike[~beside & ~same] = 0.0
    alike[same & ~beside & ~number] = ALONE
    return alike


def _mistyped(alike: Floats, query: Tokens, candidates: Tokens) -> None:
    """Write SOUND and SHAPE where two different characters sound or look alike."""
    sounds = _sounds()
    of_query = sounds[np.minimum(query.values, _MOST - 1)]
    of_candidates = sounds[np.minimum(candidates.values, _MOST - 1)]
    heard = (of_candidates[:, None] == of_query[None, :]) & (of_query > 0)[None, :]
    alike[heard & (alike == 0)] = SOUND
    looks = np.full(_MOST, -1, np.int16)
    for at, value in enumerate(query.values.tolist()):
        if value < _MOST:
            looks[_looks().get(value, _NONE)] = at
    found = looks[np.minimum(candidates.values, _MOST - 1)]
    rows = np.flatnonzero(found >= 0)
    cells = (rows, found[rows])
    alike[cells] = np.maximum(alike[cells], SHAPE)


_NONE = np.zeros(0, np.int64)


@cache
def _sounds() -> NDArray[np.uint16]:
    """Code point → number of its usual syllable; 0 for none."""
    numbers: dict[str, int] = {}
    found = np.zeros(_MOST, np.uint16)
    for point in range(0x4E00, 0xA000):
        if usual := syllables(chr(point)):
            found[point] = numbers.setdefault(usual[0], len(numbers) + 1)
    return found


@cache
def _looks() -> dict[int, NDArray[np.int64]]:
    """Code point → code points that are mistaken for it, or it for them."""
    found: dict[int, set[int]] = {}
    for wrong, meant in read_table("lookalikes.tsv").items():
        for char in meant:
            found.setdefault(ord(char), set()).add(ord(wrong))
            found.setdefault(ord(wrong), set()).add(ord(char))
    return {point: np.array(sorted(others)) for point, others in found.items()}
