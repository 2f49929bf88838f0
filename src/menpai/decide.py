"""decide: probabilities, edited by policy, become a verdict with its level, conflicts and reasons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Language
from menpai.evidence import FEATURES, Comparison, conflicts, level
from menpai.policy import apply_policies
from menpai.scoring import Score
from menpai.verdict import Evidence, Verdict

FloatRow = NDArray[np.float32]

_LEAST_WEIGHT = 0.05


class Manner(NamedTuple):
    """What a matcher knows about itself and puts into each verdict."""

    pack: str
    behaviour: str
    language: Language
    weights: NDArray[np.float64]
    "Weight of each feature for the same place."


def decide(comparison: Comparison, score: Score, row: FloatRow | None, manner: Manner) -> Verdict:
    """The verdict on a comparison; without its features (`row`), only the policies' reasons are given."""
    probabilities, edits = apply_policies(comparison, score.probabilities, manner.language)
    reasons = edits if row is None else [*edits, *explain(comparison, row, manner)]
    label = probabilities.label
    return Verdict(
        probabilities=probabilities,
        level=level(comparison, label),
        conflicts=conflicts(comparison, label),
        evidence=tuple(reasons),
        decided_by=score.decided_by,
        pack=manner.pack,
        behaviour=manner.behaviour,
    )


def explain(comparison: Comparison, row: FloatRow, manner: Manner) -> list[Evidence]:
    """What speaks for and against the same place, the strongest first; `row` holds the features."""
    weights = row * manner.weights[:-1]
    strength = np.abs(weights)
    strongest = np.argsort(-strength, kind="stable")[: np.count_nonzero(strength >= _LEAST_WEIGHT)]
    return [
        Evidence(FEATURES[at].name, float(weights[at]), FEATURES[at].text(comparison, manner.language))
        for at in strongest.tolist()
    ]
