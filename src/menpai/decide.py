"""decide: probabilities and conflicts become a verdict, by policy that a person would state.

A policy edits the probabilities and says so in the evidence; the label is always their argmax afterwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Language
from menpai.evidence import FEATURES, Comparison, conflicts, hard_conflicts, level
from menpai.scoring import Score
from menpai.verdict import Conflict, Evidence, Probabilities, Verdict

_NUMBERS = frozenset({"roadno", "building", "unit", "room"})
_DIVISIONS = frozenset({"province", "city", "district"})
_LEAST_WEIGHT = 0.05
# What P(exact) may keep of its sum with the class that the policy prefers: less than half, so it cannot win.
_KEPT = 0.4

_POLICIES = {
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


def decide(comparison: Comparison, score: Score, manner: Manner, *, evidence: bool = True) -> Verdict:
    """The verdict on a comparison; with `evidence` off, only the policies' reasons are given."""
    probabilities, edits = _apply_policies(
        score.probabilities, hard_conflicts(comparison), manner.language
    )
    reasons = edits + (explain(comparison, manner) if evidence else [])
    return Verdict(
        probabilities=probabilities,
        level=level(comparison, probabilities.label),
        conflicts=conflicts(comparison, probabilities.label),
        evidence=tuple(reasons),
        decided_by=score.decided_by,
        pack=manner.pack,
        behaviour=manner.behaviour,
    )


def explain(comparison: Comparison, manner: Manner) -> list[Evidence]:
    """What speaks for and against the same place, the strongest first."""
    found = []
    for at, feature in enumerate(FEATURES):
        value = feature.measure(comparison)
        if value:
            weight = value * float(manner.weights[at])
            if abs(weight) >= _LEAST_WEIGHT:
                found.append(Evidence(feature.name, weight, feature.text(comparison, manner.language)))
    found.sort(key=lambda e: -abs(e.weight))
    return found


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
    return _POLICIES[name][at].format(name=_ELEMENT_NAMES[conflict.element][at], a=conflict.a, b=conflict.b)
