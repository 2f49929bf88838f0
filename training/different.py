"""Contrasts that make two different places of one: `not_match` of the guide, near misses before far ones.

Long because: one small function per contrast, read like a table.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from training.contrasts import (
    ORDINALS,
    SWAPS,
    Both,
    Table,
    World,
    apart,
    blank,
    other_digits,
    register,
    similar,
)
from training.place import Place
from training.points import bare, mall_name, pairs, point, tag, words

RIVALS = {
    "school": ("小学", "中学", "幼儿园"),
    "university": ("大学", "学院"),
    "hospital": ("医院", "卫生院"),
}

NOT: Table = {}
differs = register(NOT)


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
    village = re.match(r".{1,6}?村", a.name)
    if (a.road and b.road == a.road) or (village and b.name.startswith(village[0])):
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
    gone = blank("name", "branch", "host", "building", "unit", "floor", "room", "part", "zone")
    a = replace(a, **gone, aliases=()) if a.number else a
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
            if road[-2] in SWAPS or road[-2] in ORDINALS
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
    if stem[-1] in ORDINALS and end == "巷":
        return stem + end
    if stem[-1] in ORDINALS and len(stem) > 1:
        return stem[:-1] + rng.choice([c for c in ORDINALS[:8] if c != stem[-1]]) + end
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
    found = re.search(rf"第([{ORDINALS}])", a.name)
    if not found or a.kind not in ("school", "hospital", "university"):
        return None
    new = rng.choice([c for c in ORDINALS[:8] if c != found[1]])
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
            **blank("name", "branch", "host", "building", "floor", "room", "part", "zone"),
            aliases=(),
        ),
    )
    if b.road != a.road or not apart(a.name, b.name) or (a.host and a.host == b.host):
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
    ends = RIVALS.get(a.kind)
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
    gone = blank("name", "branch", "host", "building", "unit", "floor", "room", "part", "zone", "community")
    return (
        a,
        replace(a, **gone, road=found.road, number=found.number, aliases=(), kind="road"),
        ("name", "road", "number"),
    )
