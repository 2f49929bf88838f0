"""Evidence that one address lies inside the other: a building in an estate, a house on a road, a group of a village."""

from __future__ import annotations

from menpai.evidence.comparison import Comparison
from menpai.evidence.feature import feature
from menpai.evidence.relation import Relation


def _equal(c: Comparison, kind: str) -> bool:
    return c.relations.get(kind) == Relation.EQUAL


def _one_sided(c: Comparison, kind: str) -> bool:
    return c.relations.get(kind) == Relation.MISSING


def _absent(c: Comparison, kind: str) -> bool:
    return c.relations.get(kind, Relation.ABSENT) == Relation.ABSENT


@feature(
    "building",
    +1,
    "门牌号相同，只有一方写了楼栋：{one}",
    "same house number, one side adds a building: {one}",
)
def building_at_number(c: Comparison) -> float:
    """The house numbers agree, and only one side names a building."""
    return float(_equal(c, "roadno") and _one_sided(c, "building"))


@feature(
    "building",
    -1,
    "同一地点，只有一方写到楼栋：{one}",
    "same place, only one side goes down to a building: {one}",
)
def building_in_place(c: Comparison) -> float:
    """The named places agree, no house number does, and only one side names a building."""
    return float(_equal(c, "poi") and not _equal(c, "roadno") and _one_sided(c, "building"))


@feature(
    "subpoi",
    -1,
    "同一地点，只有一方写到分期或分区：{one}",
    "same place, only one side goes down to a part of it: {one}",
)
def part_in_place(c: Comparison) -> float:
    """The named places agree, and only one side names a phase or part of it."""
    return float(_equal(c, "poi") and _one_sided(c, "subpoi"))


@feature(
    "village_group",
    -1,
    "同一村庄，只有一方写到组：{one}",
    "same village, only one side goes down to a group: {one}",
)
def group_in_village(c: Comparison) -> float:
    """The villages agree, and only one side names a group."""
    return float((_equal(c, "poi") or _equal(c, "community")) and _one_sided(c, "village_group"))


@feature(
    "roadno",
    -1,
    "同一道路，只有一方写到门牌号：{one}",
    "same road, only one side goes down to a number: {one}",
)
def number_on_road(c: Comparison) -> float:
    """The roads agree, only one side gives a house number, and neither names a place."""
    return float(_equal(c, "road") and _one_sided(c, "roadno") and _absent(c, "poi"))


@feature(
    "poi", -1, "同一道路，只有一方写到地名：{one}", "same road, only one side names a place on it: {one}"
)
def place_on_road(c: Comparison) -> float:
    """The roads agree, no house number does, and only one side names a place."""
    return float(_equal(c, "road") and not _equal(c, "roadno") and _one_sided(c, "poi"))


@feature("poi", 0, "门牌号不同，地名相同：{a}", "other house number but the same place: {a}")
def place_with_other_number(c: Comparison) -> float:
    """The named places agree although the house numbers do not."""
    return float(_equal(c, "poi") and c.relations.get("roadno") == Relation.DIFFERS)


@feature("roadno", +1, "道路和门牌号都相同", "same road and same house number")
def door_equal(c: Comparison) -> float:
    """Road and house number both agree."""
    return float(_equal(c, "road") and _equal(c, "roadno"))


@feature("room", -1, "同一楼栋，单元、楼层或房号不同", "same building, other unit, floor or room")
def room_in_building(c: Comparison) -> float:
    """Buildings or house numbers agree, and units, floors or rooms contradict."""
    parts = any(c.relations.get(kind) == Relation.DIFFERS for kind in ("unit", "floor", "room"))
    return float(parts and (_equal(c, "building") or _equal(c, "roadno")))


CONTAINMENT_FEATURES = (
    building_at_number,
    building_in_place,
    part_in_place,
    group_in_village,
    number_on_road,
    place_on_road,
    place_with_other_number,
    door_equal,
    room_in_building,
)
