"""A verdict in one sentence, Chinese or English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from menpai.errors import Language
from menpai.verdict import Verdict
from menpai.words import KINDS

if TYPE_CHECKING:
    from menpai.explaining.explanation import Part

_SAYS: dict[str, tuple[str, str]] = {
    "exact_match": ("两条地址是同一处", "The two addresses are the same place"),
    "partial_match": (
        "两条地址在同一片地方，但不是同一处",
        "The two addresses are in one area, but not the same place",
    ),
    "not_match": ("两条地址不是同一处", "The two addresses are not the same place"),
}
_MODEL = ("encoder_reading", "model_reading", "model_overruled")
_MOST = 2
"Conflicts, and reasons, that a sentence can hold."


def sentence(verdict: Verdict, language: Language | None = None, parts: Sequence[Part] = ()) -> str:
    """Label, level, conflicts or the strongest reasons, and what decided; in the language of the settings if none is given."""
    if language is None:
        from menpai.door import language_of_settings  # noqa: PLC0415 (settings are read when first asked for)

        language = language_of_settings()
    clauses = [
        _agree(verdict, language),
        *(_conflicts(verdict, language) or _reasons(verdict)),
        _decided(parts, language),
    ]
    comma, stop = ("，", "。") if language == "zh" else ("; ", ".")
    says = _SAYS[verdict.label][language == "en"]
    return says + "".join(f"{comma}{clause}" for clause in clauses if clause) + stop


def _agree(verdict: Verdict, language: Language) -> str:
    if verdict.level == "none":
        return ""
    zh, en = KINDS[verdict.level]
    return f"一致到{zh}" if language == "zh" else f"they agree to the {en}"


def _conflicts(verdict: Verdict, language: Language) -> list[str]:
    found = []
    for conflict in verdict.conflicts[:_MOST]:
        zh, en = KINDS.get(conflict.element, (conflict.element, conflict.element))
        values = f"{conflict.a} ≠ {conflict.b}"
        found.append(f"{zh}不同（{values}）" if language == "zh" else f"the {en} differs ({values})")
    return found


def _reasons(verdict: Verdict) -> list[str]:
    """Policies that gave the label, then the strongest reasons for the same place, or against it; where it is a partial
    match the strongest on both sides."""
    from menpai.policy import RULES  # noqa: PLC0415 (commands that judge nothing load neither policies nor numpy)

    winners = {rule.name: rule.winner for rule in RULES}
    policies = [e for e in verdict.evidence if winners.get(e.name) == verdict.label]
    weighed = [e for e in verdict.evidence if e.name not in winners and e.name not in _MODEL]
    strongest = sorted(weighed, key=lambda e: -abs(e.weight))
    same = [e for e in strongest if e.weight > 0][:_MOST]
    other = [e for e in strongest if e.weight < 0][:_MOST]
    reasons = {"exact_match": same, "partial_match": [*same[:1], *other[:1], *same[1:]], "not_match": other}
    return [e.text.rstrip("。.") for e in [*policies, *reasons[verdict.label]][:_MOST]]


def _decided(parts: Sequence[Part], language: Language) -> str:
    """The part of each text that decided, where the encoder did."""
    best = [
        max((p for p in parts if p.side == side and p.weight > 0), key=lambda p: p.weight, default=None)
        for side in "ab"
    ]
    texts = list(dict.fromkeys(part.text for part in best if part))
    if not texts:
        return ""
    if language == "zh":
        return "模型主要看" + "和".join(f"“{text}”" for text in texts)
    return "the model went by " + " and ".join(f"“{text}”" for text in texts)
