"""The cheapest veto: two texts, each with a number that the other lacks, are no pair, whatever else they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
_READ = 1 << 16
_LONGEST = 12
_MIX = np.uint64(0x9E3779B97F4A7C15)
_DASH, _LIST = ord("-"), np.array([ord(char) for char in ",、/"], np.uint32)


def number_bits(texts: Sequence[str]) -> Bits:
    """Of each text one of 64 bits for each of its numbers, zeros in front left out. Two numbers may have one bit, so a
    missing bit is sure and a shared one is not. None where a lone range or a list stands for more than is written."""
    blocks = [np.zeros(0, np.uint64)]
    blocks += [_bits(texts[start : start + _READ]) for start in range(0, len(texts), _READ)]
    return np.concatenate(blocks)


def _bits(texts: Sequence[str]) -> Bits:
    points = np.frombuffer("".join(f"{text}\n\n" for text in texts).encode("utf-32-le", "replace"), np.uint32)
    rows = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.int64, len(texts)) + 2)
    digits = (points >= 48) & (points <= 57)
    edges = np.flatnonzero(np.diff(digits.astype(np.int8), prepend=0))
    starts, ends = edges[::2], edges[1::2]
    values, sizes = np.zeros(len(starts), np.uint64), ends - starts
    for at in range(min(_LONGEST, int(sizes.max(initial=0)))):
        inside = sizes > at
        values[inside] = values[inside] * np.uint64(10) + (points[starts[inside] + at] - np.uint32(48))
    bit = np.uint64(1) << (values * _MIX >> np.uint64(58))
    found = np.zeros(len(texts), np.uint64)
    np.bitwise_or.at(found, rows[starts], bit)
    found[rows[starts[_opens_several(points, starts, ends)]]] = 0
    return found


def _opens_several(
    points: NDArray[np.uint32], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The numbers that begin a range of two (12-16) or a list (2、4): 3-2-101 is neither."""
    near = np.zeros(len(starts) + 1, bool)
    near[1:-1] = starts[1:] == ends[:-1] + 1
    between = np.append(points[ends], 0)[: len(starts)]
    dashed = near[1:] & (between == _DASH)
    before, after = np.append(False, dashed[:-1]), np.append(dashed[1:], False)
    return np.flatnonzero((dashed & ~before & ~after) | (near[1:] & np.isin(between, _LIST)))
