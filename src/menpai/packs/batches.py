"""Pairs as the batches that a BERT pack reads: rows of one length together, so that no token is padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.packs.bert_rows import pair_rows, single_rows
from menpai.packs.calibrate import Batch
from menpai.packs.pack import Pack
from menpai.packs.wordpiece import WordPiece

# Tokens of a row that are kept: no pair of two written addresses comes near.
LONGEST = 128


def batches_of(pack: Pack, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[NDArray[np.intp], Batch]]:
    """For each batch the positions of its pairs in the list given, and its arrays; every pair in exactly one.

    A tagger reads the first text of each pair; only a pair model is told the sides apart.
    """
    pieces = pack.file("vocabulary").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    words = WordPiece(pieces, bool(pack.manifest.get("lower_case", True)))
    firsts, seconds = (words.encode([pair[side] for pair in pairs]) for side in (0, 1))
    if pack.task == "tagging":
        rows = single_rows(firsts, words, LONGEST)
    else:
        rows = pair_rows(firsts, seconds, words, LONGEST, segments=pack.task == "pair")
    for part in rows:
        yield part.at, part.inputs
