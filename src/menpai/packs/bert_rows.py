"""Token ids as the arrays that a BERT's graph reads: `[CLS] a [SEP]`, or `[CLS] a [SEP] b [SEP]`, in rows of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.packs.vocabulary import IntArray
from menpai.packs.wordpiece import WordPiece

# Rows of one length run together, without padding; where it is asked for, fewer than FEW take in rows up to NEAR longer:
# on a CPU four rows together cost an eighth less than alone, padding included, since weights are read once for all.
FEW = 4
NEAR = 1 / 8
# Tokens in one run of the engine: enough to amortise the call, few enough to stay in the cache.
TOKEN_BUDGET = 1024


class Rows(NamedTuple):
    """Rows of one width: `at` says which; each input is int32 [n, width]; `lengths` [n] counts their tokens."""

    at: NDArray[np.intp]
    inputs: dict[str, IntArray]
    lengths: NDArray[np.intp]


def single_rows(texts: Sequence[IntArray], tokenizer: WordPiece, limit: int) -> Iterator[Rows]:
    """`[CLS] text [SEP]`, cut to the limit; segment ids all 0."""
    cls, sep = _one(tokenizer.cls), _one(tokenizer.sep)
    parts = [(cls, text[: limit - 2], sep) for text in texts]
    return _rows(parts, [0] * len(parts), tokenizer.pad)


def pair_rows(
    firsts: Sequence[IntArray],
    seconds: Sequence[IntArray],
    tokenizer: WordPiece,
    limit: int,
    *,
    segments: bool = True,
    slow: bool = False,
    near: bool = False,
) -> Iterator[Rows]:
    """`[CLS] a [SEP] b [SEP]`, the longer side cut first; segment ids 0 and 1, or all 0 for a ranking model.

    With `near`, rows of about one length run together where those of one length are few.
    """
    cls, sep = _one(tokenizer.cls), _one(tokenizer.sep)
    parts = []
    seconds_at = []
    for a, b in zip(firsts, seconds, strict=True):
        if len(a) + len(b) > limit - 3:
            kept = kept_lengths(len(a), len(b), limit - 3, slow)
            a, b = a[: kept[0]], b[: kept[1]]
        parts.append((cls, a, sep, b, sep))
        seconds_at.append(len(a) + 2)
    return _rows(parts, seconds_at if segments else [0] * len(parts), tokenizer.pad, near=near)


def kept_lengths(a: int, b: int, limit: int, slow: bool = False) -> tuple[int, int]:
    """How many tokens of each side stay where both together exceed the limit ("longest first" of transformers).

    The fast tokenizer halves (the longer side, or the second, gets the odd token); the slow one takes tokens
    from the longer side one by one, and from the second where both are equally long.
    """
    less, more = limit // 2, limit - limit // 2
    if min(a, b) <= less:
        return (a, limit - a) if a <= b else (limit - b, b)
    if slow:
        return more, less
    return (less, more) if a <= b else (more, less)


def _rows(
    parts: Sequence[tuple[IntArray, ...]], second: Sequence[int], pad: int, *, near: bool = False
) -> Iterator[Rows]:
    """Rows of one width at a time; `second` is where segment 1 begins, 0 for never."""
    lengths = np.array([sum(map(len, row)) for row in parts], dtype=np.intp)
    begins = np.array(second, dtype=np.intp)
    for width, index in _groups(lengths, near):
        step = max(1, TOKEN_BUDGET // width)
        for at in (index[start : start + step] for start in range(0, len(index), step)):
            yield _padded([parts[i] for i in at.tolist()], at, lengths[at], begins[at], width, pad)


def _groups(lengths: NDArray[np.intp], near: bool) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Rows that run together, and their width: those of one length; with `near`, small groups with the next ones."""
    open_at: list[NDArray[np.intp]] = []
    first = width = count = 0
    for length in np.unique(lengths).tolist():
        if open_at and (not near or count >= FEW or length > first * (1 + NEAR) + 1):
            yield width, np.concatenate(open_at)
            open_at, count = [], 0
        first, width = (first if open_at else length), length
        open_at.append(np.flatnonzero(lengths == length))
        count += len(open_at[-1])
    if open_at:
        yield width, np.concatenate(open_at)


def _padded(
    parts: Sequence[tuple[IntArray, ...]],
    at: NDArray[np.intp],
    lengths: NDArray[np.intp],
    begins: NDArray[np.intp],
    width: int,
    pad: int,
) -> Rows:
    column = np.arange(width)
    mask = column < lengths[:, None]
    ids = np.full((len(at), width), pad, dtype=np.int32)
    ids[mask] = np.concatenate([part for row in parts for part in row])
    types = mask & (column >= begins[:, None]) & (begins > 0)[:, None]
    inputs = {
        "input_ids": ids,
        "attention_mask": mask.astype(np.int32),
        "token_type_ids": types.astype(np.int32),
    }
    return Rows(at, inputs, lengths)


def _one(number: int) -> IntArray:
    return np.array([number], dtype=np.int32)
