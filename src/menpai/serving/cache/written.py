"""A verdict as the service gives it out: its JSON, written once, and what logs, counts and ranks need of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from menpai.scoring import Score
from menpai.serving.codec import verdict_json, write_json
from menpai.verdict import Probabilities, Verdict


@dataclass(frozen=True, slots=True)
class Written:
    """`body` is the verdict's JSON; `score` is what file and Redis keep of it."""

    body: bytes
    label: str
    similarity: float
    decided_by: str
    behaviour: str
    score: Score | None = field(default=None, compare=False, repr=False)

    def row(self, **before: Any) -> bytes:
        """The JSON with fields before its own."""
        return write_json(before)[:-1] + b"," + self.body[1:] if before else self.body


def write_verdict(verdict: Verdict) -> Written:
    """The verdict, written."""
    return Written(
        verdict_json(verdict),
        verdict.label,
        verdict.similarity,
        verdict.decided_by,
        verdict.behaviour,
        score_of(verdict),
    )


def write_answers(answers: Sequence[Any]) -> list[Any]:
    """Verdicts written; what is none, or was written before, as it is."""
    return [write_verdict(each) if isinstance(each, Verdict) else each for each in answers]


def score_of(verdict: Verdict) -> Score | None:
    """The score that the verdict was made from."""
    if verdict.scored is None:
        return None
    exact, partial, other, reading = verdict.scored
    return Score(Probabilities(exact, partial, other), verdict.decided_by, reading)
