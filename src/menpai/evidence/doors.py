"""One door in two spellings, as only the other side shows: B-12 beside B区12号, 3号 of an estate beside its 3号楼."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from menpai.evidence.side import Side

Given = Mapping[str, Sequence[str]]
_ZONE = re.compile(r"([A-Z]|[0-9]{1,2})区")
_LETTERED = re.compile(r"([A-Z])-?([0-9]{1,2})")


def in_same_terms(a: Side, b: Side) -> tuple[Given, Given]:
    """What both sides give; where only one names a zone (B区12号) and the other's building can be one in such a zone
    (B12, B-12; 3-7 beside 3区7号), the latter is read like it."""
    if (
        "building" not in a.given
        or "building" not in b.given
        or ("subpoi" in a.given) == ("subpoi" in b.given)
    ):
        return _unparted(a, b), _unparted(b, a)
    if "subpoi" in a.given:
        return a.given, _zoned(b, a.given["subpoi"])
    return _zoned(a, b.given["subpoi"]), b.given


def _unparted(side: Side, other: Side) -> Given:
    """The side's numbers with 三巷2204, read as door 2 and room 204, as one where the other side has 2204号."""
    door, room = (side.given.get(kind, ("",))[-1] for kind in ("roadno", "room"))
    if (
        not room
        or other.given.get("roadno", ("",))[-1] != door + room
        or door + room not in side.address.text
    ):
        return side.given
    rest = {kind: values for kind, values in side.given.items() if kind != "room"}
    return {**rest, "roadno": (door + room,)}


def _zoned(side: Side, zones: Sequence[str]) -> Given:
    """The side's numbers with the zone read from its building; as they are if it can be none."""
    zone = _ZONE.fullmatch(zones[0]) if len(zones) == 1 else None
    buildings = side.given["building"]
    if zone is None or len(buildings) != 1:
        return side.given
    building = buildings[0]
    if zone[1].isalpha() and (lettered := _LETTERED.fullmatch(building)):
        return {**side.given, "subpoi": (f"{lettered[1]}区",), "building": (lettered[2],)}
    bare = side.values["building"][building] == building and "unit" in side.given
    alike = building == zone[1] or (zone[1].isalpha() and building.isalpha() and len(building) == 1)
    return _shifted(side.given, building) if bare and alike else side.given


def _shifted(given: Given, zone: str) -> Given:
    """4-12-3-502 as 4区12号楼3单元502: each number stands one place higher."""
    first, *more = given["unit"]
    units = tuple(more) or given.get("floor", ())
    rest = {kind: values for kind, values in given.items() if kind not in ("unit", "floor")}
    return {**rest, "subpoi": (f"{zone}区",), "building": (first,), **({"unit": units} if units else {})}
