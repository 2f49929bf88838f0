"""What a policy may find in a comparison: each finding can be checked by reading, whatever a model says."""

from __future__ import annotations

from typing import NamedTuple

from menpai.address import DIVISION_LEVELS, Address
from menpai.evidence import Comparison, Relation, hard_conflicts, uncarried_number
from menpai.evidence.slips import slip_of
from menpai.evidence.within import beside, facility, other_branch

_NUMBERS = frozenset({"roadno", "building", "unit", "room"})
# What may stand around a house on one side only, and what lies within it.
_AROUND = frozenset({*DIVISION_LEVELS, "community", "devzone", "road", "roadno"})
_WITHIN = frozenset({"unit", "floor", "room"})
_HOUSES = ("宿舍", "楼", "厂", "厂房", "大厦", "公寓", "阁", "座", "轩", "公司", "宾馆", "酒店")


class Finding(NamedTuple):
    """Where a policy applies: the element (or "") and what the two sides say."""

    element: str
    a: str
    b: str


def number_conflict(c: Comparison) -> Finding | None:
    """House number, building, unit or room contradict on one road or in one place."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element in _NUMBERS), None)


def number_apart(c: Comparison) -> Finding | None:
    """A building, unit, floor or room contradicts, and no road or place that both name carries it."""
    conflict = uncarried_number(c)
    return Finding(*conflict) if conflict else None


def division_conflict(c: Comparison) -> Finding | None:
    """Province, city or district contradict and neither is a former name of the other."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element not in _NUMBERS), None)


def other_city(c: Comparison) -> Finding | None:
    """Province or city contradict: whatever else agrees is a namesake."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element in ("province", "city")), None)


def building_inside(c: Comparison) -> Finding | None:
    """Place or house number agree, nothing contradicts, and one side goes down to a numbered building."""
    agree = Relation.EQUAL in (c.relations.get("poi"), c.relations.get("roadno"))
    if not agree or c.relations.get("building") != Relation.MISSING or hard_conflicts(c):
        return None
    building = next(e for side in (c.a, c.b) for e in side.elements if e.kind == "building")
    return Finding("building", *c.texts["building"]) if building.value[:1].isdigit() else None


def room_inside(c: Comparison) -> Finding | None:
    """One house on both sides, by its number in a place or on a road or by its own name, nothing contradicts, and
    only one side goes on to a unit, floor or room."""
    if c.division_conflict or c.left.relative != c.right.relative:
        return None
    known = {kind: relation for kind, relation in c.relations.items() if relation != Relation.ABSENT}
    only = {kind for kind, relation in known.items() if relation == Relation.MISSING}
    if (
        set(known.values()) - {Relation.EQUAL, Relation.MISSING}
        or only - _AROUND - _WITHIN
        or not only & _WITHIN
    ):
        return None
    same = {kind for kind, relation in known.items() if relation == Relation.EQUAL}
    if not {"poi", "building"} <= same and (
        "unit" in only or not ({"road", "roadno"} <= same or _one_house(c))
    ):
        return None
    within = next(kind for kind in ("room", "floor", "unit") if kind in only)
    return Finding(within, *c.texts[within])


def _one_house(c: Comparison) -> bool:
    """Whether the finest place that both name is a house, whose rooms have no building before them."""
    a, b = (side.given.get("poi", ("",))[-1] for side in (c.left, c.right))
    return a == b and a.endswith(_HOUSES)


def block_at_door(c: Comparison) -> Finding | None:
    """Road and house number agree, no side names a place, and one side adds a lettered block (A座)."""
    agree = all(c.relations.get(kind) == Relation.EQUAL for kind in ("road", "roadno"))
    alone = c.relations.get("building") == Relation.MISSING and "poi" not in c.relations
    if not agree or not alone or any(not text.endswith("号") for text in c.texts["roadno"]):
        return None
    block = next((e.value for side in (c.a, c.b) for e in side.elements if e.kind == "building"), "")
    return Finding("building", *c.texts["building"]) if block.isalpha() else None


def name_slip(c: Comparison) -> Finding | None:
    """Two names are one but for slips of the pen, the number on them agrees, and nothing contradicts."""
    found = slip_of(c)
    return Finding("", *found) if found else None


def name_slip_alone(c: Comparison) -> Finding | None:
    """The same, and neither side goes on to something within: the slip is all that parts them."""
    only = {kind for kind, relation in c.relations.items() if relation == Relation.MISSING}
    return None if only - _AROUND or c.left.relative != c.right.relative else name_slip(c)


def area_around(c: Comparison) -> Finding | None:
    """One side names a division and nothing else, and the other side lies in it, also a finer division."""
    if _bare(c.a) and _bare(c.b):
        return area_inside(c)
    if c.division_conflict or c.division_level == "none" or _bare(c.a) == _bare(c.b):
        return None
    return Finding("", c.a.text, c.b.text)


def area_inside(c: Comparison) -> Finding | None:
    """Both name divisions and nothing else, and one goes on to a finer one."""
    apart = c.division_conflict or c.division_level == "none" or c.a.level == c.b.level
    return None if apart or not (_bare(c.a) and _bare(c.b)) else Finding("", c.a.text, c.b.text)


def same_area(c: Comparison) -> Finding | None:
    """Both name a division and nothing else, and it is the same one."""
    ends = [address.elements[-1].value if address.elements else "" for address in (c.a, c.b)]
    same = ends[0] == ends[1] and c.a.level == c.b.level == c.division_level != "none"
    return Finding("", c.a.text, c.b.text) if same and _bare(c.a) and _bare(c.b) else None


def place_beside(c: Comparison) -> Finding | None:
    """One side ends opposite of what the other names, or some metres from it."""
    found = beside(c)
    return Finding("", *found) if found else None


def facility_inside(c: Comparison) -> Finding | None:
    """One side goes on to a shop, car park or hall inside the place that the other names."""
    found = facility(c)
    return Finding("", *found) if found else None


def branch_apart(c: Comparison) -> Finding | None:
    """The names of two branches of one shop or bank."""
    found = other_branch(c)
    return Finding("", *found) if found else None


def nothing_shared(c: Comparison) -> Finding | None:
    """No character in common, nor anything that means the same, nor coordinates: none of 8,295 judged training pairs is
    like that."""
    same = c.division_level != "none" or Relation.EQUAL in c.relations.values() or c.metres is not None
    return None if same or set(c.a.text) & set(c.b.text) else Finding("", c.a.text, c.b.text)


def _bare(address: Address) -> bool:
    return all(e.kind in DIVISION_LEVELS for e in address.elements)
