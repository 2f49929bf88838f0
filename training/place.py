"""A place in elements, and how one writer puts it into one line of text."""

from __future__ import annotations

from dataclasses import dataclass

_LETTERED = {"#": "号楼", "#楼": "号楼", "号楼": "号楼", "楼": "楼"}  # what follows A3
DIVISIONS = ("province", "city", "county", "town", "community")


@dataclass(frozen=True, slots=True)
class Place:
    """What is true of a place; absent elements are empty. `part` (a gate, exit, group) is kept as written."""

    province: str = ""
    city: str = ""
    county: str = ""
    town: str = ""
    community: str = ""
    road: str = ""
    number: str = ""
    host: str = ""
    name: str = ""
    branch: str = ""
    zone: str = ""
    building: str = ""
    unit: str = ""
    floor: str = ""
    room: str = ""
    part: str = ""
    tail: str = ""
    kind: str = "estate"
    aliases: tuple[str, ...] = ()


@dataclass(slots=True)
class Wording:
    """One writer's habits: the words for building, unit and floor, the order of blocks, brackets and gaps."""

    building: str = "号楼"
    unit: str = "单元"
    floor: str = "层"
    room: str = "室"
    order: str = "drn"
    brackets: str = "()"
    gap: str = ""
    dash: bool = False
    named: bool = False


def write(place: Place, wording: Wording) -> str:
    """The text of a place in one writer's wording."""
    city = "" if place.city in (place.province, place.county) else place.city
    divisions = place.province + city + place.county + place.town
    blocks = {"d": divisions + place.community, "r": place.road + place.number, "n": _body(place, wording)}
    text = blocks[wording.order[0]]
    for key in wording.order[1:]:
        if blocks[key]:
            bare = not text or text == divisions or key == "r"
            text += blocks[key] if bare else wording.gap + blocks[key]
    return text + place.tail


def _body(place: Place, wording: Wording) -> str:
    """Host, name with branch, and what lies inside."""
    inside = place.zone + _inside(place, wording)
    name = place.name + _branch(place, wording)
    if not place.host:
        return name + inside + place.part
    if wording.named and name:
        return name + wording.gap + place.host + inside + place.part
    return place.host + inside + (wording.gap if name else "") + name + place.part


def _branch(place: Place, wording: Wording) -> str:
    """The branch name in brackets, or joined."""
    if not place.branch:
        return ""
    if not wording.brackets:
        return place.branch
    return wording.brackets[0] + place.branch + wording.brackets[1]


def _inside(place: Place, wording: Wording) -> str:
    """Building, unit, floor and room: in words, or as 3-2-501."""
    plain = place.building.isdigit()
    if wording.dash and plain and place.unit.isdigit() and not place.floor:
        return "-".join(p for p in (place.building, place.unit, place.room) if p)
    building = place.building
    if plain:
        building += wording.building
    elif building.isascii() and building:
        building += (
            "座"
            if len(building) == 1
            else wording.building.removesuffix("楼").replace("#", "号").removesuffix("号")
            + _LETTERED.get(wording.building, "")
        )
    unit = place.unit + wording.unit if place.unit else ""
    floor = place.floor + wording.floor if place.floor else ""
    room = place.room + wording.room if place.room else ""
    return building + unit + floor + room
