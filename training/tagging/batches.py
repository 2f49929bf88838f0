"""Texts and their tags as training batches: windows of one bucket, a label for each character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from menpai.packs.vocabulary import MASK, SEP, UNKNOWN, Vocabulary
from menpai.parsing.spans import labels_of
from menpai.parsing.tagger import Windows, encode
from training.tagging.conll import Tagged

IGNORED = -100
ZERO = "0"


class Batch(NamedTuple):
    """ids, positions and wanted labels, all [n, bucket]; IGNORED where nothing is wanted."""

    ids: Tensor
    positions: Tensor
    wanted: Tensor


class Rows(NamedTuple):
    """The windows of one bucket with their labels."""

    windows: Windows
    labels: NDArray[np.int64]


def tagged_rows(tagged: Sequence[Tagged], kinds: Sequence[str], vocabulary: Vocabulary) -> list[Rows]:
    """All windows of the texts, by bucket, with the label of each character."""
    number = {label: at for at, label in enumerate(labels_of(kinds))}
    labels = [_labels(row, number) for row in tagged]
    out = []
    for windows in encode([row.text for row in tagged], vocabulary):
        wanted = np.full(windows.ids.shape, IGNORED, np.int64)
        for at, (text, start, length) in enumerate(
            zip(windows.texts, windows.starts, windows.lengths, strict=True)
        ):
            wanted[at, 1 : length + 1] = labels[text][start : start + length]
        out.append(Rows(windows, wanted))
    return out


def _labels(row: Tagged, number: dict[str, int]) -> NDArray[np.int64]:
    """The label of each character of a text; kinds that the scheme does not list are O."""
    labels = np.zeros(len(row.text), np.int64)
    for kind, start, end in row.spans:
        if f"B-{kind}" not in number:
            continue
        if end - start == 1:
            labels[start] = number[f"S-{kind}"]
        else:
            labels[start:end] = number[f"I-{kind}"]
            labels[start], labels[end - 1] = number[f"B-{kind}"], number[f"E-{kind}"]
    return labels


def untagged_rows(texts: Sequence[str], vocabulary: Vocabulary) -> list[Rows]:
    """All windows of texts without tags."""
    return [Rows(w, np.full(w.ids.shape, IGNORED, np.int64)) for w in encode(texts, vocabulary)]


def batches(
    rows: Sequence[Rows], tokens: int, rng: np.random.Generator
) -> Iterator[tuple[Rows, NDArray[np.intp]]]:
    """One pass in random order: the rows of a bucket and which of them, about `tokens` characters a batch."""
    cuts = []
    for part in rows:
        order = rng.permutation(len(part.labels))
        step = max(1, tokens // part.labels.shape[1])
        cuts += [(part, order[at : at + step]) for at in range(0, len(order), step)]
    for at in rng.permutation(len(cuts)):
        yield cuts[at]


def endless(
    rows: Sequence[Rows], tokens: int, seed: Sequence[int]
) -> Iterator[tuple[Rows, NDArray[np.intp]]]:
    """Passes without end; the same seed gives the same batches."""
    number = 0
    while True:
        yield from batches(rows, tokens, np.random.default_rng([*seed, number]))
        number += 1


def noisy(rows: Rows, at: NDArray[np.intp], share: float, rng: np.random.Generator) -> Batch:
    """A batch for tagging: some characters are unknown to the reader, so that it leans on those around."""
    ids = rows.windows.ids[at].copy()
    ids[(rng.random(ids.shape) < share) & (ids > SEP)] = UNKNOWN
    return _batch(ids, rows.windows.positions[at], rows.labels[at])


def hidden(rows: Rows, at: NDArray[np.intp], share: float, zero: int, rng: np.random.Generator) -> Batch:
    """A batch for guessing: runs of one to three characters are hidden (digits seldom) and wanted."""
    ids = rows.windows.ids[at].copy()
    starts = rng.random(ids.shape) < share / 2
    chosen = starts.copy()
    for reach in (1, 2):
        chosen[:, reach:] |= starts[:, :-reach] & (rng.random(starts[:, reach:].shape) < 0.5)
    chosen &= (ids > SEP) & ((ids != zero) | (rng.random(ids.shape) < 0.1))
    wanted = np.where(chosen, ids, IGNORED)
    ids[chosen] = MASK
    return _batch(ids, rows.windows.positions[at], wanted)


def _batch(ids: NDArray[np.int32], positions: NDArray[np.int32], wanted: NDArray[np.int64]) -> Batch:
    return Batch(
        torch.from_numpy(ids), torch.from_numpy(positions), torch.from_numpy(wanted.astype(np.int64))
    )
