"""Postings as runs: for each term the stretches of neighbouring rows that have it.

Rows of a segment are sorted by their address, so what they share in front is one run for a whole district: a million
rows of one city need 12 bytes a row, those of the whole country 25. A term is kept as single rows where its runs would
take more room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.search.columns import open_numbers, save_numbers
from menpai.search.keys.terms import terms_of_tokens, tokens_of

Numbers = NDArray[np.uint32]
_BLOCK = 1 << 16
_FILES = ("terms", "counts", "at", "runs", "norms")


class Runs(NamedTuple):
    """Rows starts[i] to ends[i] (exclusive), ascending; `total` is how many rows that are."""

    starts: Numbers
    ends: Numbers
    total: int


class Postings(NamedTuple):
    """Terms ascending; of term t: `counts[t]` rows, stored in runs[at[t]:at[t + 1]], and the norm of each row.

    What is stored are the rows themselves if there are as many numbers as rows, else starts and then ends.
    A row's norm is the sum of the weights of its terms.
    """

    terms: Numbers
    counts: Numbers
    at: Numbers
    runs: Numbers
    norms: NDArray[np.float16]

    @property
    def rows(self) -> int:
        """How many rows are indexed."""
        return len(self.norms)

    def find(self, terms: Numbers) -> NDArray[np.int64]:
        """Where each term stands, or -1."""
        if not len(self.terms):
            return np.full(len(terms), -1)
        at = np.minimum(np.searchsorted(self.terms, terms), len(self.terms) - 1)
        return np.where(self.terms[at] == terms, at, -1)

    def runs_of(self, at: int) -> Runs:
        """The rows of the term that `find` gave."""
        stored = self.runs[self.at[at] : self.at[at + 1]]
        count = int(self.counts[at])
        if len(stored) == count:
            return Runs(stored, stored + np.uint32(1), count)
        half = len(stored) // 2
        return Runs(stored[:half], stored[half:], count)


def weights(counts: NDArray[np.integer], rows: int) -> NDArray[np.float32]:
    """How much a term says that so many of the rows have (BM25's inverse document frequency)."""
    return np.log1p((rows - counts + 0.5) / (counts + 0.5)).astype(np.float32)


def build_postings(
    texts: Callable[[int, int], Sequence[str]], rows: int, folder: Path, progress: Callable[[float], None]
) -> None:
    """Write the postings of `rows` texts, which `texts(start, end)` gives block by block."""
    blocks = []
    for start in range(0, rows, _BLOCK):
        blocks.append(_block(texts(start, min(start + _BLOCK, rows)), start))
        progress(0.7 * min(start + _BLOCK, rows) / rows)
    _write(blocks, rows, folder)
    progress(1.0)


def open_postings(folder: Path) -> Postings:
    """The postings of a folder, memory-mapped."""
    terms, counts, at, runs, norms = (open_numbers(folder, name) for name in _FILES)
    if terms is None or counts is None or at is None or runs is None or norms is None:
        raise FileNotFoundError(folder)
    return Postings(terms, counts, at, runs, norms)


class _Block(NamedTuple):
    """Runs of one block of rows, by term and then by row."""

    terms: Numbers
    starts: Numbers
    ends: Numbers


def _block(texts: Sequence[str], first: int) -> _Block:
    tokens = tokens_of(texts)
    terms, places = terms_of_tokens(tokens)
    keys = terms.astype(np.uint64) << np.uint64(32) | tokens.rows[places].astype(np.uint64)
    keys.sort()
    new = np.empty(len(keys), bool)
    new[:1] = True
    gaps = np.diff(keys)
    np.greater(gaps, 1, out=new[1:])  # the same key twice is no new run, and neither is the next row
    starts, ends = (
        keys[new],
        keys[np.append(np.flatnonzero(new)[1:] - 1, len(keys) - 1)] if len(keys) else keys,
    )
    low, base = np.uint64(0xFFFFFFFF), np.uint64(first)
    return _Block(
        (starts >> np.uint64(32)).astype(np.uint32),
        ((starts & low) + base).astype(np.uint32),
        ((ends & low) + base + np.uint64(1)).astype(np.uint32),
    )


def _write(blocks: Sequence[_Block], rows: int, folder: Path) -> None:
    """Join the blocks by term: within a term the rows ascend, since the blocks do."""
    terms = np.concatenate([np.zeros(0, np.uint32), *(block.terms for block in blocks)])
    order = np.argsort(terms, kind="stable")
    terms = terms[order]
    starts = np.concatenate([np.zeros(0, np.uint32), *(block.starts for block in blocks)])[order]
    ends = np.concatenate([np.zeros(0, np.uint32), *(block.ends for block in blocks)])[order]
    first = (
        np.flatnonzero(np.diff(terms, prepend=terms[:1] + np.uint32(1)))
        if len(terms)
        else np.zeros(0, np.int64)
    )
    lengths = (ends - starts).astype(np.int64)
    counts = np.add.reduceat(lengths, first) if len(first) else first
    runs = np.diff(first, append=len(terms))
    at, stored = _packed(starts, ends, runs, counts)
    save_numbers(folder, "terms", terms[first])
    save_numbers(folder, "counts", counts.astype(np.uint32))
    save_numbers(folder, "at", at)
    save_numbers(folder, "runs", stored)
    save_numbers(folder, "norms", _norms(starts, ends, np.repeat(weights(counts, rows), runs), rows))


def _packed(
    starts: Numbers, ends: Numbers, runs: NDArray[np.int64], counts: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], Numbers]:
    """Where each term's numbers begin, and the numbers: its rows, or the starts and ends of its runs."""
    plain = counts < 2 * runs + (counts == 2 * runs)
    sizes = np.where(plain, counts, 2 * runs)
    at = np.concatenate(([0], np.cumsum(sizes))).astype(np.uint64)
    stored = np.empty(int(at[-1]), np.uint32)
    by_run = np.repeat(plain, runs)
    place = np.repeat(at[:-1].astype(np.int64) - np.concatenate(([0], np.cumsum(runs)[:-1])), runs)
    place += np.arange(len(starts))
    stored[place[~by_run]] = starts[~by_run]
    stored[(place + np.repeat(runs, runs))[~by_run]] = ends[~by_run]
    stored[np.repeat(plain, sizes)] = expand(starts[by_run], ends[by_run])
    return at, stored


def expand(starts: NDArray[np.integer], ends: NDArray[np.integer]) -> Numbers:
    """The numbers from each start to its end (exclusive), in order."""
    lengths = (ends - starts).astype(np.int64)
    shift = np.repeat(starts.astype(np.int64) - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return (np.arange(len(shift)) + shift).astype(np.uint32)


def _norms(starts: Numbers, ends: Numbers, weight: NDArray[np.float32], rows: int) -> NDArray[np.float16]:
    """Sum of the weights of each row's terms: what begins at a row and what ends there, summed up."""
    change = np.bincount(starts, weight, rows + 1) - np.bincount(ends, weight, rows + 1)
    return np.cumsum(change)[:rows].astype(np.float16)
