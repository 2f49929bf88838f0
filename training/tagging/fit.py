"""Fit the encoder and its heads to tagged texts of one scheme or of several together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count
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
        begins = plan["paths_from"] * plan["run"]["steps"]
        for step in count(first):
            at = int(rng.choice(len(odds), p=odds / odds.sum()))
            batch = noisy(*next(streams[at]), plan["unknown"], rng)
            name, source = list(sources.items())[at]
            yield name, partial(
                tag_loss, scheme=source.scheme, batch=batch, smoothing=plan["smoothing"],
                paths=plan["paths"] if step >= begins else 0.0,
            )  # fmt: skip

    def start() -> TagEncoder:
        torch.manual_seed(seed)
        return load(work / "guess.pt")[0]

    return train("fit", start, Plan(**plan["run"]), losses, work)


def tag_loss(model: TagEncoder, scheme: str, batch: Batch, smoothing: float, paths: float) -> Tensor:
    """How far the tags are off: character by character, and as whole paths with the weight `paths`."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model(batch.ids, batch.positions, scheme).float()
    loss = torch.nn.functional.cross_entropy(
        scores.flatten(0, 1), batch.wanted.flatten(), ignore_index=IGNORED, label_smoothing=smoothing
    )
    return loss + paths * path_loss(scores, batch.wanted) if paths else loss


def path_loss(scores: Tensor, wanted: Tensor) -> Tensor:
    """The negative log-likelihood, a character, of the wanted paths among all that B, I, E and S allow (a CRF whose
    transitions are the rules of those tags). Rows that a window cut within a span do not count."""
    real = wanted != IGNORED
    kinds = (scores.shape[2] - 1) // 4
    parts = scores.split([1, kinds, kinds, kinds, kinds], 2)
    none, begin, inner, ending, single = (part.unbind(1) for part in parts)
    closed, opened = scores.new_zeros(len(scores)), scores.new_full((len(scores), kinds), -1e4)
    for at in range(1, scores.shape[1]):
        goes_on = real[:, at]
        options = [closed[:, None] + none[at], opened + ending[at], closed[:, None] + single[at]]
        fresh = torch.logaddexp(opened + inner[at], closed[:, None] + begin[at])
        opened = torch.where(goes_on[:, None], fresh, opened)
        closed = torch.where(goes_on, torch.logsumexp(torch.cat(options, 1), 1), closed)
    labels = wanted.clamp(min=0)
    right = (scores.gather(2, labels[:, :, None])[:, :, 0] * real).sum(1)
    whole = _is_whole(labels, real, kinds)
    return ((closed - right) * whole).sum() / (real.sum(1) * whole).sum().clamp(min=1)


def _is_whole(labels: Tensor, real: Tensor, kinds: int) -> Tensor:
    """Whether a row begins and ends outside of spans; [n]."""
    last = labels.gather(1, real.sum(1, keepdim=True))[:, 0]
    first = labels[:, 1]
    opens_inside = (first > kinds) & (first <= 3 * kinds)
    stays_open = (last > 0) & (last <= 2 * kinds)
    return ~(opens_inside | stays_open)
