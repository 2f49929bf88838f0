"""Two readings laid side by side: for each element, how the two relate."""

from __future__ import annotations

import re
from dataclasses import dataclass

from menpai.address import DIVISION_LEVELS, Address
from menpai.evidence.coordinates import metres, to_wgs84
from menpai.evidence.divisions import common_division
from menpai.evidence.names import relate_names, relate_rest
from menpai.evidence.numbers import relate_numbers
from menpai.evidence.relation import Relation
from menpai.verdict import Conflict

Sides = tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]

_NAMES = ("community", "road", "poi", "devzone")
_PLACES = ("road", "poi", "community")
_NUMBER = re.compile(r"[0-9]+|[A-Z]+")
_NUMBERS = ("roadno", "subpoi", "village_group", "building", "unit", "floor", "room")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Element → relation, and element → the two texts that were compared (empty where a side gives none)."""

    a: Address
    b: Address
    relations: dict[str, Relation]
    texts: dict[str, tuple[str, str]]
    details: tuple[str, str]
    "The texts behind the divisions; the whole text where nothing stands behind them."
    numbers: tuple[frozenset[str], frozenset[str]]
    "The numbers and Latin words of each text."
    covered: tuple[float, float]
    "Share of each side's names (roads, places, communities) that stand in the other text; 0 without names."
    division_level: str
    division_conflict: Conflict | None
    metres: float | None = None
    "Distance between the two, if both came with coordinates."

    @property
    def identical(self) -> bool:
        """Both normalize to the same text."""
        return self.a.text == self.b.text


def compare(a: Address, b: Address) -> Comparison:
    """The comparison of two readings; symmetric but for the order of the texts it quotes."""
    divisions = common_division(a, b)
    relations = dict(divisions.relations)
    texts = dict(divisions.texts)
    sides = _values(a), _values(b)
    for kinds, relate in ((_NAMES, relate_names), (_NUMBERS, relate_numbers)):
        for kind in kinds:
            given = [list(side.get(kind, ())) for side in sides]
            if given[0] or given[1]:
                relations[kind], *values = relate(*given)
                texts[kind] = _quote(kind, sides, values)
    places = [list(side.get("poi", ())) for side in sides]
    if places[0] and places[1]:
        relations["rest"], *values = relate_rest(*places)
        texts["rest"] = _quote("poi", sides, values)
    return Comparison(
        a,
        b,
        relations,
        texts,
        details=(detail(a), detail(b)),
        numbers=(frozenset(_NUMBER.findall(a.text)), frozenset(_NUMBER.findall(b.text))),
        covered=(_covered(sides[0], b.text), _covered(sides[1], a.text)),
        division_level=divisions.level,
        division_conflict=divisions.conflict,
        metres=_metres(a, b),
    )


def detail(address: Address) -> str:
    """The text behind the divisions, or the whole text if nothing stands behind them."""
    end = 0
    for element in address.elements:
        if element.kind not in DIVISION_LEVELS:
            break
        end = element.end
    return address.text[end:] or address.text


def _covered(side: dict[str, dict[str, str]], text: str) -> float:
    names = [value for kind in _PLACES for value in side.get(kind, ())]
    return sum(name in text for name in names) / len(names) if names else 0.0


def _metres(a: Address, b: Address) -> float | None:
    points = [
        to_wgs84(place["lat"], place["lon"], place.get("crs", "wgs84"))
        for place in (a.place, b.place)
        if place and place.get("lat") is not None
    ]
    return metres(*points) if len(points) == 2 else None


def _values(address: Address) -> dict[str, dict[str, str]]:
    """Kind → value → the text it was read from, in the order of the text; a crossing's roads count as roads."""
    values: dict[str, dict[str, str]] = {}
    for element in address.elements:
        kind = "road" if element.kind == "intersection" else element.kind
        values.setdefault(kind, {})[element.value] = element.text
    return values


def _quote(kind: str, sides: Sides, values: list[str]) -> tuple[str, str]:
    """What a person reads for two compared values: the text of a name, all texts of a number."""
    texts = [side.get(kind, {}) for side in sides]
    a, b = (known.get(value) or "、".join(known.values()) for known, value in zip(texts, values, strict=True))
    return a, b
