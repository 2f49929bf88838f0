"""What every scorer offers, and the one formula that turns logits into probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import Comparison
from menpai.verdict import DecidedBy, Probabilities

Logits = NDArray[np.float64]

# What a policy leaves of P(exact) where two addresses contradict, and what our own packs give at least where they do not,
# so that a contradiction never raises it (decision 0030).
LEAST_EXACT = 0.01


class Score(NamedTuple):
    """Three probabilities, which stage of the cascade gave them, and what the encoder's reading weighed in it
    (log-odds of the same place against the mean of the other two; 0 where it was not asked)."""

    probabilities: Probabilities
    decided_by: DecidedBy
    reading: float = 0.0


class Scorer(Protocol):
    """Scores comparisons; same length, same order, each result independent of its neighbours."""

    def score(self, comparisons: Sequence[Comparison], features: NDArray[np.float32]) -> list[Score]:
        """One score for each comparison, whose features [n, len(FEATURES)] were measured before."""


def softmax(logits: Logits) -> list[Probabilities]:
    """Rows of logits [n, 3] → probabilities that sum to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    total = powers[:, 0] + powers[:, 1] + powers[:, 2]
    return [Probabilities(*row) for row in (powers / total[:, None]).tolist()]


def with_least(given: Probabilities) -> Probabilities:
    """P(exact) kept at LEAST_EXACT or above, in the same order, and hardly moved above a tenth; the other two give way
    alike. It rises with P(exact) while LEAST_EXACT times the power is below 1."""
    exact = given.exact_match + LEAST_EXACT * (1 - given.exact_match) ** 16
    rest = given.partial_match + given.not_match
    share = (1 - exact) / rest if rest else 0.0
    return Probabilities(exact, given.partial_match * share, given.not_match * share)
