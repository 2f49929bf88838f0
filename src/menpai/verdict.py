"""Verdicts as values: label, probabilities, level, conflicts, evidence. This file knows nobody."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal, NamedTuple

# The order of every probability row in menpai; the names are MGeo's.
LABELS = ("exact_match", "partial_match", "not_match")
DecidedBy = Literal["exact", "rules", "fast", "encoder"]


class Probabilities(NamedTuple):
    """Three probabilities that sum to 1."""

    exact_match: float
    partial_match: float
    not_match: float

    @property
    def label(self) -> str:
        """The argmax; the first wins a tie."""
        return LABELS[self.index(max(self))]

    @property
    def similarity(self) -> float:
        """P(exact) + ½·P(partial), in 0..1."""
        return self.exact_match + 0.5 * self.partial_match


class Conflict(NamedTuple):
    """An element that both addresses give and on which they contradict each other."""

    element: str
    a: str
    b: str

    @property
    def name(self) -> str:
        """The evidence name, for example roadno_differs."""
        return f"{self.element}_differs"

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return {"name": self.name, "element": self.element, "a": self.a, "b": self.b}


class Evidence(NamedTuple):
    """One named, signed reason: a positive weight speaks for the same place, a negative one against it."""

    name: str
    weight: float
    text: str

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape; the weight is rounded to three places."""
        return {"name": self.name, "weight": round(self.weight, 3), "text": self.text}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "are these two the same place?". `label` is always the argmax of `probabilities`."""

    probabilities: Probabilities
    level: str
    conflicts: tuple[Conflict, ...]
    evidence: tuple[Evidence, ...]
    decided_by: DecidedBy
    pack: str
    behaviour: str
    scored: tuple[float, float, float, float] | None = field(default=None, repr=False, compare=False)
    "The scorer's own numbers before policies: three probabilities and the encoder's reading."
    texts: tuple[str, str] | None = field(default=None, repr=False, compare=False)
    "Both addresses as given, for a notebook to draw; not kept where no evidence was asked for."

    @property
    def label(self) -> str:
        """exact_match, partial_match or not_match."""
        return self.probabilities.label

    @property
    def similarity(self) -> float:
        """P(exact) + ½·P(partial), in 0..1."""
        return self.probabilities.similarity

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape, the same on the command line, over HTTP and in tables."""
        return {
            "label": self.label,
            "similarity": self.similarity,
            "probabilities": self.probabilities._asdict(),
            "level": self.level,
            "conflicts": [c.to_dict() for c in self.conflicts],
            "evidence": [e.to_dict() for e in self.evidence],
            "decided_by": self.decided_by,
            "pack": self.pack,
            "behaviour": self.behaviour,
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: both addresses with what was read in them, label and reasons; needs no network."""
        return str(import_module("menpai.explaining.notebook").verdict_html(self))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The same for front ends that choose among forms."""
        plain = str(import_module("menpai.explaining.sentence").sentence(self))
        return {"text/html": self._repr_html_(), "text/plain": plain}
