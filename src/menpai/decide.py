"""decide: probabilities and conflicts become a verdict, by policy that a person would state.

A policy edits the probabilities and says so in the evidence; the label is always their argmax afterwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Language
from menpai.evidence import FEATURES, Comparison, conflicts, hard_conflicts, level
from menpai.scoring import Score
from menpai.verdict import Conflict, Evidence, Probabilities, Verdict

FloatRow = NDArray[np.float32]

_NUMBERS = frozenset({"roadno", "building", "unit", "room"})
_DIVISIONS = frozenset({"province", "city", "district"})
_LEAST_WEIGHT = 0.05
# What P(exact) may keep of its sum with the class that the policy prefers: less than half, so it cannot win.
_KEPT = 0.4

# name: (Chinese, English). These edit the probabilities; all other evidence explains them.
POLICIES = {
    "distance": ("两个坐标相距约 {metres:.0f} 米", "the coordinates are {metres:.0f} m apart"),
    "policy_number_conflict": (
        "{name}不同（{a} ≠ {b}）：不会是同一处，最多是部分匹配",
        "{name} differs ({a} ≠ {b}): not the same place, at most a partial match",
    ),
    "policy_division_conflict": (
        "{name}不同（{a} ≠ {b}），且不是旧名：不是同一处",
        "{name} differs ({a} ≠ {b}) and is no former name: not the same place",
    ),
}
_ELEMENT_NAMES = {
    "province": ("省级区划", "province"),
    "city": ("城市", "city"),
    "district": ("区县", "district"),
    "roadno": ("门牌号", "house number"),
    "building": ("楼栋", "building"),
    "unit": ("单元", "unit"),
    "room": ("房号", "room"),
}


class Manner(NamedTuple):
    """What a matcher knows about itself and puts into each verdict."""

    pack: str
    behaviour: str
    language: Language
    weights: NDArray[np.float64]
    "Weight of each feature for the same place."


def decide(comparison: Comparison, score: Score, row: FloatRow | None, manner: Manner) -> Verdict:
    """The verdict on a comparison; without its features (`row`), only the policies' reasons are given."""
    hard = hard_conflicts(comparison)
    probabilities, near = _weigh_distance(score.probabilities, comparison.metres, manner.language)
    probabilities, edits = _apply_policies(probabilities, hard, manner.language)
    edits = near + edits
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


def _weigh_distance(
    given: Probabilities, metres: float | None, language: Language
) -> tuple[Probabilities, list[Evidence]]:
    """Coordinates speak for the same place below about 300 m and against it above, in log-odds: +1.5 from 30 m
    down, 0 at 300 m, -1.5 for each factor of ten beyond (at most -4). A stated prior, not learned."""
    if metres is None:
        return given, []
    weight = max(-4.0, min(1.5, 1.5 * math.log10(300.0 / max(metres, 1.0))))
    odds = [p * math.exp(shift) for p, shift in zip(given, (weight, 0.0, -weight), strict=True)]
    text = (
        f"两个坐标相距约 {metres:.0f} 米" if language == "zh" else f"the coordinates are {metres:.0f} m apart"
    )
    return Probabilities(*(p / sum(odds) for p in odds)), [Evidence("distance", weight, text)]


def _apply_policies(
    given: Probabilities, hard: tuple[Conflict, ...], language: Language
) -> tuple[Probabilities, list[Evidence]]:
    """Contradicting numbers cannot be exact but partial; contradicting divisions cannot be exact but not."""
    edits: list[Evidence] = []
    exact, partial, other = given
    for conflict in hard:
        if conflict.element in _NUMBERS and exact > _KEPT * (exact + partial):
            total, name = exact + partial, "policy_number_conflict"
            exact, partial = _KEPT * total, (1 - _KEPT) * total
        elif conflict.element in _DIVISIONS and exact > _KEPT * (exact + other):
            total, name = exact + other, "policy_division_conflict"
            exact, other = _KEPT * total, (1 - _KEPT) * total
        else:
            continue
        edits.append(Evidence(name, exact - given.exact_match, _policy_text(name, conflict, language)))
    return (Probabilities(exact, partial, other) if edits else given), edits


def _policy_text(name: str, conflict: Conflict, language: Language) -> str:
    at = 0 if language == "zh" else 1
    return POLICIES[name][at].format(name=_ELEMENT_NAMES[conflict.element][at], a=conflict.a, b=conflict.b)
