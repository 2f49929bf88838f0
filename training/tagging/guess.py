"""Before it tags, the encoder guesses hidden characters: so it knows the names of the texts it will read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.tagger import fold
from training.data import vocabulary_of
from training.tagging.batches import IGNORED, ZERO, Batch, endless, hidden, untagged_rows
from training.tagging.model import TagEncoder, from_pair_encoder
from training.tagging.run import Loss, Plan, train


def guess(
    plan: Mapping[str, Any],
    seed: int,
    texts: Sequence[str],
    labels: Mapping[str, int],
    pair: Path,
    work: Path,
) -> TagEncoder:
    """The pair encoder of the folder `pair`, taught the texts: `work/guess.pt`; its heads are still untrained."""
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    zero = int(vocabulary.ids(ZERO)[0])

    def losses(first: int) -> Iterator[tuple[str, Loss]]:
        rng = np.random.default_rng([seed, first])
        rows = untagged_rows(texts, vocabulary)
        for part, at in endless(rows, plan["run"]["tokens"], [seed, first]):
            yield "guess", partial(guess_loss, batch=hidden(part, at, plan["hidden"], zero, rng))

    def start() -> TagEncoder:
        torch.manual_seed(seed)
        return from_pair_encoder(pair / "pretrained.pt", len(vocabulary), labels)

    return train("guess", start, Plan(**plan["run"]), losses, work)


def guess_loss(model: TagEncoder, batch: Batch) -> Tensor:
    """How far the guesses at hidden characters are off."""
    chosen = batch.wanted != IGNORED
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model.characters_at(model.encode(batch.ids, batch.positions)[chosen]).float()
    return torch.nn.functional.cross_entropy(scores, batch.wanted[chosen]) if chosen.any() else scores.sum()


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary of a file, one entry a line."""
    return Vocabulary(path.read_text(encoding="utf-8").split("\n")[:-1])


def write_vocabulary(path: Path, start: Path, texts: Sequence[str]) -> None:
    """The entries of the vocabulary `start`, then the other characters of the texts, if `path` is not there yet."""
    if path.exists():
        return
    known = read_vocabulary(start).entries
    fresh = [c for c in vocabulary_of(map(fold, texts)).entries if c not in set(known)]
    path.write_text("\n".join([*known, *fresh]) + "\n", encoding="utf-8")
