"""Compose addresses whose elements are known, from real names of the official sources: labels without an error.

Every part is written as (kind, text); "" is a separator or a remark that is no element. Names stand glued together
as people write them, so the only clue to a boundary is what the names are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from training.gather import Corpus, County, Found
from training.place import Place
from training.points import bare, point, tag, words
from training.tagging.conll import Tagged

Part = tuple[str, str]
Parts = list[Part]

_NUMERALS = "零一二三四五六七八九十"
_DIRECTIONS = "东西南北"
_HAMLETS = "庄屯寨湾坪岭坡沟塘桥店口墩咀圩浜埭冲洼岗铺营堡楼园"
_ROAD_ENDS = "路 路 路 街 大道 东路 西路 南路 北路 中路 大街 巷 胡同 东街 西街 一路 二路 三街 环路".split()
_ZONES = "东区 西区 南区 北区 一区 二区 三区 A区 B区 C区 一期 二期 三期 1期 2期 东院 北院 东苑 西苑 南苑 北苑 新区 老区".split()
_DEVZONES = (
    "经济技术开发区 经济开发区 高新技术产业开发区 高新区 开发区 工业园区 工业园 工业区 工业集中区 保税区 经开区 "
    "循环经济产业园 产业集聚区"
).split()
_MEETING = "交叉口 交汇处 路口 交叉路口 交口 十字路口 交界处".split()
_PARTS = "1组团 2组团 三组团 A地块 B地块 23地块 高层 别墅区 北栋 一基地 平房 商业街 5号网格 公寓区 学生宿舍".split()
_GARDENS = "苑 园 郡 府 庭 阁 轩 居 里 坊 湾 洲 院 邸 台 小区".split()
_WHOLE_ENDS = "东苑 西苑 南苑 北苑 新区 东区 南里 北里 西里 新村 二村".split()
_FRONTS = "门面 门面房 商铺 门市 车库 沿街 门口".split()
_LOCAL = "小区 家属院 菜市场 宿舍 市场 社区卫生院 派出所 安置房".split()
# Names in the pool of estates that say more than a name.
_WORDY = re.compile("所在|全部|辖区|周边|区域|工地|住户|家中|整|及|和.*和|内$|旁|地块|楼$|期$")
_CORNERS = "东北角 西南角 东侧 北侧 南侧 西侧".split()


def compose(rng: Random, corpus: Corpus) -> Tagged:
    """One address of a random county with the spans of its elements."""
    at = rng.randrange(len(corpus.counties))
    county = corpus.counties[at]
    parts = _divisions(rng, county, corpus)
    parts += rng.choices(_SHAPES, _WEIGHTS)[0](rng, corpus, at)
    if rng.random() < 0.05:
        parts += [("", rng.choice((" ", ",", "("))), ("", rng.choice(words("remark")))]
    return build(part for part in parts if part[1])


def build(parts: Iterator[Part]) -> Tagged:
    """The joined text of the parts and their spans."""
    text, spans = "", []
    for kind, written in parts:
        if kind:
            spans.append((kind, len(text), len(text) + len(written)))
        text += written
    return Tagged(text, tuple(spans))


def _divisions(rng: Random, county: County, corpus: Corpus) -> Parts:
    """Province, city, district and town, with levels dropped and short forms."""
    city = "" if county.city in (county.province, county.name) else county.city
    names = [("province", county.province), ("city", city), ("district", county.name)]
    first = rng.choices((0, 1, 2, 3), (5, 2, 2, 2))[0]
    short = rng.random() < 0.15
    parts = [(kind, corpus.short.get(name, name) if short else name) for kind, name in names[first:] if name]
    if first < 2 and len(parts) > 2 and rng.random() < 0.1:
        parts.pop(rng.randrange(len(parts)))
    if county.towns and rng.random() < 0.5:
        parts.append(("town", rng.choice(county.towns)))
    if rng.random() < 0.08:
        parts.append(("", rng.choice(("城区", "市区", "县城", "郊区", "市", "城关"))))
    return parts


def _village(rng: Random, corpus: Corpus, at: int) -> Parts:
    """A village, a hamlet of it, a group, a house."""
    parts: Parts = []
    if rng.random() < 0.35:
        parts.append(("community", _village_name(rng, corpus, at)))
    name = _village_name(rng, corpus, at) if rng.random() < 0.6 else _hamlet(rng)
    parts.append(("poi", name))
    if rng.random() < 0.4:
        parts.append(("village_group", _number(rng, 20) + rng.choice(("组", "组", "社", "队", "村民组"))))
    if rng.random() < 0.3:
        parts.append(("roadno", str(rng.randint(1, 300)) + "号"))
    return parts


def _estate(rng: Random, corpus: Corpus, at: int) -> Parts:
    """A road, a number, an estate, what lies inside."""
    parts = [*_before(rng, corpus, at), ("poi", _estate_name(rng, corpus, at)), *_part(rng)]
    if rng.random() < 0.06:
        return [*parts, ("assist", rng.choice(_FRONTS)), ("poi", tag(rng) + rng.choice(words("shop")))]
    return parts + _inside(rng)


def _part(rng: Random) -> Parts:
    """The part of an estate: a phase or zone, a garden with a name of its own, both, or none."""
    parts: Parts = []
    if rng.random() < 0.25:
        zone = rng.choice(_ZONES + _PARTS)
        parts.append(("subpoi", zone))
        if zone.endswith("期") and rng.random() < 0.3:
            parts.append(("", "小区"))
    if rng.random() < 0.12:
        parts.append(("subpoi", tag(rng, rng.choice((1, 2, 2))) + rng.choice(_GARDENS)))
    return parts


def _point(rng: Random, corpus: Corpus, at: int) -> Parts:
    """A shop, school, firm or office, perhaps in another place, with its branch."""
    county = corpus.counties[at]
    base = Place(
        county.province, county.city or county.name, county.name,
        rng.choice(county.towns) if county.towns else "", road=_road_name(rng, corpus, at),
    )  # fmt: skip
    place = point(rng, base)
    if place.kind == "crossing":
        return _crossing(rng, corpus, at)
    name = _own(place.name, county) if rng.random() < 0.6 else place.name
    parts = _before(rng, corpus, at)
    if place.host or rng.random() < 0.2:
        parts.append(("poi", place.host or _estate_name(rng, corpus, at)))
        parts += _inside(rng) if rng.random() < 0.3 else []
    elif rng.random() < 0.08:
        parts.append(("poi", tag(rng) + rng.choice((*words("market"), *words("mall"), "菜市场", "市场"))))
    elif rng.random() < 0.05:
        parts += [
            ("poi", _estate_name(rng, corpus, at)),
            ("assist", rng.choice(("旁", "对面", "内", "门口", "院内", "里面", "旁边的"))),
        ]
    parts.append(("poi", name))
    if place.branch:
        opening, closing = rng.choice((("(", ")"), ("", "")))
        parts += [("", opening), ("subpoi", place.branch), ("", closing)]
    if rng.random() < 0.1:
        parts.append(("subpoi", rng.choice(words("gate"))))
    elif rng.random() < 0.1:
        parts.append(("assist", rng.choice((*words("opposite"), "旁", "旁边", "附近"))))
    return parts + (_inside(rng) if rng.random() < 0.25 else [])


def _crossing(rng: Random, corpus: Corpus, at: int) -> Parts:
    """Two roads that meet, a direction or distance, a place there."""
    join = rng.choice(("与", "和", "", ""))
    parts = [("road", _road_name(rng, corpus, at)), ("", join), ("road", _road_name(rng, corpus, at))]
    parts.append(("intersection", rng.choice(_MEETING)))
    if rng.random() < 0.4:
        at_corner = rng.random() < 0.5
        parts.append(
            ("assist", rng.choice(_CORNERS)) if at_corner else ("distance", rng.choice(words("distance")))
        )
    if rng.random() < 0.6:
        parts.append(("poi", _estate_name(rng, corpus, at)))
        parts += _inside(rng)
    return parts


def _street(rng: Random, corpus: Corpus, at: int) -> Parts:
    """A road and a number, or a lane of it."""
    parts = [("road", _road_name(rng, corpus, at))]
    if rng.random() < 0.06:
        parts.append(("road", tag(rng) + rng.choice(("巷", "里弄", "步行街", "胡同"))))
    return parts + [("roadno", _house(rng))] + (_inside(rng) if rng.random() < 0.3 else [])


_SHAPES: tuple[Callable[[Random, Corpus, int], Parts], ...] = (_village, _estate, _point, _crossing, _street)
_WEIGHTS = (18, 42, 26, 6, 8)


def _before(rng: Random, corpus: Corpus, at: int) -> Parts:
    """What may stand before a place: zone, community or village, road with number."""
    parts: Parts = []
    if rng.random() < 0.08:
        before = rng.choice(("", "", tag(rng), bare(corpus.counties[at].name)))
        parts.append(("devzone", before + rng.choice(_DEVZONES)))
    if rng.random() < 0.22:
        made_up = _hamlet(rng) + rng.choice(("村", "社区", "社区", "居委会"))
        parts.append(("community", made_up if rng.random() < 0.4 else _village_name(rng, corpus, at)))
    if rng.random() < 0.5:
        parts.append(("road", _road_name(rng, corpus, at)))
        if rng.random() < 0.45:
            parts.append(("roadno", _house(rng)))
    return parts


def _inside(rng: Random) -> Parts:
    """Building, unit, floor and room in words, or joined by dashes, or nothing."""
    way = rng.random()
    if way < 0.35:
        return []
    building, unit, room = _number(rng, 60), _number(rng, 6), _room(rng)
    if way < 0.5:
        parts = [("building", building), ("", "-"), ("unit", unit), ("", "-"), ("room", room)]
        return parts if rng.random() < 0.6 else [*parts[:2], parts[4]]
    parts = [("building", building + rng.choice(("号楼", "号楼", "栋", "幢", "座", "#", "号", "#楼")))]
    if rng.random() < 0.1:
        parts = [("building", rng.choice("ABCDEF") + rng.choice(("座", "栋", "幢")))]
    if rng.random() < 0.6:
        parts.append(("unit", unit + "单元"))
    if rng.random() < 0.15:
        parts.append(("floor", _number(rng, 30) + rng.choice(("楼", "层", "F"))))
    if rng.random() < 0.6:
        parts.append(("room", room + rng.choice(("", "", "室", "户", "号"))))
    return parts


def _house(rng: Random) -> str:
    number = str(rng.randint(1, rng.choice((99, 400, 3000))))
    return number + rng.choice(
        ("号", "号", "号", "号", "弄", "号院", "", "-" + str(rng.randint(1, 30)) + "号")
    )


def _number(rng: Random, most: int) -> str:
    """A number up to `most`, in digits or, now and then, in Chinese."""
    value = rng.randint(1, most)
    return _NUMERALS[value] if value <= 10 and rng.random() < 0.2 else str(value)


def _room(rng: Random) -> str:
    return f"{rng.randint(1, 33)}{rng.randint(1, 8):02}"


def _road_name(rng: Random, corpus: Corpus, at: int) -> str:
    """A road of the county, of anywhere, or made up."""
    section = rng.choice(("东段", "中段", "西段", "北段", "一段", "二段", f"{_number(rng, 9)}巷"))
    ending = section if rng.random() < 0.12 else ""
    if rng.random() < 0.75:
        return _near(rng, corpus, "roads", at).road + ending
    return rng.choice((rng.choice(words("road")), tag(rng), _hamlet(rng))) + rng.choice(_ROAD_ENDS) + ending


def _estate_name(rng: Random, corpus: Corpus, at: int) -> str:
    """An estate of the county, of anywhere, or made up."""
    way = rng.random()
    if way < 0.82:
        name = _near(rng, corpus, "estates", at).name
        if not _WORDY.search(name):
            return name
    if way < 0.88:
        return _near(rng, corpus, "roads", at).road + rng.choice(_LOCAL)
    return tag(rng) + rng.choice(("", *words("estate"), *_WHOLE_ENDS, *_WHOLE_ENDS))


def _village_name(rng: Random, corpus: Corpus, at: int) -> str:
    return _near(rng, corpus, "villages", at).name


def _near(rng: Random, corpus: Corpus, kind: str, at: int) -> Found:
    """A place of a kind, in this county if it has any, mostly."""
    near = corpus.near(kind, at)
    everywhere: list[Found] = getattr(corpus, kind)
    return rng.choice(near if near and rng.random() < 0.5 else everywhere)


def _hamlet(rng: Random) -> str:
    """A made-up hamlet: 陈家湾, 上石桥."""
    family, place = rng.choice(words("surname")), rng.choice("上下大小东西南北前后新老")
    head = rng.choice((family, family + "家", place + family, place + rng.choice("石木水竹柳松泉井岩沙")))
    return head + rng.choice(_HAMLETS)


def _own(name: str, county: County) -> str:
    """A name without the division that it begins with."""
    for division in (county.province, county.city, county.name):
        if division and name.startswith(division) and len(name) - len(division) > 2:
            return name[len(division) :]
    return name
