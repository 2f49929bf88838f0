"""Texts as the batches that a BERT pack reads: rows of one length together, so that no token is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.packs.calibrate import Batch
from menpai.packs.pack import Pack
from menpai.packs.wordpiece import WordPiece

# Tokens of one pair that are kept, and tokens in one run: weights are read once a run, and activations stay in the cache.
LONGEST = 128
TOKENS = 512


def batches_of(
    pack: Pack, pairs: Sequence[tuple[str, str]], tokens: int = TOKENS, longest: int = LONGEST
) -> Iterator[tuple[NDArray[np.intp], Batch]]:
    """For each batch the positions of its pairs in the list given, and its arrays; every pair in exactly one."""
    pieces = pack.file("vocabulary").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    words = WordPiece(pieces, bool(pack.manifest.get("lower_case", True)))
    rows = [_row(words, pack.task, *sides, longest) for sides in _encoded(words, pairs)]
    lengths = np.array([len(ids) for ids, _ in rows])
    for length in np.unique(lengths):
        where = np.flatnonzero(lengths == length)
        step = max(1, tokens // int(length))
        for start in range(0, len(where), step):
            at = where[start : start + step]
            ids, types = (np.array([rows[i][k] for i in at], dtype=np.int32) for k in (0, 1))
            batch = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
            yield at, batch


def padded_batches(batches: Sequence[Batch], rows: int, length: int = 0) -> list[Batch]:
    """The rows of batches in order, so many at a time, padded to `length` or to the longest: what others do."""
    single = [
        {k: v[i] for k, v in batch.items()} for batch in batches for i in range(len(batch["input_ids"]))
    ]
    out = []
    for start in range(0, len(single), rows):
        part = single[start : start + rows]
        width = length or max(len(row["input_ids"]) for row in part)
        out.append(
            {
                name: np.array([np.pad(row[name], (0, width - len(row[name]))) for row in part])
                for name in part[0]
            }
        )
    return out


def _encoded(words: WordPiece, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[NDArray[np.int32], ...]]:
    sides = [words.encode([pair[side] for pair in pairs]) for side in (0, 1)]
    yield from zip(*sides, strict=True)


def _row(
    words: WordPiece, task: str, a: NDArray[np.int32], b: NDArray[np.int32], longest: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Ids and types of [CLS] a [SEP] b [SEP]; a tagger reads a alone; only a pair model is told the sides apart."""
    cls, sep = np.array([words.cls], np.int32), np.array([words.sep], np.int32)
    if task == "tagging":
        ids = np.concatenate([cls, a[: longest - 2], sep])
        return ids, np.zeros_like(ids)
    while len(a) + len(b) > longest - 3:
        a, b = (a[:-1], b) if len(a) >= len(b) else (a, b[:-1])
    ids = np.concatenate([cls, a, sep, b, sep])
    types = np.zeros_like(ids)
    if task == "pair":
        types[len(a) + 2 :] = 1
    return ids, types
