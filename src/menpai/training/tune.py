"""Fine-tune an encoder: passes over the pairs until the check loss rises, resumable after each pass."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from menpai.scoring.tokens import Vocabulary, encode
from menpai.training.model import PairEncoder
from menpai.training.rows import Examples, batches

_MEAN = 0.02
"Share of a step in the running mean of the weights, which is what is kept."


@dataclass(frozen=True, slots=True)
class Recipe:
    """What moves a fit; the same recipe, pairs, machine and versions give the same weights."""

    passes: int = 8
    batch: int = 64
    rate: float = 3e-4
    warmup: int = 40
    dropout: float = 0.15
    smoothing: float = 0.05
    patience: int = 2
    "Passes without a lower loss on the check pairs, after which it stops."
    seed: int = 20261130


Told = Callable[[int, int, float], None]


def tune(
    start: PairEncoder,
    seen: Examples,
    check: Examples,
    vocabulary: Vocabulary,
    recipe: Recipe,
    checkpoint: Path,
    told: Told = lambda done, passes, loss: None,
    beat: Callable[[float], None] = lambda share: None,
) -> PairEncoder:
    """The weights with the lowest loss on `check`. `checkpoint` is written after each pass and read if it is there;
    `told` hears the passes done and the loss on `check`, `beat` the share of a pass while it runs."""
    state = _State(start, seen, recipe)
    if checkpoint.exists():
        state.read(checkpoint)
    else:
        state.look(loss_of(start, check, vocabulary))
    while state.number < recipe.passes and state.since < recipe.patience:
        state.run(seen, vocabulary, beat)
        state.look(loss_of(state.mean, check, vocabulary))
        state.write(checkpoint)
        told(state.number, recipe.passes, state.loss)
    start.load_state_dict(state.best)
    start.eval()
    return start


class _State:
    """A fit on its way: the model, the running mean of its weights, the best of these so far."""

    def __init__(self, start: PairEncoder, seen: Examples, recipe: Recipe) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe = recipe
        self.model = copy.deepcopy(start)
        for module in self.model.modules():
            if isinstance(module, nn.Dropout):
                module.p = recipe.dropout
        self.mean = copy.deepcopy(start).eval()
        self.best = copy.deepcopy(start.state_dict())
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=recipe.rate, weight_decay=0.01, betas=(0.9, 0.98)
        )
        self.steps = recipe.passes * max(1, len(seen.texts) // recipe.batch)
        self.number = self.step = self.since = 0
        self.loss = self.lowest = math.inf

    def run(self, seen: Examples, vocabulary: Vocabulary, beat: Callable[[float], None]) -> None:
        """One pass."""
        self.model.train()
        done = 0
        rng = np.random.default_rng([self.recipe.seed, self.number])
        torch.manual_seed(self.recipe.seed + self.number)
        for batch in batches(seen.texts, seen.targets, vocabulary, self.recipe.batch, rng):
            self.step += 1
            for group in self.optimizer.param_groups:
                group["lr"] = self.recipe.rate * _schedule(
                    min(self.step, self.steps), self.recipe.warmup, self.steps
                )
            inputs = (torch.from_numpy(x) for x in (batch.rows.ids, batch.rows.types, batch.rows.positions))
            loss = nn.functional.cross_entropy(
                self.model(*inputs), torch.from_numpy(batch.targets), label_smoothing=self.recipe.smoothing
            )
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self._blend(max(1 / self.step, _MEAN))
            done += len(batch.targets)
            beat(done / len(seen.texts))
        self.number += 1

    def look(self, loss: float) -> None:
        """Take the loss on the check pairs; the mean is the best so far if it is the lowest."""
        self.loss = loss
        if loss < self.lowest:
            self.lowest, self.since = loss, 0
            self.best = copy.deepcopy(self.mean.state_dict())
        else:
            self.since += 1

    @torch.no_grad()
    def _blend(self, share: float) -> None:
        for kept, new in zip(self.mean.parameters(), self.model.parameters(), strict=True):
            kept.lerp_(new, share)

    def write(self, path: Path) -> None:
        """All of it, at once or not at all."""
        numbers = {name: getattr(self, name) for name in ("number", "step", "since", "loss", "lowest")}
        parts: dict[str, Any] = {
            "model": self.model.state_dict(), "mean": self.mean.state_dict(), "best": self.best,
            "optimizer": self.optimizer.state_dict(), "numbers": numbers,
        }  # fmt: skip
        temporary = path.with_suffix(".part")
        torch.save(parts, temporary)
        temporary.replace(path)

    def read(self, path: Path) -> None:
        """Go on from there; runs no code of the file."""
        parts = torch.load(path, map_location="cpu", weights_only=True)
        self.model.load_state_dict(parts["model"])
        self.mean.load_state_dict(parts["mean"])
        self.optimizer.load_state_dict(parts["optimizer"])
        self.best = parts["best"]
        for name, value in parts["numbers"].items():
            setattr(self, name, value)


def _schedule(step: int, warmup: int, steps: int) -> float:
    """Linear warm-up, then a cosine down to 2 %."""
    if step < warmup:
        return step / warmup
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


def logits_of(
    model: PairEncoder, texts: list[tuple[str, str]], vocabulary: Vocabulary
) -> NDArray[np.float32]:
    """Float32 logits [n, 3], no dropout."""
    out = np.empty((len(texts), 3), dtype=np.float32)
    model.eval()
    with torch.no_grad():
        for rows in encode(texts, vocabulary):
            for at in np.array_split(np.arange(len(rows.pairs)), len(rows.pairs) // 256 + 1):
                inputs = (torch.from_numpy(x[at]) for x in (rows.ids, rows.types, rows.positions))
                out[rows.pairs[at]] = model(*inputs).numpy()
    return out


def loss_of(model: PairEncoder, check: Examples, vocabulary: Vocabulary) -> float:
    """Cross-entropy against the targets."""
    logits = torch.from_numpy(logits_of(model, check.texts, vocabulary))
    return float(nn.functional.cross_entropy(logits, torch.from_numpy(check.targets)))
