"""The keys of a text, for many texts at once: pairs of characters, numbers, numbers behind what they stand at.

A term is 32 bits. Two Chinese characters are their two code points, without any collision; the other kinds are hashed
into what code points leave free (0.04 % of 500,000 of them meet another).

    文三路123号3幢502室 → 文三 三路 号… | 123 3 502 | 三路123 | 123›3 3›502

Unit words are no keys: 3幢, 3号楼 and 3-502 share theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]
Places = NDArray[np.int64]

_HAN = (0x4E00, 0x9FFF)
# Terms below this value are hashed; a pair of Chinese characters is above it.
_HASHED = _HAN[0] << 16
_LONGEST = 12
"Characters of a number that count."
_NEAR = 4
"Characters that may stand between two numbers that belong together: 3号楼2, 3-2."
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_AGAIN = np.uint64(0xBF58476D1CE4E5B9)


class Tokens(NamedTuple):
    """Texts as tokens: a Chinese character is its code point, a number or Latin word one value above all code points.

    `rows` is the text that each stands in, `joined` whether nothing stands between it and the token before; starts and
    ends are places among the characters of all texts, each text with two line ends behind it.
    """

    values: NDArray[np.uint64]
    rows: NDArray[np.int64]
    joined: NDArray[np.bool_]
    is_number: NDArray[np.bool_]
    starts: Places
    ends: Places


class Terms(NamedTuple):
    """Terms, and the place among the tokens of the last token of each; a text may have a term twice."""

    terms: Numbers
    places: Places


def terms_of(text: str) -> Numbers:
    """The different terms of one normalized text, ascending."""
    return np.unique(terms_of_tokens(tokens_of([text])).terms)


def tokens_of(texts: Sequence[str]) -> Tokens:
    """The tokens of normalized texts, in order; what is neither Chinese, digit nor Latin letter is a gap."""
    points = np.frombuffer("".join(f"{text}\n\n" for text in texts).encode("utf-32-le", "replace"), np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts)) + 2
    rows = np.repeat(np.arange(len(texts)), lengths)
    han = (points >= _HAN[0]) & (points <= _HAN[1])
    plain = (
        ((points >= 48) & (points <= 57))
        | ((points >= 65) & (points <= 90))
        | ((points >= 97) & (points <= 122))
    )
    edges = np.flatnonzero(np.diff(plain.astype(np.int8), prepend=0))
    first = han.copy()
    first[edges[::2]] = True
    starts = np.flatnonzero(first)
    is_number = plain[starts]
    ends = starts + 1
    ends[is_number] = edges[1::2]
    values = points[starts].astype(np.uint64)
    values[is_number] = _numbers(points, edges[::2], edges[1::2])
    joined = np.zeros(len(starts), bool)
    joined[1:] = starts[1:] == ends[:-1]
    return Tokens(values, rows[starts], joined, is_number, starts, ends)


def terms_of_tokens(tokens: Tokens) -> Terms:
    """The terms of all kinds."""
    values, number, joined = tokens.values, tokens.is_number, tokens.joined
    pairs = np.flatnonzero(joined & ~number & ~np.roll(number, 1))
    alone = np.flatnonzero(number)
    led = alone[joined[alone] & np.roll(joined & ~number & ~np.roll(number, 1), 1)[alone]]
    heads = values[led - 2] << np.uint64(20) | values[led - 1]
    near = (tokens.rows[alone][1:] == tokens.rows[alone][:-1]) & (
        tokens.starts[alone][1:] - tokens.ends[alone][:-1] <= _NEAR
    )
    after = alone[1:][near]
    return Terms(
        np.concatenate(
            (
                (values[pairs - 1] << np.uint64(16) | values[pairs]).astype(np.uint32),
                hashed(values[alone], 1),
                hashed(values[led] ^ scrambled(heads), 2),
                hashed(scrambled(values[alone[:-1][near]]) ^ values[after], 3),
            )
        ),
        np.concatenate((pairs, alone, led, after)),
    )


def _numbers(points: Numbers, starts: Places, ends: Places) -> NDArray[np.uint64]:
    """One value for each stretch of digits and letters, the same for the same characters; above all code points."""
    values, lengths = np.full(len(starts), 1, np.uint64), ends - starts
    for at in range(min(_LONGEST, int(lengths.max(initial=0)))):
        inside = lengths > at
        values[inside] = values[inside] * np.uint64(131) + points[starts[inside] + at]
    return values | np.uint64(1 << 40)


def hashed(values: NDArray[np.uint64], kind: int) -> Numbers:
    """Values of one kind as terms below _HASHED."""
    return (scrambled(values + np.uint64(kind << 60)) % np.uint64(_HASHED)).astype(np.uint32)


def scrambled(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64 (Steele, Lea, Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * _MIX
    values = (values ^ (values >> np.uint64(27))) * _MIX_AGAIN
    return values ^ (values >> np.uint64(31))
