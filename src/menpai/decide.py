"""decide: probabilities, edited by policy, become a verdict with its level, conflicts and reasons."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.errors import Language
from menpai.evidence import FEATURES, Comparison, conflicts, level
from menpai.policy import apply_policies
from menpai.scoring import Score
from menpai.verdict import Evidence, Probabilities, Verdict

FloatRow = NDArray[np.float32]

_LEAST_WEIGHT = 0.05

# name: language: (for the same place, against it). Evidence that is no function of the comparison alone.
READINGS: dict[str, dict[Language, tuple[str, str]]] = {
    "encoder_reading": {
        "zh": ("字级模型读来是同一处", "字级模型读来不是同一处"),
        "en": (
            "the character model reads them as the same place",
            "the character model reads them as not the same place",
        ),
    },
    "model_reading": {
        "zh": ("导入的模型自己的结论",) * 2,
        "en": ("the imported model's own answer",) * 2,
    },
    "model_overruled": {
        "zh": ("模型单独的结论被上面的规则改向同一处", "模型单独的结论被上面的规则改向不是同一处"),
        "en": (
            "the rules above moved the model's own answer towards the same place",
            "the rules above moved the model's own answer away from the same place",
        ),
    },
}


class Manner(NamedTuple):
    """What a matcher knows about itself and puts into each verdict."""

    pack: str
    behaviour: str
    language: Language
    weights: tuple[NDArray[np.float64], NDArray[np.float64]]
    "Weight of each feature for the same place: in the blend, and in the fast scorer alone."
    imported: bool = False
    "An imported model: its answer stands beside ours where policies changed it."
    faithful: bool = False
    "Its answer is given as it is, without policies."


def decide(comparison: Comparison, score: Score, row: FloatRow | None, manner: Manner) -> Verdict:
    """The verdict on a comparison; without its features (`row`), only the policies' reasons are given."""
    probabilities, edits = score.probabilities, list[Evidence]()
    if not manner.faithful:
        probabilities, edits = apply_policies(comparison, score.probabilities, manner.language)
    if manner.imported and score.decided_by == "encoder" and probabilities.label != score.probabilities.label:
        edits.append(_overruled(score.probabilities, probabilities, manner.language))
    reasons = edits if row is None else [*edits, *explain(comparison, score, row, manner)]
    label = probabilities.label
    return Verdict(
        probabilities=probabilities,
        level=level(comparison, label),
        conflicts=conflicts(comparison, label),
        evidence=tuple(reasons),
        decided_by=score.decided_by,
        pack=manner.pack,
        behaviour=manner.behaviour,
        scored=(*score.probabilities, score.reading),
        texts=None if row is None else (comparison.a.raw, comparison.b.raw),
    )


def _overruled(model: Probabilities, ours: Probabilities, language: Language) -> Evidence:
    """Says that the label is no longer the model's; its weight: the change of P(exact) - P(not)."""
    change = (ours.exact_match - ours.not_match) - (model.exact_match - model.not_match)
    text = READINGS["model_overruled"][language][change < 0]
    return Evidence("model_overruled", change, _with_answer(text, model, language))


def _reading(score: Score, manner: Manner) -> Evidence:
    """What the encoder read; an imported model's label is named, whichever way its weight points: its second label is
    neither the same place nor another."""
    name = "model_reading" if manner.imported else "encoder_reading"
    text = READINGS[name][manner.language][score.reading < 0]
    if manner.imported:
        text = _with_answer(text, score.probabilities, manner.language)
    return Evidence(name, score.reading, text)


def _with_answer(text: str, model: Probabilities, language: Language) -> str:
    """The text, followed by the model's own label and its probability."""
    share = f"{model.label} {max(model):.2f}"
    return f"{text}（{share}）" if language == "zh" else f"{text} ({share})"


def explain(comparison: Comparison, score: Score, row: FloatRow, manner: Manner) -> list[Evidence]:
    """What speaks for and against the same place, the strongest first; `row` holds the features."""
    weights = row * manner.weights[score.decided_by == "fast"][:-1]
    named = np.flatnonzero(np.abs(weights) >= _LEAST_WEIGHT)
    found = [
        Evidence(FEATURES[at].name, weight, FEATURES[at].text(comparison, manner.language))
        for at, weight in zip(named.tolist(), weights[named].tolist(), strict=True)
    ]
    if abs(score.reading) >= _LEAST_WEIGHT:
        found.append(_reading(score, manner))
    return sorted(found, key=lambda evidence: -abs(evidence.weight))
