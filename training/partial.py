"""Contrasts that leave both sides in one area but not at one finest place: `partial_match` of the guide.

Long because: one small function per contrast, read like a table.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from training.contrasts import (
    ORDINALS,
    Both,
    Table,
    World,
    apart,
    blank,
    other_digits,
    other_label,
    register,
)
from training.place import Place
from training.points import pairs, point, tag, words

PARTIAL: Table = {}
partial = register(PARTIAL)


@partial("road", 4)
@partial("point", 1.2)
def next_number(a: Place, rng: Random, world: World) -> Both:
    """Another number on the same road."""
    if not a.number:
        return None
    number = other_digits(a.number, rng)
    b = (
        point(rng, replace(a, number=number))
        if a.kind != "road" and rng.random() < 0.6
        else replace(a, number=number)
    )
    if a.kind == b.kind == "chain" and b.name == a.name:  # two shops of a chain on one road
        a, b = replace(a, branch="", host="", floor=""), replace(b, host="", floor="", branch=f"{tag(rng)}店")
    elif b.kind != "road" and b.name == a.name:
        gone = blank("name", "branch", "host", "zone", "building", "unit", "floor", "room", "part")
        a, b = replace(a, **gone, aliases=()), replace(b, **gone, aliases=())
    same_road = b.road == a.road and bool(b.number)
    if a.kind == "road" and rng.random() < 0.1:
        b = replace(b, town="", community="")
    return (a, b, ("road", "number")) if number != a.number and same_road else None


@partial("road", 1.5)
def number_or_lane(a: Place, rng: Random, world: World) -> Both:
    """123号 against 123弄."""
    if re.fullmatch(r"\d+号", a.number):
        return a, replace(a, number=a.number[:-1] + "弄"), ("road", "number")
    if re.fullmatch(r"\d+弄", a.number):
        return a, replace(a, number=a.number[:-1] + "号"), ("road", "number")
    return None


@partial("road", 1.5)
def lane_or_inside(a: Place, rng: Random, world: World) -> Both:
    """335弄 against 335弄7号; 38号 against 38号附1号."""
    if a.number.endswith("弄"):
        return a, replace(a, number=f"{a.number}{rng.randint(1, 90)}号"), ("road", "number")
    if a.number.endswith("号"):
        end = rng.choice(("附1号", "附2号", "之一", "-1号", "之二"))
        return a, replace(a, number=(a.number[:-1] if end[0] == "-" else a.number) + end), ("road", "number")
    return None


@partial("road", 1.2)
def numbered_lanes(a: Place, rng: Random, world: World) -> Both:
    """Two numbered lanes off one street or in one village: 南三巷 against 南七巷."""
    found = re.fullmatch(r"(.+?)([一二三四五六七八九十]?)(巷|条)", a.road)
    stem = found[1] if found else a.road.removesuffix("街") if a.road.endswith("街") else ""
    if len(stem) < 2:
        return None
    one, two = rng.sample(ORDINALS, 2)
    return replace(a, road=f"{stem}{one}巷"), replace(a, road=f"{stem}{two}巷"), ("road", "number")


@partial("road", 1)
def other_inside_lane(a: Place, rng: Random, world: World) -> Both:
    """335弄7号 against 335弄12号."""
    if not a.number.endswith("弄"):
        return None
    one, two = rng.sample(range(1, 90), 2)
    return (
        replace(a, number=f"{a.number}{one}号"),
        replace(a, number=f"{a.number}{two}号"),
        ("road", "number"),
    )


@partial("road", 1.5)
@partial("point", 0.5)
def road_or_number(a: Place, rng: Random, world: World) -> Both:
    """A road against what stands on it."""
    return (
        (
            replace(
                a,
                **blank(
                    "number", "name", "host", "branch", "building", "unit", "floor", "room", "zone", "part"
                ),
            ),
            a,
            ("road", "number", "name"),
        )
        if a.road and (a.number or a.name)
        else None
    )


@partial("road", 1)
def list_of_numbers(a: Place, rng: Random, world: World) -> Both:
    """A list or range against a member."""
    found = re.fullmatch(r"(\d+)(号|弄)", a.number)
    if not found:
        return None
    value, end = int(found[1]), found[2]
    other = value + rng.choice((2, 4, 6, 10))
    text = rng.choice(
        (
            f"{value}{end}、{other}{end}",
            f"{value}、{other}{end}",
            f"{value}-{other}{end}",
            f"{value}至{other}{end}",
        )
    )
    return a, replace(a, number=text), ("road", "number")


@partial("estate", 5)
@partial("point", 1.4)
def other_building(a: Place, rng: Random, world: World) -> Both:
    """Another building of the same estate, compound, park or campus."""
    if not a.building:
        return None
    b = replace(a, building=other_label(a.building, rng))
    if a.kind == "estate" and rng.random() < 0.6:
        b = replace(b, unit=rng.choice(("", "1", "2", "3")), room="")
    return (a, b, ("name", "host", "building", "zone")) if b.building != a.building else None


@partial("estate", 2)
@partial("point", 1)
def place_or_building(a: Place, rng: Random, world: World) -> Both:
    """An estate, park or campus against a building in it."""
    if not a.building:
        return None
    return replace(a, building="", unit="", floor="", room=""), a, ("name", "host", "building", "zone")


@partial("estate", 2)
def other_unit(a: Place, rng: Random, world: World) -> Both:
    """Same building, another unit."""
    if not a.building:
        return None
    one, two = rng.sample("123456", 2)
    return replace(a, unit=one), replace(a, unit=two), ("name", "building", "unit", "zone")


@partial("estate", 1)
@partial("point", 0.4)
def other_room(a: Place, rng: Random, world: World) -> Both:
    """Same building, another room."""
    if a.kind == "market":
        stalls = [rng.choice("ABC") + str(rng.randint(1, 400)) for _ in range(2)]
        return (
            (replace(a, room=stalls[0]), replace(a, room=stalls[1]), ("name", "room", "zone"))
            if stalls[0] != stalls[1]
            else None
        )
    if not a.building or a.kind not in ("estate", "tower"):
        return None
    rooms = [f"{rng.randint(1, 20)}0{rng.randint(1, 6)}" for _ in range(2)]
    b = replace(a, room=rooms[1], floor="")
    pins = ("name", "building", "unit", "room", "zone")
    return (replace(a, room=rooms[0], floor=""), b, pins) if rooms[0] != rooms[1] else None


@partial("estate", 1.5)
@partial("point", 0.6)
def other_zone(a: Place, rng: Random, world: World) -> Both:
    """Another phase or zone of the same estate, park or mall."""
    if not a.name or a.kind not in ("estate", "park", "mall", "market"):
        return None
    series = rng.choice(
        (
            ("一期", "二期", "三期", "四期"),
            ("A区", "B区", "C区", "D区"),
            ("东区", "西区", "南区", "北区"),
            ("1期", "2期", "3期"),
        )
    )
    one, two = rng.sample(series, 2)
    return replace(a, zone=one), replace(a, zone=two), ("name", "zone")


@partial("estate", 0.6)
def list_of_buildings(a: Place, rng: Random, world: World) -> Both:
    """Several buildings against one of them."""
    if not a.building.isdigit():
        return None
    other = str(int(a.building) + rng.randint(1, 5))
    b = replace(a, building="", part=f"{a.building}号楼、{other}号楼", unit="", room="", floor="")
    return replace(a, unit="", room="", floor=""), b, ("name", "building", "zone", "part")


@partial("estate", 0.7)
@partial("road", 0.8)
@partial("point", 0.8)
def opposite(a: Place, rng: Random, world: World) -> Both:
    """A place against 对面 or 往北200米 of it."""
    if not (a.name or a.number):
        return None
    word = rng.choice(words("opposite") + words("distance"))
    if rng.random() < 0.3:
        word += rng.choice(words("shop"))
    keep = ("number", "road", "tail", "name") if not a.name else ("name", "tail", "branch", "building")
    return a, replace(a, tail=word), keep


@partial("estate village", 0.3)
@partial("road point", 0.2)
def area_or_place(a: Place, rng: Random, world: World) -> Both:
    """A town or community against a place in it."""
    if not a.town:
        return None
    area = Place(
        province=a.province,
        city=a.city,
        county=a.county,
        town=a.town,
        community=rng.choice((a.community, "")),
        kind="area",
    )
    return area, a, ("town", "community" if area.community else "town")


@partial("estate", 0.5)
@partial("point", 1.2)
def other_gate(a: Place, rng: Random, world: World) -> Both:
    """Two gates or exits of one place."""
    if not a.name or a.kind not in (
        "estate",
        "scenic",
        "metro",
        "university",
        "hospital",
        "mall",
        "school",
        "park",
        "market",
    ):
        return None
    series = (
        [e + rng.choice(("口", "出口")) for e in ("A", "B", "C", "D", "A1", "B2")]
        if a.kind == "metro"
        else words("gate")
    )
    one, two = rng.sample(series, 2)
    gone = blank("building", "unit", "floor", "room", "zone")
    return replace(a, part=one, **gone), replace(a, part=two, **gone), ("name", "part")


@partial("point", 0.8)
def gate_or_place(a: Place, rng: Random, world: World) -> Both:
    """A gate, car park or exit against the place itself."""
    if (
        a.kind not in ("scenic", "metro", "university", "hospital", "mall", "market", "park")
        or not a.name
        or a.floor
    ):
        return None
    parts = ("A口", "B口", "C口", "D口") if a.kind == "metro" else words("gate") + words("poipart")
    return replace(a, part=""), replace(a, part=rng.choice(parts)), ("name", "part", "building")


@partial("point", 1.5)
def mall_or_shop(a: Place, rng: Random, world: World) -> Both:
    """A mall, tower or park against a shop or office in it."""
    if a.host:
        shop, whole = a, replace(a, name="", branch="", floor="", aliases=(), kind="mall")
    elif a.kind in ("mall", "tower", "park", "market"):
        shop = replace(
            point(rng, a),
            host=a.name,
            building=a.building,
            floor=rng.choice(("1", "2", "3", "")),
            part="",
            zone="",
        )
        if shop.kind not in ("chain", "shop", "company", "hotel"):
            return None
        shop, whole = replace(shop, branch="", number=a.number, road=a.road), a
    else:
        return None
    return whole, shop, ("name", "host")


@partial("point", 1.8)
def other_shop_in_mall(a: Place, rng: Random, world: World) -> Both:
    """Two shops of one mall, tower or park."""
    host = a.host or (a.name if a.kind in ("mall", "tower", "park") else "")
    if not host:
        return None
    shops = []
    for _ in range(2):
        brand = (
            rng.choice(pairs("brands"))[1]
            if rng.random() < 0.6
            else tag(rng) + rng.choice(words("shop") + words("eatery"))
        )
        shops.append(
            replace(
                a,
                host=host,
                name=brand,
                branch="",
                floor=rng.choice("12345 ").strip(),
                zone="",
                building="",
                room="",
                part="",
                aliases=(),
                kind="shop",
            )
        )
    return (shops[0], shops[1], ("host", "name")) if apart(shops[0].name, shops[1].name) else None


@partial("point", 1)
def other_floor(a: Place, rng: Random, world: World) -> Both:
    """Same shop, mall or tower, another floor."""
    if a.kind not in ("mall", "tower", "chain", "shop") or (a.kind in ("chain", "shop") and not a.host):
        return None
    one, two = rng.sample(range(1, 7 if a.kind != "tower" else 30), 2)
    return (
        replace(a, floor=str(one), room=""),
        replace(a, floor=str(two), room=""),
        ("name", "floor", "host", "room", "unit"),
    )


@partial("point", 1)
def other_tower(a: Place, rng: Random, world: World) -> Both:
    """Tower A against tower B."""
    if a.kind not in ("tower", "mall", "park"):
        return None
    one, two = rng.sample(rng.choice(("ABCD", "123", "东西南北")), 2)
    end = "座" if one not in "东西南北" else rng.choice(("塔", "座", "楼"))
    gone = blank("building", "zone", "floor", "room")
    return replace(a, part=one + end, **gone), replace(a, part=two + end, **gone), ("name", "part", "room")


@partial("point", 0.8)
def crossing_or_number(a: Place, rng: Random, world: World) -> Both:
    """A crossing against a number on one of its roads."""
    if not (a.road and a.number):
        return None
    other = rng.choice(words("road")) + rng.choice(("路", "街", "大道"))
    crossing = Place(
        a.province,
        a.city,
        a.county,
        a.town,
        kind="crossing",
        name=f"{a.road}{rng.choice('与和')}{other}{rng.choice(('交叉口', '路口', '交汇处', '交口'))}",
    )
    tail = rng.choice(("", "", "西北角", "往东100米", "东南角"))
    return replace(crossing, tail=tail), a, ("name", "road", "number", "tail")


@partial("point", 0.6)
def two_points_numbered(a: Place, rng: Random, world: World) -> Both:
    """Two named places on one road, with different numbers."""
    if not (a.road and a.number and a.name):
        return None
    b = point(
        rng,
        replace(
            a,
            number=other_digits(a.number, rng),
            name="",
            building="",
            zone="",
            floor="",
            room="",
            part="",
            branch="",
        ),
    )
    ok = b.road == a.road and b.number and b.number != a.number and apart(a.name, b.name)
    return (a, b, ("name", "road", "number")) if ok else None


@partial("point", 0.8)
def farm_team(a: Place, rng: Random, world: World) -> Both:
    """A state farm or forestry bureau against a team of it, or two teams."""
    if a.kind != "farm":
        return None
    end = rng.choice(("队", "连", "管理区", "作业站", "分场"))
    one, two = (
        f"{ORDINALS[i]}{end}" if rng.random() < 0.5 else f"{i + 1}{end}" for i in rng.sample(range(9), 2)
    )
    return replace(a, part=rng.choice((one, ""))), replace(a, part=two), ("name", "part")


@partial("point", 1)
def road_distance(a: Place, rng: Random, world: World) -> Both:
    """A road, or a crossing on it, against a stretch near another crossing."""
    if a.kind != "crossing":
        return None
    word = rng.choice(("往南200米", "东80米", "西行100米", "向北150米", "以东50米路北"))
    whole = replace(a, name="", road=a.name.split("与")[0], aliases=()) if rng.random() < 0.4 else a
    return whole, replace(a, tail=word), ("name", "road", "tail")


@partial("village", 4)
def other_group(a: Place, rng: Random, world: World) -> Both:
    """Two groups of one village."""
    one, two = rng.sample(range(1, 16), 2)
    end = rng.choice("组组组社队屯")
    return replace(a, part=f"{one}{end}"), replace(a, part=f"{two}{end}"), ("name", "part")


@partial("village", 3)
def village_or_group(a: Place, rng: Random, world: World) -> Both:
    """A village against a group, house or landmark in it."""
    part = rng.choice(
        (
            f"{rng.randint(1, 15)}组",
            f"{rng.randint(1, 300)}号",
            f"{rng.randint(1, 12)}社",
            tag(rng) + "组",
            "村委会",
            "村口",
            "小学",
            "卫生室",
            rng.choice(words("surname")) + "家湾",
            rng.choice(words("surname")) + "家庄",
        )
    )
    return replace(a, part=""), replace(a, part=part), ("name", "part")


@partial("village", 1.5)
def other_house(a: Place, rng: Random, world: World) -> Both:
    """Two houses or hamlets of one village."""
    if rng.random() < 0.6:
        one, two = (f"{n}号" for n in rng.sample(range(1, 300), 2))
    else:
        one, two = (
            f"{s}家{e}"
            for s, e in zip(
                rng.sample(words("surname"), 2),
                rng.choices(["湾", "庄", "组", "沟", "院子"], k=2),
                strict=True,
            )
        )
    return replace(a, part=one), replace(a, part=two), ("name", "part")
