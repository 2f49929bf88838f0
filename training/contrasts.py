"""Ways in which two places differ: partial (same area, not the same finest place) and not (another place).

A contrast takes a place and answers both sides and the elements that must stay, or None if it does not apply.
The labels follow the guide with which the gold pairs were judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from training.gather import Corpus, Found
from training.place import Place
from training.points import bare, mall_name, pairs, point, tag, words

Both = tuple[Place, Place, Iterable[str]] | None
Contrast = Callable[[Place, Random, "World"], Both]
PARTIAL: dict[str, list[tuple[str, Contrast, float]]] = {}
NOT: dict[str, list[tuple[str, Contrast, float]]] = {}
STYLES = ("estate", "village", "road", "point")
_ORDINALS = "一二三四五六七八九十"
_SWAPS = {
    "东": "西南北",
    "西": "东南北",
    "南": "北东西",
    "北": "南东西",
    "上": "下",
    "下": "上",
    "前": "后",
    "后": "前",
    "大": "小",
    "小": "大",
    "新": "老",
    "老": "新",
    "左": "右",
    "右": "左",
}
_CONFUSED = {frozenset(row) for row in pairs("confusions")}
_RIVALS = {
    "school": ("小学", "中学", "幼儿园"),
    "university": ("大学", "学院"),
    "hospital": ("医院", "卫生院"),
}


@dataclass(slots=True)
class World:
    """The corpus with the position of every county, for drawing neighbours."""

    corpus: Corpus
    index: dict[tuple[str, str], int] = field(default_factory=dict)
    settled: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.index = {(c.city, c.name): i for i, c in enumerate(self.corpus.counties)}
        for kind in ("estates", "villages", "roads"):
            self.settled[kind] = [i for i in sorted(self.corpus.by_county) if self.corpus.near(kind, i)]

    def near(self, kind: str, place: Place) -> list[Found]:
        """Places of one kind in the county of `place`."""
        return self.corpus.near(kind, self.index.get((place.city, place.county), -1))

    def elsewhere(self, rng: Random, place: Place) -> Place:
        """The same place under another county: half the time in the same province."""
        counties = self.corpus.counties
        for _ in range(12):
            county = rng.choice(counties)
            if rng.random() < 0.5 or county.province == place.province:
                break
        town = rng.choice(county.towns) if county.towns and place.town and rng.random() < 0.7 else ""
        return replace(
            place, province=county.province, city=county.city, county=county.name, town=town, community=""
        )


def _register(
    table: dict[str, list[tuple[str, Contrast, float]]], styles: str, weight: float
) -> Callable[[Contrast], Contrast]:
    def keep(contrast: Contrast) -> Contrast:
        for style in styles.split():
            table.setdefault(style, []).append((contrast.__name__, contrast, weight))
        return contrast

    return keep


def partial(styles: str, weight: float = 1.0) -> Callable[[Contrast], Contrast]:
    """Register a contrast that leaves both sides in one area."""
    return _register(PARTIAL, styles, weight)


def differs(styles: str, weight: float = 1.0) -> Callable[[Contrast], Contrast]:
    """Register a contrast that makes two different places."""
    return _register(NOT, styles, weight)


def other_digits(text: str, rng: Random) -> str:
    """Another number near the first one of a text: 123号 → 125号."""
    found = re.search(r"\d+", text)
    if not found:
        return text
    value = int(found[0])
    step = rng.choice((1, 2, 2, 4, 6, 10, 20, rng.randint(1, 200)))
    new = value + step if rng.random() < 0.6 or value <= step else value - step
    if rng.random() < 0.12 and len(found[0]) > 1 and found[0][::-1] != found[0] and found[0][-1] != "0":
        new = int(found[0][::-1])
    return text[: found.start()] + str(new) + text[found.end() :]


def other_label(value: str, rng: Random) -> str:
    """Another building, unit or gate of the same series: 3 → 5, A → C, 东 → 西, 二 → 三."""
    if re.search(r"\d", value):
        letters = [c for c in "ABCDEF" if c != value[0]]
        if value[0] in "ABCDEF" and rng.random() < 0.4:
            return rng.choice(letters) + value[1:]
        return other_digits(value, rng)
    for i, char in enumerate(value):
        for series in ("ABCDEFGH", _ORDINALS[:6], "东西南北"):
            if char in series:
                return value[:i] + rng.choice([c for c in series if c != char]) + value[i + 1 :]
    return value


def similar(name: str, rng: Random) -> str:
    """A name with one character of weight changed; the same name where that cannot be done."""
    end = next((e for e in ("小区", "新村", "大厦", "大学", "大酒店") if name.endswith(e)), "")
    name = name.removesuffix(end)
    spots = [i for i, c in enumerate(name) if c in _SWAPS or c in _ORDINALS]
    if spots and rng.random() < 0.6:
        at = rng.choice(spots)
        new = rng.choice(_SWAPS.get(name[at]) or [c for c in _ORDINALS if c != name[at]])
        return name[:at] + new + name[at + 1 :] + end
    if not name:
        return end
    at = rng.randrange(max(1, min(len(name), 3)))
    new = rng.choice(words("tag") + words("surname"))
    if frozenset((name[at], new)) in _CONFUSED or new == name[at] or not "\u4e00" <= name[at] <= "\u9fff":
        return name + end
    return name[:at] + new + name[at + 1 :] + end


def apart(a: str, b: str) -> bool:
    """Names that nobody would take for one another's short form."""
    return bool(a and b) and a not in b and b not in a


