"""What a library takes in and gives back: entries, records, candidates, suggestions. This file knows nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from menpai.errors import Problem
from menpai.verdict import Verdict


class Entry(NamedTuple):
    """A row as it enters a library. Either text (the address) or name may be empty, not both.

    `id` "" means that the library gives one. `lat`, `lon` are degrees in the coordinate system of the source, None
    where it has none and NaN where what it has is no number. `payload` is the JSON text of an object, or "".
    """

    id: str
    text: str
    name: str = ""
    lat: float | None = None
    lon: float | None = None
    weight: float = 1.0
    payload: str = ""
    line: int = 0
    "Where it stands in its source."


class Trouble(NamedTuple):
    """What was wrong with a row of a source: where it stands, its id if it has one, and the problem."""

    source: str
    line: int
    id: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Record:
    """A row of a library as it is given back; lat and lon in WGS-84."""

    id: str
    text: str
    name: str = ""
    lat: float | None = None
    lon: float | None = None
    weight: float = 1.0
    payload: Mapping[str, Any] = field(default_factory=dict)
    division: str = ""
    "Official code of the deepest division that the address names; empty if it names none."

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape; what is unknown is left out."""
        known = {
            "id": self.id,
            "text": self.text,
            "name": self.name,
            "lat": self.lat,
            "lon": self.lon,
            "weight": self.weight,
            "division": self.division,
            "payload": dict(self.payload),
        }
        return {key: value for key, value in known.items() if value not in (None, "", {})}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record found by search, nearby or standardize. Candidates stand best first.

    `score` in 0..1 is what they are ranked by (the verdict has the similarity); `distance` in metres where both have a
    point; `gap` is how far its score is above the next candidate's (None for the last).
    """

    record: Record
    score: float
    verdict: Verdict | None = None
    distance: float | None = None
    gap: float | None = None

    @property
    def id(self) -> str:
        """The record's id."""
        return self.record.id

    @property
    def text(self) -> str:
        """The record's address, or its name where it has no address."""
        return self.record.text or self.record.name

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape, the same on the command line and over HTTP; what is unknown is left out."""
        verdict = None if self.verdict is None else self.verdict.to_dict()
        known = {
            "score": self.score,
            "label": verdict and verdict["label"],
            "level": verdict and verdict["level"],
            "distance": self.distance,
            "gap": self.gap,
            "verdict": verdict,
        }
        return self.record.to_dict() | {key: value for key, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A completion. `text` is what goes into the box when it is taken; `highlights` are the spans of `text` that were
    typed (end exclusive). `kind` is "row" (with its id) or the element that is offered next (road, roadno, …);
    `count` is how many rows lie behind it."""

    text: str
    score: float
    kind: str = "row"
    highlights: tuple[tuple[int, int], ...] = ()
    count: int = 1
    id: str = ""
    name: str = ""
    lat: float | None = None
    lon: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape; what is unknown is left out."""
        plain = {
            "text": self.text,
            "name": self.name,
            "kind": self.kind,
            "id": self.id,
            "count": self.count,
            "score": self.score,
            "lat": self.lat,
            "lon": self.lon,
            "highlights": [list(span) for span in self.highlights],
        }
        return {key: value for key, value in plain.items() if value not in (None, "")}
