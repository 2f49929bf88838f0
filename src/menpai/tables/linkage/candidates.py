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

from menpai.search.keys.postings import expand, weights
from menpai.tables.linkage.terms import keys_of
from menpai.tables.linkage.threads import ordered
from menpai.tables.linkage.vetoes import number_bits

Places = NDArray[np.int64]
Floats = NDArray[np.float64]
_BLOCK = 512
"Left rows that are joined at a time."
_READ = 1 << 16
BUDGET = 3_000
"Rows that the keys of one left row may lead to, the rarest keys first."
BUCKET = 20_000
"Rows of a key that is never looked at, however rare the others are."
MORE = 40
"Pairs by their rare keys beyond those that are kept by all keys."
NEAR_LINK, NEAR_CLUSTERS = 0.7, 0.3
"""Of two tables a row's pairs are compared whose score is such a share of its best one's; of one table, where two mistyped
spellings lie far from each other, less will do."""
_LOW = np.uint64(0xFFFFFFFF)
_ROW, _WEIGHT = np.uint64(52), np.uint64(20)
"Bits below the left row, and below the right one, in a shared key that is sorted as one number."
UNIT = 1 << 16
"Weights are multiples of one part in so many: their sums are exact, whatever order they are added in."


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
    numbers: NDArray[np.uint64]
    "Of each row, a bit for each of its numbers; nothing where numbers rule nothing out."


class _Asked(NamedTuple):
    """Keys of left rows, by row and the rarest first: the row, the term's place in the index, its weight."""

    rows: Places
    terms: Places
    weight: Floats

    def keep(self, mask: NDArray[np.bool_]) -> _Asked:
        """Those of a mask."""
        return _Asked(self.rows[mask], self.terms[mask], self.weight[mask])


def find_pairs(
    left: Sequence[str],
    right: Sequence[str],
    limit: int,
    *,
    own: bool = False,
    numbers: bool = False,
    near: float = 0.0,
    threads: int = 1,
    told: Callable[[float], None] = lambda _: None,
) -> Pairs:
    """For each left text the `limit` right texts that share most; `own`: both are one table, no row meets itself.
    `numbers`: two texts each with a number that the other lacks are no pair. `near`: see near_best. Threads and blocks
    move nothing."""
    index = _index(right, numbers)
    blocks = [Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]

    def joined(start: int) -> Pairs:
        return near_best(_joined(index, left[start : start + _BLOCK], start, limit, own, numbers), near)

    starts = range(0, len(left), _BLOCK)
    for done, block in enumerate(ordered(joined, starts, threads), 1):
        blocks.append(block)
        told(done / len(starts))
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


def near_best(pairs: Pairs, share: float = NEAR_LINK) -> Pairs:
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


def keys_in(texts: Sequence[str], by_term: bool) -> NDArray[np.uint64]:
    """The different (term, row), or (row, term), of texts, ascending."""
    blocks = [np.zeros(0, np.uint64)]
    for start in range(0, len(texts), _READ):
        terms, rows = keys_of(texts[start : start + _READ])
        row, term = (rows + start).astype(np.uint64), terms.astype(np.uint64)
        blocks.append(term << np.uint64(32) | row if by_term else row << np.uint64(32) | term)
    keys = np.concatenate(blocks)
    keys.sort()  # np.unique hashes since NumPy 2.3, which is five times as slow here
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return keys[new]


def _index(texts: Sequence[str], numbers: bool = False) -> _Index:
    keys = keys_in(texts, by_term=True)
    terms, rows = (keys >> np.uint64(32)).astype(np.uint32), (keys & _LOW).astype(np.uint32)
    first = np.flatnonzero(np.diff(terms.astype(np.int64), prepend=-1))
    counts = np.diff(first, append=len(terms))
    weight = term_weights(counts, len(texts))
    norms = _sums(rows, np.repeat(weight, counts), len(texts))
    bits = number_bits(texts) if numbers else np.zeros(0, np.uint64)
    return _Index(keys, rows, terms[first], np.append(first, len(terms)), weight, norms, bits)


def term_weights(counts: Places, rows: int) -> Floats:
    """What each term weighs that so many of the rows have."""
    found = np.minimum(weights(counts, rows).astype(np.float64), 15.9)
    return np.asarray(np.round(found * UNIT) / UNIT)


