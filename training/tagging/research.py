"""The research taggers: one encoder for three schemes of tags, then a graph for each.

Stages, each a file in the work folder: vocabulary.txt → guess.pt (hidden characters of the research texts) →
fit.pt (all schemes together) → the packs and held_*.conll.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from menpai.packs.vocabulary import Vocabulary
from menpai.parsing.spans import labels_of
from menpai.parsing.tagger import fold
from training.data import vocabulary_of
from training.tagging.batches import (
    IGNORED,
    ZERO,
    Batch,
    Rows,
    endless,
    hidden,
    noisy,
    tagged_rows,
    untagged_rows,
)
from training.tagging.model import TagEncoder, from_pair_encoder, load
from training.tagging.run import Loss, Plan, train
from training.tagging.sets import Sets, research_texts

Stream = Iterator[tuple[Rows, Any]]


def guess(recipe: dict[str, Any], data: Path, pair_work: Path, work: Path, sets: Sets) -> TagEncoder:
    """The encoder that has guessed hidden characters of the research texts; heads still untrained."""
    done = work / "guess.pt"
    if done.exists():
        return load(done)[0]
    plan = recipe["guess"]
    texts = research_texts(data, sets)
    vocabulary = _vocabulary(work / "vocabulary.txt", pair_work / "vocabulary.txt", texts)
    rows = untagged_rows(texts, vocabulary)
    zero = int(vocabulary.ids(ZERO)[0])
    labels = {name: len(labels_of(kinds)) for name, kinds in sets.kinds.items()}

    def losses(first: int) -> Iterator[tuple[str, Loss]]:
        rng = np.random.default_rng([recipe["seed"], first])
        for part, at in endless(rows, plan["run"]["tokens"], [recipe["seed"], first]):
            yield "guess", partial(guess_loss, batch=hidden(part, at, plan["hidden"], zero, rng))

    start = partial(from_pair_encoder, pair_work / "pretrained.pt", len(vocabulary), labels)
    return train("guess", _seeded(start, recipe["seed"]), Plan(**plan["run"]), losses, work)


def fit(recipe: dict[str, Any], work: Path, sets: Sets) -> TagEncoder:
    """The encoder fitted to all schemes together."""
    plan = recipe["fit"]
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    shares = plan["shares"]
    rows = {name: tagged_rows(sets.learn[name], sets.kinds[name], vocabulary) for name in shares}

    def losses(first: int) -> Iterator[tuple[str, Loss]]:
        rng = np.random.default_rng([recipe["seed"], first])
        streams = {
            name: endless(part, plan["run"]["tokens"], [recipe["seed"], first, at])
            for at, (name, part) in enumerate(rows.items())
        }
        odds = np.array(list(shares.values())) / sum(shares.values())
        for _ in count():
            scheme = str(rng.choice(list(shares), p=odds))
            part, at = next(streams[scheme])
            batch = noisy(part, at, plan["unknown"], rng)
            yield scheme, partial(tag_loss, scheme=scheme, batch=batch, smoothing=plan["smoothing"])

    return train(
        "fit", _seeded(lambda: load(work / "guess.pt")[0], recipe["seed"]), Plan(**plan["run"]), losses, work
    )


def guess_loss(model: TagEncoder, batch: Batch) -> Tensor:
    """How far the guesses at hidden characters are off."""
    chosen = batch.wanted != IGNORED
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model.characters_at(model.encode(batch.ids, batch.positions)[chosen]).float()
    return torch.nn.functional.cross_entropy(scores, batch.wanted[chosen]) if chosen.any() else scores.sum()


def tag_loss(model: TagEncoder, scheme: str, batch: Batch, smoothing: float) -> Tensor:
    """How far the tags are off."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model(batch.ids, batch.positions, scheme).float()
    return torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), batch.wanted.flatten(), ignore_index=IGNORED, label_smoothing=smoothing
    )


def read_vocabulary(path: Path) -> Vocabulary:
    """The vocabulary of a file, one entry a line."""
    return Vocabulary(path.read_text(encoding="utf-8").split("\n")[:-1])


def _vocabulary(path: Path, start: Path, texts: list[str]) -> Vocabulary:
    """The pair encoder's characters, then those that occur in the research texts."""
    if not path.exists():
        known = read_vocabulary(start).entries
        fresh = [c for c in vocabulary_of(map(fold, texts)).entries if c not in set(known)]
        path.write_text("\n".join([*known, *fresh]) + "\n", encoding="utf-8")
    return read_vocabulary(path)


def _seeded(start: Callable[[], TagEncoder], seed: int) -> Callable[[], TagEncoder]:
    def seeded() -> TagEncoder:
        torch.manual_seed(seed)
        return start()

    return seeded
