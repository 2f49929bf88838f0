"""Candidate pairs: which rows share rare keys. All rows at once, as a join over the keys of search.

Postings as runs (search.keys.postings) answer one query at a time; a table asks for all of its rows, so keys are
joined block by block in a few NumPy calls. Rows are given sorted by their text, so that ties do not depend on the
order of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.search.keys import terms_of_tokens, tokens_of
from menpai.search.keys.postings import expand, weights

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
_BLOCK = 512
"Left rows that are joined at a time."
_READ = 1 << 16
_BUDGET = 2_000
"Rows that the keys of one left row may lead to, the rarest keys first."
_BUCKET = 20_000
"Rows of a key that is never looked at, however rare the others are."
_WIDE = 2
"Pairs by their rare keys for each that is kept by all keys."
_LOW = np.uint64(0xFFFFFFFF)


class Pairs(NamedTuple):
    """Pairs of places, by left and then by `score` (shares of both sides' weight, 0..2), the greatest first."""

    left: Places
    right: Places
    score: Floats

    def keep(self, mask: NDArray[np.bool_] | Places) -> Pairs:
        """The pairs of a mask, or at these places in this order."""
        return Pairs(self.left[mask], self.right[mask], self.score[mask])


class _Index(NamedTuple):
    """Keys (term, row) ascending; of term t the rows are `rows[at[t]:at[t + 1]]`."""

    keys: NDArray[np.uint64]
    rows: NDArray[np.uint32]
    terms: NDArray[np.uint32]
    at: Places
    weight: Floats
    norms: Floats


class _Asked(NamedTuple):
    """Keys of left rows, by row and the rarest first: the row, the term's place in the index, its weight."""

    rows: Places
    terms: Places
    weight: Floats


def find_pairs(
    left: Sequence[str],
    right: Sequence[str],
    limit: int,
    *,
    own: bool = False,
    told: Callable[[float], None] = lambda _: None,
) -> Pairs:
    """For each left text the `limit` right texts that share most; `own`: both are one table, no row meets itself."""
    index = _index(right)
    blocks = [Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    for start in range(0, len(left), _BLOCK):
        blocks.append(_joined(index, left[start : start + _BLOCK], start, limit, own))
        told(min(1.0, (start + _BLOCK) / len(left)))
    return Pairs(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def best(pairs: Pairs, score: Floats, limit: int) -> Pairs:
    """The `limit` pairs of each left row with the greatest score, which replaces the old one."""
    order = np.lexsort((pairs.right, -score, pairs.left))
    left = pairs.left[order]
    kept = order[ranks(left) < limit]
    return Pairs(pairs.left[kept], pairs.right[kept], score[kept])


def _strongest(pairs: Pairs, score: Floats, limit: int) -> Pairs:
    """The same for pairs of one block by left and right, and scores in 0..2, of which 22 bits count: sorted as plain
    numbers (left, score, place), which is several times as fast. The old scores stay."""
    step = np.clip((2.0 - score) * (1 << 22), 0, (1 << 23) - 1).astype(np.uint64)
    keys = pairs.left.astype(np.uint64) << np.uint64(55) | step << np.uint64(32)
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    order = (keys & _LOW).astype(np.int64)
    return pairs.keep(order[ranks(pairs.left[order]) < limit])


def near_best(pairs: Pairs, share: float = 0.7) -> Pairs:
    """The pairs whose score is at least that share of their left row's best: where noise was written into a million
    addresses, the true row was among these whenever it was among the ten best."""
    first = np.flatnonzero(np.diff(pairs.left, prepend=-1))
    most = np.repeat(pairs.score[first], np.diff(first, append=len(pairs.left)))
    return pairs.keep(pairs.score >= share * most)


def ranks(groups: Places) -> Places:
    """The place of each entry in its stretch of equal numbers, from 0."""
    first = np.flatnonzero(np.diff(groups, prepend=-1))
    return np.arange(len(groups)) - np.repeat(first, np.diff(first, append=len(groups)))


def _sums(groups: NDArray[np.integer], values: Floats, count: int) -> Floats:
    """The sum of the values of each group."""
    return np.bincount(groups, values, count).astype(np.float64)


def _keys(texts: Sequence[str], by_term: bool) -> NDArray[np.uint64]:
    """The different (term, row), or (row, term), of texts, ascending."""
    blocks = [np.zeros(0, np.uint64)]
    for start in range(0, len(texts), _READ):
        tokens = tokens_of(texts[start : start + _READ])
        terms, places = terms_of_tokens(tokens)
        row, term = (tokens.rows[places] + start).astype(np.uint64), terms.astype(np.uint64)
        blocks.append(term << np.uint64(32) | row if by_term else row << np.uint64(32) | term)
    keys = np.concatenate(blocks)
    keys.sort()  # np.unique hashes since NumPy 2.3, which is five times as slow here
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return keys[new]


def _index(texts: Sequence[str]) -> _Index:
    keys = _keys(texts, by_term=True)
    terms, rows = (keys >> np.uint64(32)).astype(np.uint32), (keys & _LOW).astype(np.uint32)
    first = np.flatnonzero(np.diff(terms.astype(np.int64), prepend=-1))
    counts = np.diff(first, append=len(terms))
    weight = weights(counts, len(texts)).astype(np.float64)
    norms = _sums(rows, np.repeat(weight, counts), len(texts))
    return _Index(keys, rows, terms[first], np.append(first, len(terms)), weight, norms)


def _joined(index: _Index, texts: Sequence[str], start: int, limit: int, own: bool) -> Pairs:
    """The best pairs of a block of left rows."""
    asked, norms = _asked(index, texts)
    counts = np.diff(index.at)[asked.terms]
    spent = np.cumsum(counts)
    before = spent - counts
    first = np.flatnonzero(np.diff(asked.rows, prepend=-1))
    before = before - np.repeat(before[first], np.diff(first, append=len(asked.rows)))
    rare = (counts <= _BUCKET) & ((before == 0) | (before + counts <= _BUDGET))
    found = _shared(index, _Asked(*(part[rare] for part in asked)))
    if own:
        found = found.keep(found.left + start != found.right)
    found = _strongest(found, _relative(found, norms, index), _WIDE * limit)
    more = _added(index, _Asked(*(part[~rare] for part in asked)), found)
    found = best(found, (found.score + more) / _scale(found, norms, index), limit)
    return Pairs(found.left + start, found.right, found.score)


def _asked(index: _Index, texts: Sequence[str]) -> tuple[_Asked, Floats]:
    """The keys that the index has, and the weight of all keys of each row."""
    keys = _keys(texts, by_term=False)
    rows, terms = (keys >> np.uint64(32)).astype(np.int64), (keys & _LOW).astype(np.uint32)
    at = np.minimum(np.searchsorted(index.terms, terms), max(0, len(index.terms) - 1))
    known = index.terms[at] == terms if len(index.terms) else np.zeros(len(terms), bool)
    single = float(weights(np.ones(1, np.int64), max(1, len(index.norms)))[0])
    weight = np.where(known, index.weight[at] if len(index.terms) else 0.0, single)
    norms = _sums(rows, weight, len(texts))
    rows, at, weight = rows[known], at[known], weight[known]
    order = np.lexsort((terms[known], np.diff(index.at)[at], rows))
    return _Asked(rows[order], at[order], weight[order]), norms


def _shared(index: _Index, asked: _Asked) -> Pairs:
    """All pairs that share one of the keys, with the weight that they share."""
    starts, ends = index.at[asked.terms], index.at[asked.terms + 1]
    sizes = ends - starts
    right = index.rows[expand(starts, ends)]
    keys = np.repeat(asked.rows, sizes) << 32 | right
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    weight = np.repeat(asked.weight, sizes)[order]
    shared = np.add.reduceat(weight, first) if len(first) else np.zeros(0)
    return Pairs(keys[first] >> 32, keys[first] & 0xFFFFFFFF, shared)


def _scale(pairs: Pairs, norms: Floats, index: _Index) -> Floats:
    """What a shared weight is divided by: 1 / (1 / left + 1 / right)."""
    left, right = np.maximum(norms[pairs.left], 1e-9), np.maximum(index.norms[pairs.right], 1e-9)
    return np.asarray(left * right / (left + right))


def _relative(pairs: Pairs, norms: Floats, index: _Index) -> Floats:
    return pairs.score / _scale(pairs, norms, index)


def _added(index: _Index, asked: _Asked, pairs: Pairs) -> Floats:
    """The weight of the other keys that each pair shares."""
    first = np.searchsorted(asked.rows, pairs.left)
    sizes = np.searchsorted(asked.rows, pairs.left, "right") - first
    of_pair = np.repeat(np.arange(len(pairs.left)), sizes)
    which = expand(first, first + sizes).astype(np.int64)
    terms = asked.terms[which]
    keys = index.terms[terms].astype(np.uint64) << np.uint64(32) | pairs.right[of_pair].astype(np.uint64)
    at = np.minimum(np.searchsorted(index.keys, keys), max(0, len(index.keys) - 1))
    has = index.keys[at] == keys if len(index.keys) else np.zeros(0, bool)
    return _sums(of_pair, asked.weight[which] * has, len(pairs.left))


def by_left(pairs: Pairs) -> Iterator[tuple[int, int, int]]:
    """For each left row that has pairs: the row, and where its pairs begin and end."""
    first = np.flatnonzero(np.diff(pairs.left, prepend=-1))
    ends = np.append(first[1:], len(pairs.left))
    yield from zip(pairs.left[first].tolist(), first.tolist(), ends.tolist(), strict=True)