# -- partial ------------------------------------------------------------------------------------------------


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
    if b.kind != "road" and b.name == a.name:
        a, b = (
            replace(a, name="", branch="", host="", part="", aliases=()),
            replace(b, name="", branch="", host="", part=""),
        )
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
                **_blank(
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
    blank = _blank("building", "unit", "floor", "room", "zone")
    return replace(a, part=one, **blank), replace(a, part=two, **blank), ("name", "part")


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
    blank = _blank("building", "zone", "floor", "room")
    return replace(a, part=one + end, **blank), replace(a, part=two + end, **blank), ("name", "part", "room")


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
        f"{_ORDINALS[i]}{end}" if rng.random() < 0.5 else f"{i + 1}{end}" for i in rng.sample(range(9), 2)
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


# -- not ----------------------------------------------------------------------------------------------------


@differs("estate", 5)
@differs("village", 4)
def neighbour(a: Place, rng: Random, world: World) -> Both:
    """Another estate or village of the same community, town or county."""
    pool = world.near("villages" if a.kind == "village" else "estates", a)
    close = (
        [f for f in pool if f.town == a.town]
        if len(pool) < 400
        else [f for f in rng.sample(pool, 60) if f.town == a.town]
    )
    found = rng.choice(close if close and rng.random() < 0.7 else pool) if pool else None
    if not found or not apart(a.name, found.name) or a.name.removesuffix("小区") in found.name:
        return None
    b = replace(
        a,
        town=found.town,
        community=found.community,
        road=found.road,
        number=found.number,
        name=found.name,
        zone="",
    )
    if a.road and b.road == a.road:
        return None
    if rng.random() < 0.5 and a.kind == "estate":
        b = replace(b, building=str(rng.randint(1, 30)) if rng.random() < 0.7 else "")
    return a, b, ("name",)


@differs("estate", 2.5)
@differs("village", 2.5)
@differs("point", 1.5)
def similar_name(a: Place, rng: Random, world: World) -> Both:
    """A name with one character changed."""
    if a.kind in ("crossing", "gas", "chain", "office", "hospital", "university") or not a.name:
        return None
    before = _own_prefix(a)
    name = before + similar(a.name[len(before) :], rng) if len(a.name) - len(before) > 1 else a.name
    b = replace(a, name=name, aliases=(), number=other_digits(a.number, rng) if rng.random() < 0.5 else "")
    if name == a.name or (a.number and a.road):
        a, b = replace(a, road="", number=""), replace(b, road="", number="")
    return (replace(a, aliases=()), b, ("name",)) if name != a.name else None


def _own_prefix(place: Place) -> str:
    """The part of a name that repeats its divisions: 洛阳市 of 洛阳市英才幼儿园."""
    forms = [
        d for full in (place.city, place.county, place.province, place.town) for d in (full, bare(full)) if d
    ]
    return next((d for d in forms if place.name.startswith(d)), "")


@differs("estate", 1.5)
@differs("village road", 1.5)
@differs("point", 1.2)
def same_name_elsewhere(a: Place, rng: Random, world: World) -> Both:
    """A place of the same name in another city or district."""
    b = world.elsewhere(rng, a)
    if b.county == a.county or b.city == a.city == "" or (bare(a.city) in a.name and rng.random() < 0.7):
        return None
    former = {(row[0], row[1]) for row in pairs("former_divisions")}
    if (a.county, b.county) in former or (b.county, a.county) in former:
        return None
    return a, b, ("county", "name", "road", "number") if a.kind == "road" else ("county", "name", "branch")


@differs("village", 1)
@differs("estate", 0.4)
def same_name_other_town(a: Place, rng: Random, world: World) -> Both:
    """A village or estate of the same name in another town of the county."""
    where = world.index.get((a.city, a.county), -1)
    towns = [t for t in world.corpus.counties[where].towns if bare_town(t) != bare_town(a.town)]
    if not (a.town and towns):
        return None
    return a, replace(a, town=rng.choice(towns), community="", road="", number=""), ("town", "name")


def bare_town(town: str) -> str:
    """The name of a town without its kind."""
    return re.sub(r"(街道办事处|街道办|街道|地区办事处|办事处|镇|乡)$", "", town)


@differs("road", 4)
def other_road(a: Place, rng: Random, world: World) -> Both:
    """Another road of the same county, sometimes with the same number."""
    pool = world.near("roads", a)
    if not pool:
        return None
    found = rng.choice(pool)
    number = a.number if rng.random() < 0.4 else found.number
    ok = apart(a.road, found.road)
    return (
        (a, replace(a, town=found.town, community=found.community, road=found.road, number=number), ("road",))
        if ok
        else None
    )


@differs("road", 3)
@differs("point", 1.2)
def similar_road(a: Place, rng: Random, world: World) -> Both:
    """东路 against 西路, 一路 against 二路, 路 against 街, one character changed; same number."""
    if not a.road or a.kind in ("crossing", "metro"):
        return None
    road = other_road_name(a.road, rng)
    blank = _blank("name", "branch", "host", "building", "unit", "floor", "room", "part", "zone")
    a = replace(a, **blank, aliases=()) if a.number else a
    b = replace(a, road=road)
    if not a.number:
        if a.kind not in ("chain", "bank"):
            return None
        a, b = replace(a, branch=""), replace(b, branch="")
    if a.kind != "road" and a.number and rng.random() < 0.5:
        b = replace(point(rng, b), road=road, number=a.number)
        b = b if b.kind not in ("crossing", "metro", "gas") else replace(a, road=road)
    return (a, b, ("road",)) if road != a.road else None


def other_road_name(road: str, rng: Random) -> str:
    """A road that is easily taken for another."""
    if road[-1] == "段" and len(road) > 3:
        return (
            similar(road[-2:], rng).join((road[:-2], ""))
            if road[-2] in _SWAPS or road[-2] in _ORDINALS
            else road
        )
    for end in ("大街", "大道", "公路", "路", "街", "巷"):
        if road.endswith(end) and len(road) > len(end) + 1:
            stem = road[: -len(end)]
            return _altered(stem, end, rng)
    return road


def _altered(stem: str, end: str, rng: Random) -> str:
    """A stem with its direction or ordinal changed, added or taken away, or another kind of road."""
    choice = rng.random()
    if stem[-1] in "东西南北中" and len(stem) > 2:
        return stem[:-1] + rng.choice([c for c in ("东", "西", "南", "北", "中", "") if c != stem[-1]]) + end
    if stem[-1] in _ORDINALS and len(stem) > 1:
        return stem[:-1] + rng.choice([c for c in _ORDINALS[:8] if c != stem[-1]]) + end
    if choice < 0.45:
        return stem + rng.choice("东西南北") + end
    if choice < 0.6:
        return stem + rng.choice([e for e in ("路", "街", "巷") if e not in end])
    return similar(stem, rng) + end


@differs("point", 3)
def other_branch(a: Place, rng: Random, world: World) -> Both:
    """Another branch of the chain, another campus, another yard."""
    if a.kind not in ("chain", "university", "hospital", "gas") or (a.kind != "gas" and not a.branch):
        return None
    pool = world.near("roads", a) or world.corpus.roads
    found = rng.choice(pool)
    if found.road == a.road or not apart(found.road, a.road):
        return None
    base = replace(a, road=found.road, number=found.number, town=found.town)
    if a.kind == "gas":
        b = replace(base, name=a.name[:4] + tag(rng) + "加油站", aliases=())
        return (replace(a, aliases=()), b, ("name",)) if b.name != a.name else None
    mall = mall_name(rng, a)
    stem = rng.choice((found.road, mall, bare(a.county) + found.road, tag(rng) + "广场"))
    if a.kind != "chain":
        stem = rng.choice((found.road, tag(rng), "东", "西", "南", "北", "新"))
    end = re.sub(r".*?(支行|餐厅|校区|院区|店)$", r"\1", a.branch)
    b = replace(base, branch=stem + end, host=mall if stem == mall else "", floor="")
    if not apart(a.branch.removesuffix(end), stem):
        return None
    a, b = replace(a, floor="", part="", building=""), replace(b, part="", building="")
    return a, b, ("name", "branch", "road") if rng.random() < 0.4 else ("name", "branch")


@differs("point", 1.2)
def second_branch(a: Place, rng: Random, world: World) -> Both:
    """中山路店 against 中山路二店, or the same branch with a direction."""
    if a.kind != "chain" or not a.branch.endswith("店"):
        return None
    stem = a.branch[:-1]
    b = replace(
        a, branch=stem + rng.choice(("二店", "三店", "东店", "西店", "南店", "北店")), number="", floor=""
    )
    return replace(a, number="", floor=""), b, ("name", "branch")


@differs("point", 2)
def ordinal_sibling(a: Place, rng: Random, world: World) -> Both:
    """第一人民医院 against 第二人民医院, 三中 against 五中."""
    found = re.search(rf"第([{_ORDINALS}])", a.name)
    if not found or a.kind not in ("school", "hospital", "university"):
        return None
    new = rng.choice([c for c in _ORDINALS[:8] if c != found[1]])
    aliases = [tuple(x.replace(found[1], c) for x in a.aliases if found[1] in x) for c in (found[1], new)]
    pool = world.near("roads", a) or world.corpus.roads
    other = rng.choice(pool)
    b = replace(
        a,
        name=a.name.replace("第" + found[1], "第" + new),
        aliases=aliases[1],
        road=other.road,
        number=other.number,
        part="",
        building="",
    )
    return (
        (replace(a, aliases=aliases[0], part="", building=""), b, ("name",)) if other.road != a.road else None
    )


@differs("point", 2.5)
def other_point_same_road(a: Place, rng: Random, world: World) -> Both:
    """Two named places on one road, without numbers."""
    if not (a.road and a.name) or a.kind in ("metro", "crossing"):
        return None
    bare_a = replace(a, number="")
    b = point(
        rng,
        replace(
            bare_a,
            **_blank("name", "branch", "host", "building", "floor", "room", "part", "zone"),
            aliases=(),
        ),
    )
    if b.kind in ("metro", "crossing") or not apart(a.name, b.name) or (a.host and a.host == b.host):
        return None
    if rng.random() < 0.5 and a.kind == "chain" and not a.host:
        b = replace(a, number="", name=rng.choice(pairs("brands"))[1], aliases=(), host="", floor="")
    return (bare_a, b, ("name", "host")) if apart(a.name, b.name) else None


@differs("point", 1.5)
def other_point_same_kind(a: Place, rng: Random, world: World) -> Both:
    """Another place of the same kind on another road of the county."""
    for _ in range(6):
        found = rng.choice(world.near("roads", a) or world.corpus.roads)
        b = point(
            rng,
            replace(
                a,
                road=found.road,
                number=found.number,
                name="",
                branch="",
                host="",
                building="",
                floor="",
                room="",
                part="",
                zone="",
                aliases=(),
            ),
        )
        if b.kind == a.kind and apart(a.name, b.name) and apart(a.road, found.road):
            return a, b, ("name", "host")
    return None


@differs("point", 1)
def rival_kind(a: Place, rng: Random, world: World) -> Both:
    """X小学 against X中学; 人民医院 against 中医院 of one place."""
    ends = _RIVALS.get(a.kind)
    end = next((e for e in ends or () if a.name.endswith(e)), "")
    if not ends or not end:
        return None
    b = replace(
        a,
        name=a.name.removesuffix(end) + rng.choice([e for e in ends if e != end]),
        road="",
        number="",
        aliases=(),
    )
    return (
        replace(a, road="", number="", aliases=(), part="", building=""),
        replace(b, part="", building=""),
        ("name",),
    )


@differs("point", 0.8)
def other_crossing(a: Place, rng: Random, world: World) -> Both:
    """One road of a crossing, or the metro station, changes."""
    if a.kind == "metro":
        name = (
            similar(a.name.removesuffix("地铁站"), rng) if rng.random() < 0.5 else rng.choice(words("road"))
        )
        b = replace(a, name=name + "地铁站", aliases=(f"地铁{name}站", f"{name}站"))
        return (replace(a, aliases=()), b, ("name",)) if apart(a.name.removesuffix("地铁站"), name) else None
    if a.kind != "crossing":
        return None
    first, second = a.name.removesuffix("交叉口").split("与")[:2]
    third = other_road_name(second, rng) if rng.random() < 0.4 else rng.choice(words("road")) + "路"
    ends = ("交叉口", "路口", "交汇处", "交口")
    b = replace(a, name=f"{first}{rng.choice('与和')}{third}{rng.choice(ends)}", aliases=())
    return (a, b, ("name",)) if third != second else None


@differs("estate road", 0.5)
@differs("village", 0.4)
@differs("point", 0.5)
def far(a: Place, rng: Random, world: World) -> Both:
    """Anything against a place of another county."""
    b = world.elsewhere(rng, a)
    found = rng.choice(world.corpus.estates if rng.random() < 0.5 else world.corpus.roads)
    b = replace(
        b,
        road=found.road,
        number=found.number,
        name=found.name,
        branch="",
        host="",
        part="",
        zone="",
        aliases=(),
        kind="estate" if found.name else "road",
    )
    ok = b.county != a.county and a.road != b.road and (apart(a.name, b.name) or not (a.name and b.name))
    return (a, b, ("name", "road") if not (a.name and b.name) else ("name",)) if ok else None


@differs("estate", 0.8)
@differs("point", 0.5)
def other_kind_same_town(a: Place, rng: Random, world: World) -> Both:
    """An estate against a numbered road or a shop that share only the town."""
    pool = world.near("roads", a)
    if not pool or not a.name:
        return None
    found = rng.choice(pool)
    if found.road == a.road:
        return None
    blank = _blank("name", "branch", "host", "building", "unit", "floor", "room", "part", "zone", "community")
    return (
        a,
        replace(a, **blank, road=found.road, number=found.number, aliases=(), kind="road"),
        ("name", "road", "number"),
    )


def _blank(*names: str) -> dict[str, Any]:
    """Empty values for some elements."""
    return dict.fromkeys(names, "")
