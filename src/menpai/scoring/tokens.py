"""A pair of texts as the arrays an encoder reads: one token a character, agreement flags beside it.

`[CLS] a [SEP] b [SEP]`, the shorter text first, so that (a, b) and (b, a) are the same input. The `types` join
segment and agreement flag: what a character has in common with the other text (nothing, the character, a pair,
a triple of characters) and, for digits and letters, whether the whole number or word stands in the other text.
Rows are padded to a bucket that depends on the pair alone, so that a result never depends on the batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.packs.vocabulary import (
    CLS,
    MASK,
    PAD,
    SEP,
    SPECIAL,
    UNKNOWN,
    IntArray,
    Vocabulary,
    codepoints,
)

__all__ = [
    "BUCKETS", "CLS", "FLAGS", "HEAD", "MASK", "MAX_TOKENS", "PAD", "SEP", "SIDE", "SPECIAL", "TYPES", "UNKNOWN",
    "Rows", "Vocabulary", "codepoints", "encode",
]  # fmt: skip

FLAGS = 6
TYPES = 2 * FLAGS
SIDE = 62
HEAD = 20
MAX_TOKENS = 2 * SIDE + 3
BUCKETS = (16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128)

_RUN = re.compile(r"[0-9]+|[A-Z]+")
_BUCKET_OF = np.searchsorted(BUCKETS, np.arange(MAX_TOKENS + 1))


class Rows(NamedTuple):
    """Encoded pairs of one bucket: `pairs` says which; ids, types, positions are [n, bucket]."""

    pairs: NDArray[np.intp]
    ids: IntArray
    types: IntArray
    positions: IntArray


def encode(pairs: Sequence[tuple[str, str]], vocabulary: Vocabulary) -> Iterator[Rows]:
    """Encoded rows, one `Rows` for each bucket that occurs, every pair in exactly one of them."""
    ordered = [_order(_clip(a), _clip(b)) for a, b in pairs]
    lengths = np.array([(len(a), len(b)) for a, b in ordered], dtype=np.intp).reshape(-1, 2)
    buckets = _BUCKET_OF[lengths.sum(1) + 3]
    for bucket in np.unique(buckets):
        index = np.flatnonzero(buckets == bucket)
        yield _rows(index, [ordered[i] for i in index], lengths[index], BUCKETS[bucket], vocabulary)


def _order(a: str, b: str) -> tuple[str, str]:
    return (a, b) if (len(a), a) <= (len(b), b) else (b, a)


def _clip(text: str) -> str:
    """At most SIDE characters: the head, where divisions stand, and the tail, where the place stands."""
    return text if len(text) <= SIDE else text[:HEAD] + text[HEAD - SIDE :]


def _rows(
    index: NDArray[np.intp],
    pairs: Sequence[tuple[str, str]],
    lengths: NDArray[np.intp],
    width: int,
    vocabulary: Vocabulary,
) -> Rows:
    """The arrays of the pairs of one bucket."""
    count = len(pairs)
    sides = [_Side([pair[k] for pair in pairs], lengths[:, k]) for k in (0, 1)]
    agreement = _agreement(sides[0], sides[1])
    ids, types, positions = (np.zeros((count, width), dtype=np.int32) for _ in range(3))
    row = np.arange(count)
    ids[:, 0] = CLS
    start = np.ones(count, dtype=np.intp)
    for segment, (side, flags) in enumerate(zip(sides, agreement, strict=True)):
        rows, columns = side.rows, side.columns
        at = start[rows] + columns
        ids[rows, at] = vocabulary.ids(side.joined)
        types[rows, at] = segment * FLAGS + flags[rows, columns]
        positions[rows, at] = columns + 1
        end = start + side.lengths
        ids[row, end] = SEP
        types[row, end] = segment * FLAGS
        positions[row, end] = side.lengths + 1
        start = end + 1
    return Rows(index, ids, types, positions)


class _Side:
    """The texts of one side of a batch as a padded matrix of code points."""

    def __init__(self, texts: Sequence[str], lengths: NDArray[np.intp]) -> None:
        self.texts = texts
        self.lengths = lengths
        self.joined = "".join(texts)
        self.rows = np.repeat(np.arange(len(texts)), lengths)
        starts = np.cumsum(lengths) - lengths
        self.columns = np.arange(len(self.joined)) - np.repeat(starts, lengths)
        self.matrix = np.zeros((len(texts), max(3, int(lengths.max(initial=0)))), dtype=np.uint32)
        self.matrix[self.rows, self.columns] = codepoints(self.joined)


def _agreement(a: _Side, b: _Side) -> tuple[IntArray, IntArray]:
    """Flags 0..5 for each character of both sides; padding is never read."""
    same = (a.matrix[:, :, None] == b.matrix[:, None, :]) & (a.matrix != 0)[:, :, None]
    pairs = same[:, :-1, :-1] & same[:, 1:, 1:]
    triples = pairs[:, :-1, :-1] & pairs[:, 1:, 1:]
    flags = []
    for axis in (2, 1):
        flag = same.any(axis).astype(np.int32)
        for level, grams, reach in ((2, pairs.any(axis), 2), (3, triples.any(axis), 3)):
            for shift in range(reach):
                window = flag[:, shift : shift + grams.shape[1]]
                window[grams] = level
        flags.append(flag)
    _mark_runs(a.texts, b.texts, flags[0], flags[1])
    return flags[0], flags[1]


def _mark_runs(a: Sequence[str], b: Sequence[str], flags_a: IntArray, flags_b: IntArray) -> None:
    """Set 4 on the characters of a number or Latin word that the other text has too, 5 if it has not."""
    for row, texts in enumerate(zip(a, b, strict=True)):
        runs = [[(m.group(), m.start(), m.end()) for m in _RUN.finditer(text)] for text in texts]
        known = [{run[0] for run in side} for side in runs]
        for spans, other, flags in ((runs[0], 1, flags_a), (runs[1], 0, flags_b)):
            for run, start, end in spans:
                flags[row, start:end] = 4 if run in known[other] else 5
