"""Evidence that one address lies inside the other: a building in an estate, a house on a road, a group of a village."""

from __future__ import annotations

from menpai.evidence.feature import Relations, relation_feature
from menpai.evidence.relation import Relation


def _equal(r: Relations, kind: str) -> bool:
    return r.get(kind) == Relation.EQUAL


def _one_sided(r: Relations, kind: str) -> bool:
    return r.get(kind) == Relation.MISSING


def _absent(r: Relations, kind: str) -> bool:
    return r.get(kind, Relation.ABSENT) == Relation.ABSENT


@relation_feature(
    "building",
    +1,
    "门牌号相同，只有一方写了楼栋：{one}",
    "same house number, one side adds a building: {one}",
)
def building_at_number(r: Relations) -> float:
    """The house numbers agree, and only one side names a building."""
    return float(_equal(r, "roadno") and _one_sided(r, "building"))


@relation_feature(
    "building",
    -1,
    "同一地点，只有一方写到楼栋：{one}",
    "same place, only one side goes down to a building: {one}",
)
def building_in_place(r: Relations) -> float:
    """The named places agree, no house number does, and only one side names a building."""
    return float(_equal(r, "poi") and not _equal(r, "roadno") and _one_sided(r, "building"))


@relation_feature(
    "subpoi",
    -1,
    "同一地点，只有一方写到分期或分区：{one}",
    "same place, only one side goes down to a part of it: {one}",
)
def part_in_place(r: Relations) -> float:
    """The named places agree, and only one side names a phase or part of it."""
    return float(_equal(r, "poi") and _one_sided(r, "subpoi"))


@relation_feature(
    "village_group",
    -1,
    "同一村庄，只有一方写到组：{one}",
    "same village, only one side goes down to a group: {one}",
)
def group_in_village(r: Relations) -> float:
    """The villages agree, and only one side names a group."""
    return float((_equal(r, "poi") or _equal(r, "community")) and _one_sided(r, "village_group"))


@relation_feature(
    "roadno",
    -1,
    "同一道路，只有一方写到门牌号：{one}",
    "same road, only one side goes down to a number: {one}",
)
def number_on_road(r: Relations) -> float:
    """The roads agree, only one side gives a house number, and neither names a place."""
    return float(_equal(r, "road") and _one_sided(r, "roadno") and _absent(r, "poi"))


@relation_feature(
    "poi", -1, "同一道路，只有一方写到地名：{one}", "same road, only one side names a place on it: {one}"
)
def place_on_road(r: Relations) -> float:
    """The roads agree, no house number does, and only one side names a place."""
    return float(_equal(r, "road") and not _equal(r, "roadno") and _one_sided(r, "poi"))


@relation_feature("poi", 0, "门牌号不同，地名相同：{a}", "other house number but the same place: {a}")
def place_with_other_number(r: Relations) -> float:
    """The named places agree although the house numbers do not."""
    return float(_equal(r, "poi") and r.get("roadno") == Relation.DIFFERS)


@relation_feature("roadno", +1, "道路和门牌号都相同", "same road and same house number")
def door_equal(r: Relations) -> float:
    """Road and house number both agree."""
    return float(_equal(r, "road") and _equal(r, "roadno"))


@relation_feature("room", -1, "同一楼栋，单元、楼层或房号不同", "same building, other unit, floor or room")
def room_in_building(r: Relations) -> float:
    """Buildings or house numbers agree, and units, floors or rooms contradict."""
    parts = any(r.get(kind) == Relation.DIFFERS for kind in ("unit", "floor", "room"))
    return float(parts and (_equal(r, "building") or _equal(r, "roadno")))


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