def _joined(
    index: _Index, texts: Sequence[str], start: int, limit: int, own: bool, numbers: bool = False
) -> Pairs:
    """The best pairs of a block of left rows."""
    asked, norms = _asked(index, texts)
    rare = rare_keys(asked.rows, np.diff(index.at)[asked.terms])
    bits = number_bits(texts) if numbers else None
    found = _shared(index, asked.keep(rare), bits)
    if own:
        found = found.keep(found.left + start != found.right)
    found = _strongest(found, _relative(found, norms, index), limit + MORE)
    more = _added(index, asked.keep(~rare), found)
    found = best(found, (found.score + more) / _scale(found, norms, index), limit)
    return Pairs(found.left + start, found.right, found.score)


def rare_keys(rows: Places, counts: Places, budget: int = BUDGET, bucket: int = BUCKET) -> NDArray[np.bool_]:
    """Which keys of left rows, the rarest of each row first, are joined: as many as lead to `budget` rows, at least one."""
    before = np.cumsum(counts) - counts
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    before = before - np.repeat(before[first], np.diff(first, append=len(rows)))
    return np.asarray((counts <= bucket) & ((before == 0) | (before + counts <= budget)))


def _asked(index: _Index, texts: Sequence[str]) -> tuple[_Asked, Floats]:
    """The keys that the index has, and the weight of all keys of each row."""
    keys = keys_in(texts, by_term=False)
    rows, terms = (keys >> np.uint64(32)).astype(np.int64), (keys & _LOW).astype(np.uint32)
    at = np.minimum(np.searchsorted(index.terms, terms), max(0, len(index.terms) - 1))
    known = index.terms[at] == terms if len(index.terms) else np.zeros(len(terms), bool)
    single = float(term_weights(np.ones(1, np.int64), max(1, len(index.norms)))[0])
    weight = np.where(known, index.weight[at] if len(index.terms) else 0.0, single)
    norms = _sums(rows, weight, len(texts))
    rows, at, weight = rows[known], at[known], weight[known]
    order = np.lexsort((terms[known], np.diff(index.at)[at], rows))
    return _Asked(rows[order], at[order], weight[order]), norms


def _shared(index: _Index, asked: _Asked, bits: NDArray[np.uint64] | None) -> Pairs:
    """All pairs that share one of the keys, with the weight that they share: each sharing is one number (left row,
    right row, weight), so that a plain sort brings those of a pair together."""
    starts, ends = index.at[asked.terms], index.at[asked.terms + 1]
    right = index.rows[expand(starts, ends)].astype(np.uint64)
    weight = np.round(asked.weight * UNIT).astype(np.uint64)
    keys = np.repeat(asked.rows.astype(np.uint64) << _ROW | weight, ends - starts)
    if bits is not None:
        mine, theirs = np.repeat(bits[asked.rows], ends - starts), index.numbers[right]
        keep = ((mine & ~theirs) == 0) | ((theirs & ~mine) == 0)
        keys, right = keys[keep], right[keep]
    keys |= right << _WEIGHT
    keys.sort()
    pairs = keys >> _WEIGHT
    first = np.flatnonzero(np.diff(pairs, prepend=~pairs[:1]))
    shares = (keys & np.uint64((1 << 20) - 1)).astype(np.int64)
    shared = np.add.reduceat(shares, first) / UNIT if len(first) else np.zeros(0)
    pairs = pairs[first].astype(np.int64)
    return Pairs(pairs >> 32, pairs & 0xFFFFFFFF, shared)


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
    order = np.argsort(keys)  # ascending, the search walks the index once
    at = np.empty(len(keys), np.int64)
    at[order] = np.searchsorted(index.keys, keys[order])
    at = np.minimum(at, max(0, len(index.keys) - 1))
    has = index.keys[at] == keys if len(index.keys) else np.zeros(0, bool)
    return _sums(of_pair, asked.weight[which] * has, len(pairs.left))


def by_left(pairs: Pairs) -> Iterator[tuple[int, int, int]]:
    """For each left row that has pairs: the row, and where its pairs begin and end."""
    first = np.flatnonzero(np.diff(pairs.left, prepend=-1))
    ends = np.append(first[1:], len(pairs.left))
    yield from zip(pairs.left[first].tolist(), first.tolist(), ends.tolist(), strict=True)
