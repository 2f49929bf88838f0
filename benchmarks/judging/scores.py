"""Figures with intervals: macro-F1, F1 of each class, calibration error, shares; resampled by place or query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.tables import metrics

Ints = NDArray[np.int64]
DRAWS = 400


class Figure(NamedTuple):
    """A value, and between what it lies in 95 of 100 draws of the groups."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f}–{self.high:.3f})"


def with_interval(groups: Sequence[str], of: Callable[[Ints], float]) -> Figure:
    """`of` is given row numbers: all rows once, then draws of whole groups with replacement."""
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    rng = np.random.default_rng(20261130)
    drawn = [
        of(np.concatenate([members[at] for at in rng.integers(0, len(members), len(members))]))
        for _ in range(DRAWS)
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Figure(of(np.arange(len(group))), float(low), float(high))


def macro_f1(gold: Ints, guesses: Ints, classes: int = 3) -> Callable[[Ints], float]:
    """Of the rows with these numbers."""
    return lambda at: metrics.macro_f1(metrics.confusion(gold[at], guesses[at], classes))


def ece(gold: Ints, guesses: Ints, sure: NDArray[np.float64]) -> Callable[[Ints], float]:
    """15 bins."""
    return lambda at: metrics.ece(sure[at], (gold == guesses)[at])


def share(right: NDArray[np.bool_]) -> Callable[[Ints], float]:
    """How many of the rows are right."""
    return lambda at: float(right[at].mean())
