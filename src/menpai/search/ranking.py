"""Ranking of candidates by their text: what each shares with the query, field by field, as named features in 0..1.

Texts are compared token by token in one matrix (tokens of all candidates × tokens of the query). A token counts fully
beside a neighbour that agrees too, half where it agrees alone, and a mistyped one (same sound, like shape) where its
neighbour is right. A token's weight is that of the rarest key that it is part of. The weights of the features were
fitted on one half of the queries of benchmarks/finding.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.parsing.tables import read_table
from menpai.search.keys import Tokens, Weighing, tokens_of
from menpai.text.pinyin import syllables

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
ALONE, SOUND, SHAPE = 0.5, 0.75, 0.65
_POINTS = 1 << 16
_BRANCH = re.compile(r"\([^()]*\)?$")


class Text(NamedTuple):
    """An address and a name, normalized; either may be empty."""

    address: str
    name: str = ""

    @property
    def joined(self) -> str:
        """Both, so that no key reaches across."""
        return f"{self.address}\n{self.name}"


class Fields(NamedTuple):
    """Tokens of texts, which of them are of the name, and which of its main part (without a branch in brackets)."""

    tokens: Tokens
    weight: Floats
    named: Mask
    main: Mask


class Coverage(NamedTuple):
    """For each candidate: how much of the query it covers, and how much of it the query covers."""

    query: Floats
    candidate: Floats


def fields_of(texts: Sequence[Text], weighing: Weighing) -> Fields:
    """The tokens of texts with their weights and fields."""
    tokens = tokens_of([text.joined for text in texts])
    lengths = np.array([len(text.joined) + 2 for text in texts])
    first = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    name = first + [len(text.address) for text in texts]
    ends = name + [len(_BRANCH.sub("", text.name)) or len(text.name) for text in texts]
    named = tokens.starts > name[tokens.rows]
    return Fields(tokens, weighing.tokens(tokens), named, named & (tokens.starts <= ends[tokens.rows]))


def features(query: Text, candidates: Sequence[Text], weighing: Weighing) -> dict[str, Floats]:
    """The features of each candidate: of the whole texts, of its name, and for a name at an address of both fields.

    What a row without a name has no answer to is NaN, unless a name is asked for: its address may hold it then.
    """
    own, other = fields_of([query], weighing), fields_of(candidates, weighing)
    agreed = _agreed(own.tokens, other.tokens)
    rows, count = other.tokens.rows, len(candidates)
    everything = np.ones(len(own.named), bool)
    nameless = np.bincount(rows, other.named, count) == 0

    def cover(of_query: Mask, of_candidates: Mask) -> Coverage:
        return _cover(agreed, own.weight, other.weight, rows, count, of_query, of_candidates)

    whole = cover(everything, np.ones(len(rows), bool))
    found = {"query": whole.query, "candidate": whole.candidate}
    if not query.name or not query.address:
        for field, mask in (("name_candidate", other.named), ("main_candidate", other.main)):
            found[field] = np.where(nameless, np.nan, cover(everything, mask).candidate)
        return found
    name, main = cover(own.named, other.named | nameless[rows]), cover(own.main, other.main | nameless[rows])
    address = cover(~own.named, ~other.named)
    return found | {
        "name_candidate": name.candidate, "main_query": main.query, "main_candidate": main.candidate,
        "address_query": address.query,
    }  # fmt: skip


def _cover(
    agreed: Floats,
    own: Floats,
    weight: Floats,
    rows: NDArray[np.int64],
    count: int,
    of_query: Mask,
    of_candidates: Mask,
) -> Coverage:
    """Coverage between some of the query's tokens and some of the candidates'."""
    query, covered = np.zeros(count), np.zeros(count)
    own, rows, weight = own[of_query], rows[of_candidates], weight[of_candidates]
    if not len(own) or not len(rows):
        return Coverage(query, covered)
    part = agreed[np.ix_(of_candidates, of_query)]
    total = np.bincount(rows, weight, count)
    covered = np.bincount(rows, part.max(1) * weight, count) / np.maximum(total, 1e-9)
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    query[rows[first]] = np.maximum.reduceat(part, first, axis=0) @ own / own.sum()
    return Coverage(query, covered)


def _agreed(query: Tokens, candidates: Tokens) -> Floats:
    """[tokens of candidates, tokens of the query]: how well each two agree where they stand."""
    same: Mask = candidates.values[:, None] == query.values[None, :]
    # Neighbours on the diagonal agree exactly: in front or behind, in the same stretch of both texts.
    linked = candidates.joined[1:, None] & query.joined[None, 1:]
    beside = np.zeros_like(same)
    beside[1:, 1:] |= same[:-1, :-1] & linked
    beside[:-1, :-1] |= same[1:, 1:] & linked
    alike = np.where(same, np.where(beside | query.is_number[None, :], 1.0, ALONE), 0.0)
    at, of = np.nonzero(beside & ~same)
    alike[at, of] = _mistyped(candidates.values[at], query.values[of])
    return alike


def _mistyped(written: NDArray[np.uint64], meant: NDArray[np.uint64]) -> Floats:
    """How alike two different characters are: SOUND, SHAPE or 0."""
    sounds = _sounds()
    written, meant = np.minimum(written, _POINTS - 1), np.minimum(meant, _POINTS - 1)
    heard = (sounds[written] == sounds[meant]) & (sounds[meant] > 0)
    looks = _looks()
    key = written << np.uint64(16) | meant
    at = np.minimum(np.searchsorted(looks, key), len(looks) - 1)
    return np.where(heard, SOUND, np.where(looks[at] == key, SHAPE, 0.0))


@cache
def _sounds() -> NDArray[np.uint16]:
    """Code point → number of its usual syllable; 0 for none."""
    numbers: dict[str, int] = {}
    found = np.zeros(_POINTS, np.uint16)
    for point in range(0x4E00, 0xA000):
        if usual := syllables(chr(point)):
            found[point] = numbers.setdefault(usual[0], len(numbers) + 1)
    return found


@cache
def _looks() -> NDArray[np.uint64]:
    """Two code points of which one is mistaken for the other, as one number each, ascending."""
    pairs = [
        (ord(wrong), ord(char)) for wrong, meant in read_table("lookalikes.tsv").items() for char in meant
    ]
    return np.unique(np.array([a << 16 | b for a, b in pairs] + [b << 16 | a for a, b in pairs], np.uint64))
