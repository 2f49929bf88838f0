"""Two readings laid side by side: for each element, how the two relate."""

from __future__ import annotations

from dataclasses import dataclass

from menpai.address import Address
from menpai.evidence.coordinates import metres, to_wgs84
from menpai.evidence.divisions import common_division
from menpai.evidence.names import relate_names, relate_rest
from menpai.evidence.numbers import relate_numbers
from menpai.evidence.relation import Relation
from menpai.evidence.side import Side, side_of
from menpai.verdict import Conflict

_NAMES = ("community", "road", "poi", "devzone")
_NUMBERS = ("roadno", "subpoi", "village_group", "building", "unit", "floor", "room")
_RELATED = (*((kind, relate_names) for kind in _NAMES), *((kind, relate_numbers) for kind in _NUMBERS))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Element → relation, and element → the two texts that were compared (empty where a side gives none)."""

    left: Side
    right: Side
    relations: dict[str, Relation]
    texts: dict[str, tuple[str, str]]
    covered: tuple[float, float]
    "Share of each side's names (roads, places, communities) that stand in the other text; 0 without names."
    division_level: str
    division_conflict: Conflict | None
    metres: float | None = None
    "Distance between the two, if both came with coordinates."

    @property
    def a(self) -> Address:
        """The first reading."""
        return self.left.address

    @property
    def b(self) -> Address:
        """The second reading."""
        return self.right.address

    @property
    def details(self) -> tuple[str, str]:
        """The texts behind the divisions; the whole text where nothing stands behind them."""
        return self.left.detail, self.right.detail

    @property
    def identical(self) -> bool:
        """Both normalize to the same text."""
        return self.a.text == self.b.text


def compare(a: Address, b: Address) -> Comparison:
    """The comparison of two readings; symmetric but for the order of the texts it quotes."""
    return compare_sides(side_of(a), side_of(b))


def compare_sides(a: Side, b: Side) -> Comparison:
    """The same for readings that stand in many pairs."""
    divisions = common_division(a.divided, b.divided)
    relations = dict(divisions.relations)
    texts = dict(divisions.texts)
    for kind, relate in _RELATED:
        if kind in a.given or kind in b.given:
            relations[kind], *values = relate(a.given.get(kind, ()), b.given.get(kind, ()))
            texts[kind] = _quote(kind, a, values[0]), _quote(kind, b, values[1])
    if "poi" in a.given and "poi" in b.given:
        relations["rest"], *values = relate_rest(a.given["poi"], b.given["poi"])
        texts["rest"] = _quote("poi", a, values[0]), _quote("poi", b, values[1])
    return Comparison(
        a,
        b,
        relations,
        texts,
        covered=(_covered(a.names, b.address.text), _covered(b.names, a.address.text)),
        division_level=divisions.level,
        division_conflict=divisions.conflict,
        metres=_metres(a.address, b.address),
    )


def _covered(names: tuple[str, ...], text: str) -> float:
    return sum([name in text for name in names]) / len(names) if names else 0.0


def _metres(a: Address, b: Address) -> float | None:
    if not a.place or not b.place:
        return None
    points = [
        to_wgs84(place["lat"], place["lon"], place.get("crs", "wgs84"))
        for place in (a.place, b.place)
        if place.get("lat") is not None
    ]
    return metres(*points) if len(points) == 2 else None


def _quote(kind: str, side: Side, value: str) -> str:
    """What a person reads for a compared value: the text of a name, all texts of a number."""
    known = side.values.get(kind)
    return (known.get(value) or "、".join(known.values())) if known else ""
