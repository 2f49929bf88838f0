"""Fit the encoder and its heads to tagged texts of one scheme or of several together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from training.tagging.batches import IGNORED, Batch, Rows, endless, noisy, tagged_rows
from training.tagging.conll import Tagged
from training.tagging.guess import read_vocabulary
from training.tagging.model import TagEncoder, load
from training.tagging.run import Loss, Plan, train


class Source(NamedTuple):
    """Tagged texts of a scheme, and how often a batch is of them."""

    scheme: str
    kinds: tuple[str, ...]
    texts: Sequence[Tagged]
    share: float


def fit(plan: Mapping[str, Any], seed: int, sources: Mapping[str, Source], work: Path) -> TagEncoder:
    """The encoder of `work/guess.pt` fitted to the sources: `work/fit.pt`."""
    vocabulary = read_vocabulary(work / "vocabulary.txt")
    odds = np.array([source.share for source in sources.values()])

    def losses(first: int) -> Iterator[tuple[str, Loss]]:
        rng = np.random.default_rng([seed, first])
        streams: list[Iterator[tuple[Rows, Any]]] = [
            endless(tagged_rows(s.texts, s.kinds, vocabulary), plan["run"]["tokens"], [seed, first, at])
            for at, s in enumerate(sources.values())
        ]
        while True:
            at = int(rng.choice(len(odds), p=odds / odds.sum()))
            batch = noisy(*next(streams[at]), plan["unknown"], rng)
            name, source = list(sources.items())[at]
            yield name, partial(tag_loss, scheme=source.scheme, batch=batch, smoothing=plan["smoothing"])

    def start() -> TagEncoder:
        torch.manual_seed(seed)
        return load(work / "guess.pt")[0]

    return train("fit", start, Plan(**plan["run"]), losses, work)


def tag_loss(model: TagEncoder, scheme: str, batch: Batch, smoothing: float) -> Tensor:
    """How far the tags are off."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model(batch.ids, batch.positions, scheme).float()
    return torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), batch.wanted.flatten(), ignore_index=IGNORED, label_smoothing=smoothing
    )
