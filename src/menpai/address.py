"""Addresses as values: what normalize and parse hand on. This file knows nobody."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple, TypedDict

# Coarse to fine; the names are those of MGeo and CCKS where they have one.
ELEMENTS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno",
    "intersection", "poi", "subpoi", "building", "unit", "floor", "room", "distance", "assist",
)  # fmt: skip

# The finest element on which two addresses can agree, coarse to fine. A village group counts as `building`.
LEVELS = (
    "none", "province", "city", "district", "town", "community", "road", "poi", "roadno", "building",
    "unit", "room",
)  # fmt: skip

DIVISION_LEVELS = ("province", "city", "district", "town")


class Place(TypedDict, total=False):
    """An address with coordinates, accepted wherever a text is: {"text", "lat", "lon", "crs"}."""

    text: str
    lat: float
    lon: float
    crs: str


class Remark(NamedTuple):
    """A bracketed part: where it stands in the normalized text (brackets not counted) and what it says."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Normalized:
    """A cleaned text with the way back: `text[i]` came from `raw[offsets[i]]`; offsets never decrease."""

    raw: str
    text: str
    offsets: tuple[int, ...]
    remarks: tuple[Remark, ...] = ()
    steps: tuple[str, ...] = ()

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of `raw` from which text[start:end] came; end is exclusive."""
        if start >= end:
            at = self.offsets[start] if start < len(self.offsets) else len(self.raw)
            return at, at
        return self.offsets[start], self.offsets[end - 1] + 1

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape of `menpai normalize --json`."""
        return {
            "raw": self.raw,
            "text": self.text,
            "steps": list(self.steps),
            "remarks": [{"start": r.start, "end": r.end, "text": r.text} for r in self.remarks],
        }


class Element(NamedTuple):
    """One part of an address: kind, its text and span in the normalized text, and its canonical value.

    `value` is the form that is compared: "123" for 123号, "3" for 三栋, "b1" for 负一层, the road's or
    estate's bare name otherwise. For a division it is the official name. `source` says who found it:
    "gazetteer", "rule" or "tagger"; `confidence` is in 0..1.
    """

    kind: str
    text: str
    start: int
    end: int
    value: str
    source: str = "rule"
    confidence: float = 1.0


class Division(NamedTuple):
    """An official unit: code (2, 4, 6 or 9 digits; a prefix is its parent), level and full name today."""

    code: str
    level: str
    name: str


class Former(NamedTuple):
    """A former name that was read: the name written, its level, the codes of today's unit(s), and the change.

    `kind` is what happened to the unit (renamed, merged, split, …), `date` when, as far as it is known.
    """

    written: str
    level: str
    codes: tuple[str, ...]
    kind: str = ""
    date: str = ""


class DivisionConflict(NamedTuple):
    """A division that disagrees with the rest of its own address: 南山区 in 广东省南昌市南山区.

    `codes` are the units that it can mean; `against` is the text of the division it disagrees with.
    """

    written: str
    level: str
    start: int
    end: int
    codes: tuple[str, ...]
    against: str


class Correction(NamedTuple):
    """A typo that was noticed, offered and not applied: text[start:end], what it may have meant, and why.

    `kind` is how the two differ (homophone, shape, dropped, …); a low `cost` is a likely slip.
    """

    start: int
    end: int
    written: str
    suggested: str
    kind: str
    cost: float
    codes: tuple[str, ...] = ()


class Zone(NamedTuple):
    """A functional zone (高新区, 经开区) that was read, and the codes of the districts it lies in."""

    name: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """One reading of a text. The raw text stays beside it: a parse is a reading, not the truth.

    `divisions` are the possible deepest units that the text names (several for a bare 朝阳区), most likely
    first; empty if it names none. `elements` stand in the order of the text; a kind can occur twice.
    `penalty` is what had to be assumed to read it so: 0 for a text without any doubt. Only when in doubt
    are there `alternatives` (other readings, cheapest first) and `settled_by` (what would decide: "city").
    """

    normalized: Normalized
    elements: tuple[Element, ...] = ()
    divisions: tuple[Division, ...] = ()
    former: tuple[Former, ...] = ()
    place: Place | None = field(default=None, compare=False)
    penalty: float = 0.0
    alternatives: tuple[Address, ...] = ()
    conflicts: tuple[DivisionConflict, ...] = ()
    corrections: tuple[Correction, ...] = ()
    zones: tuple[Zone, ...] = ()
    settled_by: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The normalized text."""
        return self.normalized.text

    @property
    def raw(self) -> str:
        """The text as it was given."""
        return self.normalized.raw

    def get(self, kind: str) -> Element | None:
        """The first element of this kind, or None."""
        return next((e for e in self.elements if e.kind == kind), None)

    def all(self, kind: str) -> list[Element]:
        """All elements of this kind, in the order of the text."""
        return [e for e in self.elements if e.kind == kind]

    @property
    def level(self) -> str:
        """The finest element that the text names, as one of LEVELS."""
        kinds = {LEVEL_OF.get(e.kind, e.kind) for e in self.elements}
        return next((level for level in reversed(LEVELS) if level in kinds), "none")

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape of `menpai parse --json`; spans are given in the normalized and in the raw text."""
        return {
            "raw": self.raw,
            "text": self.text,
            **self._reading(),
            "former": [_plain(f) for f in self.former],
            "zones": [_plain(z) for z in self.zones],
            "conflicts": [_plain(c) for c in self.conflicts],
            "corrections": [_plain(c) for c in self.corrections],
            "settled_by": list(self.settled_by),
            "alternatives": [other._reading() for other in self.alternatives],
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: the text with what was read in it; needs no network."""
        return str(import_module("menpai.explaining.notebook").address_html(self))

    def _reading(self) -> dict[str, Any]:
        """What differs between two readings of one text."""
        return {
            "level": self.level,
            "penalty": self.penalty,
            "divisions": [_plain(d) for d in self.divisions],
            "elements": [
                _plain(e) | {"raw_span": list(self.normalized.raw_span(e.start, e.end))}
                for e in self.elements
            ],
        }


def _plain(value: Any) -> dict[str, Any]:
    """A named tuple as JSON has it: an object, its tuples as lists."""
    return {name: list(item) if isinstance(item, tuple) else item for name, item in value._asdict().items()}


LEVEL_OF = {"village_group": "building", "subpoi": "poi", "intersection": "road", "floor": "unit"}
