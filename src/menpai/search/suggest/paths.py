"""Rows as paths of elements: 浙江省 · 杭州市 · 西湖区 · 文三路 · 123号, numbered by the elements' order."""

from __future__ import annotations

from array import array
from typing import NamedTuple

import numpy as np

from menpai.search.columns import Numbers
from menpai.search.segment import KINDS, Segment

DEEPEST = 12
"Elements of a path; what follows belongs to the last one."
_POI = KINDS.index("poi")


class Paths(NamedTuple):
    """`elements`: distinct texts, ascending. Of each row in tree order: `order` (its number in the segment), `depth`,
    `grid` (elements by depth, -1 beyond the path) and `kinds`."""

    elements: list[str]
    order: Numbers
    depth: Numbers
    grid: Numbers
    kinds: Numbers


def read_paths(segment: Segment) -> Paths:
    """The paths of all rows; a name that the address does not end with is the last element."""
    numbers, flat, counts, named = _number(segment)
    texts = sorted(numbers)
    rank = np.empty(len(texts), np.int32)
    rank[np.fromiter((numbers[text] for text in texts), np.int64, len(texts))] = np.arange(len(texts))
    inside = np.arange(DEEPEST) < counts[:, None]
    grid = np.full(inside.shape, -1, np.int32)
    grid[inside] = rank[flat]
    kinds = np.zeros(inside.shape, np.uint8)
    kinds[inside] = _kinds(segment, counts, named)
    used = max(int(counts.max(initial=1)), 1)
    order = np.lexsort(grid[:, used - 1 :: -1].T).astype(np.int32)
    return Paths(
        [text.decode() for text in texts], order, counts[order], grid[order, :used], kinds[order, :used]
    )


def _number(segment: Segment) -> tuple[dict[bytes, int], Numbers, Numbers, Numbers]:
    """Number of each text, the numbers of each row's elements, how many each row has, which end with a name.

    Rows stand sorted, so that a row's first elements are mostly those of the row before.
    """
    numbers: dict[bytes, int] = {}
    flat, counts, named = array("i"), array("H"), bytearray()
    cuts, at = segment.cut_ends.tolist(), segment.cut_at.tolist()
    before_key, before_ends, before = b"", list[int](), list[int]()
    for row, (key, name) in enumerate(
        zip(segment.keys.all_bytes(), segment.name_keys.all_bytes(), strict=True)
    ):
        ends, apart = _ends(key, name, cuts[at[row] : at[row + 1]])
        start = shared = 0
        for end, former in zip(ends, before_ends, strict=False):
            if end != former or key[start:end] != before_key[start:end]:
                break
            start, shared = end, shared + 1
        found = before[:shared]
        for end in ends[shared:]:
            found.append(numbers.setdefault(_plain(key[start:end]), len(numbers)))
            start = end
        before_key, before_ends, before = key, ends, found
        flat.extend(found)
        if apart:
            flat.append(numbers.setdefault(_plain(name), len(numbers)))
        counts.append(len(found) + apart)
        named.append(apart)
    return (
        numbers,
        np.frombuffer(flat, np.int32) if flat else np.zeros(0, np.int32),
        np.frombuffer(counts, np.uint16).astype(np.int64) if counts else np.zeros(0, np.int64),
        np.frombuffer(named, np.bool_) if named else np.zeros(0, np.bool_),
    )


def row_ends(segment: Segment, row: int) -> tuple[bytes, list[int]]:
    """A row's key, and where its elements end in it; the row's name follows if it is apart."""
    cuts = segment.cut_ends[int(segment.cut_at[row]) : int(segment.cut_at[row + 1])].tolist()
    key = segment.keys.bytes_at(row)
    return key, _ends(key, segment.name_keys.bytes_at(row), cuts)[0]


def _ends(key: bytes, name: bytes, cuts: list[int]) -> tuple[list[int], bool]:
    """The ends of a row's elements, and whether its name is another element behind them."""
    apart = bool(name) and not key.endswith(name)
    if len(cuts) + apart > DEEPEST:
        cuts[DEEPEST - 1 - apart :] = [len(key)]
    return cuts, apart


def _plain(element: bytes) -> bytes:
    """An element without the spaces and apostrophes that may or may not be typed."""
    return element.translate(None, b" '")


def _kinds(segment: Segment, counts: Numbers, named: Numbers) -> Numbers:
    """The kind of each element of each row, one after another."""
    ends = np.cumsum(counts)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
    source = np.repeat(segment.cut_at[:-1].astype(np.int64), counts) + within
    last = np.zeros(len(source), np.bool_)
    last[ends[named] - 1] = True
    kinds = np.full(len(source), _POI, np.uint8)
    kinds[~last] = segment.cut_kinds[source[~last]]
    return kinds
