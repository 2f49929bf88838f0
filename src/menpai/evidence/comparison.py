"""Two readings laid side by side: for each element, how the two relate."""

from __future__ import annotations

import re
from dataclasses import dataclass

from menpai.address import DIVISION_LEVELS, Address
from menpai.evidence.coordinates import metres, to_wgs84
from menpai.evidence.crossings import relate_crossings
from menpai.evidence.divisions import common_division
from menpai.evidence.doors import in_same_terms
from menpai.evidence.homes import moved, one_at_home, without_namesake
from menpai.evidence.names import relate_names, relate_rest
from menpai.evidence.numbers import relate_numbers, relate_parts
from menpai.evidence.relation import Relation
from menpai.evidence.side import Side, side_of
from menpai.verdict import Conflict

_NAMES = ("community", "road", "poi", "devzone")
_NUMBERS = ("roadno", "village_group", "building", "unit", "floor", "room")
_TOWN_KIND = re.compile("(?:街道办事处|街道|地区|镇|乡|苏木)$")
_RELATED = (
    *((kind, relate_names) for kind in _NAMES),
    ("subpoi", relate_parts),
    *((kind, relate_numbers) for kind in _NUMBERS),
)


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
    if divisions.conflict and (renamed := _without_namesakes(a, b)):
        return compare_sides(*renamed)
    relations = dict(divisions.relations)
    texts = dict(divisions.texts)
    found = divisions.level
    if not divisions.conflict and (town := _shared_town(a, b) or _shared_town(b, a)):
        found, relations["town"], texts["town"] = "town", Relation.EQUAL, (town, town)
    given = in_same_terms(a, b)
    for kind, relate in _RELATED:
        if kind in given[0] or kind in given[1]:
            crossing = relate_crossings(*given) if kind == "road" else None
            relations[kind], *values = crossing or relate(given[0].get(kind, ()), given[1].get(kind, ()))
            if relations[kind] == Relation.EQUAL and values[0] != values[1] and relate is relate_names:
                relations["slip"] = Relation.EQUAL
                texts["slip"] = (values[0], values[1])
            if kind == "poi" and _at_home(a, b, relations[kind], *values):
                relations[kind] = Relation.EQUAL
            texts[kind] = _quote(kind, a, values[0]), _quote(kind, b, values[1])
    conflict = divisions.conflict
    if conflict and moved(a.address, b.address, texts["town"]):
        conflict = None
        relations.update({kind: Relation.MISSING for kind in DIVISION_LEVELS if _apart(relations, kind)})
    if "poi" in a.given and "poi" in b.given:
        if relations.get("building") == relations.get("roadno") == Relation.MISSING:
            _relate_doors(a, b, relations, texts)
        relations["rest"], *values = relate_rest(a.given["poi"], b.given["poi"])
        texts["rest"] = _quote("poi", a, values[0]), _quote("poi", b, values[1])
    return Comparison(
        a,
        b,
        relations,
        texts,
        covered=(_covered(a.names, b.address.text), _covered(b.names, a.address.text)),
        division_level=found,
        division_conflict=conflict,
        metres=_metres(a.address, b.address),
    )


def _without_namesakes(a: Side, b: Side) -> tuple[Side, Side] | None:
    """The sides with a division that is part of a name read as that; None where there is none."""
    left, right = without_namesake(a.address, b.address), without_namesake(b.address, a.address)
    if left is None and right is None:
        return None
    return side_of(left) if left else a, side_of(right) if right else b


def _at_home(a: Side, b: Side, relation: Relation, x: str, y: str) -> bool:
    return relation == Relation.CONTAINS and one_at_home(x, y, a.homes | b.homes)


def _apart(relations: dict[str, Relation], kind: str) -> bool:
    return relations.get(kind) == Relation.DIFFERS


def _relate_doors(
    a: Side, b: Side, relations: dict[str, Relation], texts: dict[str, tuple[str, str]]
) -> None:
    """海月花园3号楼, 海月花园3号: where neither gives a road, what one calls a building is the other's number."""
    kinds = [next((k for k in ("building", "roadno") if k in side.given), "") for side in (a, b)]
    if "road" in relations or kinds[0] == kinds[1] or not all(kinds):
        return
    relations["building"], *values = relate_numbers(a.given[kinds[0]], b.given[kinds[1]])
    texts["building"] = _quote(kinds[0], a, values[0]), _quote(kinds[1], b, values[1])
    del relations["roadno"], texts["roadno"]


def _shared_town(a: Side, b: Side) -> str:
    """The town of `a` if the other side, which names none, begins its detail with it: 挹江门街道, 挹江门街萨家湾3号."""
    if "town" in b.given or "town" not in a.given:
        return ""
    town = a.given["town"][-1]
    stem = _TOWN_KIND.sub("", town)
    return town if len(stem) > 1 and b.detail.startswith(stem) else ""


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
    """What a person reads for a compared value: the text of a name, all texts of a number; the value itself where it was
    read from another element."""
    known = side.values.get(kind)
    return (known.get(value) or "、".join(known.values())) if known else value
