"""Compose named places (shops, schools, hospitals, offices, stations) on real roads, from the word lists.

Long because: one small function per kind of place, read like a table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from training.place import Place

WORDS = Path(__file__).parent / "words"


@cache
def words(kind: str) -> tuple[str, ...]:
    """One row of names.tsv."""
    return _rows()[kind]


@cache
def _rows() -> dict[str, tuple[str, ...]]:
    lines = (WORDS / "names.tsv").read_text(encoding="utf-8").splitlines()
    return {k: tuple(v.split(" ")) for k, v in (line.split("\t") for line in lines if line[0] != "#")}


@cache
def pairs(name: str) -> tuple[tuple[str, ...], ...]:
    """The columns of another list: brands, former_divisions, confusions."""
    lines = (WORDS / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and line[0] != "#")


def bare(division: str) -> str:
    """海淀区 → 海淀, 杭州市 → 杭州; two-character names stay."""
    for end in ("特别行政区", "自治区", "地区", "林区", "新区", "省", "市", "区", "县", "盟", "旗"):
        if division.endswith(end) and len(division) - len(end) >= 2:
            return division[: -len(end)]
    return division


def tag(rng: Random, size: int = 2) -> str:
    """A made-up proper name of a few auspicious characters."""
    return "".join(rng.choice(words("tag")) for _ in range(size))


def point(rng: Random, base: Place) -> Place:
    """A named place of a random kind at the divisions, road and number of `base`."""
    return rng.choice(_MAKERS)(rng, base)


def mall_name(rng: Random, base: Place) -> str:
    """A mall: a chain with the district or city before it, or a made-up one."""
    name = rng.choice(words("mall"))
    before = rng.choice((bare(base.county), bare(base.city), tag(rng), tag(rng), ""))
    return before + name


def _chain(rng: Random, base: Place) -> Place:
    _, name, others = rng.choice(pairs("brands"))
    stem = base.road.rstrip("路街") if rng.random() < 0.3 else base.road
    host = mall_name(rng, base) if rng.random() < 0.4 else ""
    where = rng.choice(
        (host or base.road, host or stem, base.road, bare(base.county) + stem, tag(rng) + "广场")
    )
    end = (
        "支行" if name.endswith("银行") else rng.choice(("店", "店", "店", "餐厅" if "肯" in name else "店"))
    )
    floor = rng.choice(("1", "2", "3", "4", "5", "B1", "负一", "")) if host else ""
    return replace(
        base,
        name=name,
        branch=where + end,
        host=host,
        floor=floor,
        kind="chain",
        aliases=tuple(others.split("|")),
    )


def _shop(rng: Random, base: Place) -> Place:
    proper = rng.choice(
        (
            tag(rng),
            rng.choice(words("surname")) + rng.choice("家记氏"),
            "老" + rng.choice(words("surname")),
            "小" + rng.choice(words("tag")),
            tag(rng, 3),
        )
    )
    what = rng.choice(words(rng.choice(("shop", "eatery"))))
    host = mall_name(rng, base) if rng.random() < 0.2 else ""
    floor = rng.choice(("1", "2", "3", "")) if host else ""
    aliases = [proper + what[:2]] if len(what) > 3 else []
    return replace(base, name=proper + what, host=host, floor=floor, kind="shop", aliases=tuple(aliases))


def _company(rng: Random, base: Place) -> Place:
    proper, what = tag(rng, rng.choice((2, 2, 3))), rng.choice(words("industry"))
    before = rng.choice((bare(base.city), base.city, base.province, bare(base.province), ""))
    end = rng.choice(("有限公司", "有限公司", "有限责任公司", "股份有限公司", "集团有限公司"))
    host, building = "", ""
    if rng.random() < 0.4:
        host = rng.choice((bare(base.city), tag(rng))) + rng.choice(words("park"))
        building = str(rng.randint(1, 20)) if rng.random() < 0.6 else ""
    short = proper + what
    aliases = (
        short + "公司",
        before + short,
        short,
        proper + what[:2] + "公司",
        before + proper,
        short + "有限公司",
    )
    return replace(
        base, name=before + short + end, host=host, building=building, kind="company", aliases=aliases
    )


def _school(rng: Random, base: Place) -> Place:
    if rng.random() < 0.4:
        nth, what = (
            rng.choice("一二三四五六七八九十"),
            rng.choice(("中学", "小学", "中学", "高级中学", "实验小学", "幼儿园")),
        )
        where = rng.choice((base.city, base.county))
        short = {"中学": "中", "小学": "小", "高级中学": "高中", "实验小学": "实小", "幼儿园": "幼"}[what]
        own = bare(where)
        return replace(
            base,
            name=f"{where}第{nth}{what}",
            kind="school",
            aliases=(f"{own}{nth}{short}", f"{own}第{nth}{what}", f"第{nth}{what}", f"{where}{nth}{short}"),
        )
    proper = rng.choice(words("school"))
    what = rng.choice(
        ("小学", "中学", "实验学校", "幼儿园", "初级中学", "高级中学", "职业技术学校", "双语学校")
    )
    where = rng.choice((base.city, base.county, base.town))
    aliases = [bare(where) + proper + what, proper + what]
    if what.endswith("中学"):
        aliases.append(
            bare(where) + proper + what.replace("初级", "").replace("高级", "").replace("中学", "中")
        )
    return replace(base, name=where + proper + what, kind="school", aliases=tuple(aliases))


def _university(rng: Random, base: Place) -> Place:
    region, what = rng.choice((bare(base.province), bare(base.city))), rng.choice(words("university"))
    end = rng.choice(("大学", "大学", "学院"))
    name = region + what + end
    campus = (
        rng.choice((bare(base.county), tag(rng), base.town[:2], "东", "西", "南", "北", "新", "老")) + "校区"
    )
    aliases = (
        region[:1] + what[:1] + "大",
        region + what[:2],
        name.replace("师范大学", "师大").replace("工业大学", "工大"),
        what + end,
        region[:1] + what[:2] + "大",
    )
    part = (
        rng.choice(("图书馆", "行政楼", "体育馆", "第一食堂", "第二教学楼", "主楼", ""))
        if rng.random() < 0.3
        else ""
    )
    building = str(rng.randint(1, 18)) if not part and rng.random() < 0.35 else ""
    zone = rng.choice(("学生公寓", "学生宿舍", "教学楼", "宿舍", "家属院", "")) if building else ""
    return replace(
        base,
        name=name,
        branch=campus,
        part=part,
        kind="university",
        building=building,
        zone=zone,
        aliases=tuple(a for a in aliases if a != name and len(a) > 2),
    )


def _hospital(rng: Random, base: Place) -> Place:
    aliases: tuple[str, ...]
    where, what = rng.choice((base.city, base.county, base.city)), rng.choice(words("clinic"))
    if rng.random() < 0.25:
        nth, region = rng.choice("一二三四五"), bare(base.city)
        name = f"{region}医科大学附属第{nth}医院"
        aliases = (
            f"{region}医大{nth}院",
            f"{region[:1]}医附{nth}院",
            f"{region}医大附{nth}院",
            f"医科大学第{nth}附属医院",
        )
    else:
        name, own = where + what, bare(where)
        aliases = (own + what, own + what.replace("人民医院", "医院").replace("第", ""))
        aliases += (what,) if where == base.county else ()
        if what.startswith("第"):
            aliases += (f"{own}{what[1]}院", f"{where[-1]}{what[1]}院", f"{own}{where[-1]}{what[1]}医院")
        elif what == "人民医院":
            aliases += (
                f"{where[-1]}医院",
                f"{where[-1]}人民医院",
                own + "县医院" if where.endswith("县") else own + "医院",
            )
        elif what == "中心医院":
            aliases += (f"{where[-1]}中心医院",)
    branch = (
        rng.choice(("东院区", "西院区", "南院区", "新院区", base.road + "院区", tag(rng) + "院区"))
        if rng.random() < 0.3
        else ""
    )
    building = str(rng.randint(1, 12)) if rng.random() < 0.15 else ""
    return replace(
        base,
        name=name,
        branch=branch,
        kind="hospital",
        building=building,
        aliases=tuple(set_once(aliases, name)),
    )


def set_once(names: tuple[str, ...], full: str) -> list[str]:
    """Different names, in order, without the full one."""
    return [n for n in dict.fromkeys(names) if n and n != full]


def _hotel(rng: Random, base: Place) -> Place:
    proper, what = (
        rng.choice((tag(rng), tag(rng), bare(base.city), bare(base.county))),
        rng.choice(words("hotel")),
    )
    proper += "" if len(proper) > 3 else rng.choice(("", "", tag(rng, 1), "国际"))
    aliases = (
        bare(base.city) + proper + what,
        proper + rng.choice(("酒店", "宾馆")) if "酒店" in what else proper + what,
    )
    return replace(base, name=proper + what, kind="hotel", aliases=tuple(set_once(aliases, proper + what)))


def _mall(rng: Random, base: Place) -> Place:
    name = mall_name(rng, base)
    short = name
    for end in ("购物中心", "百货", "广场", "商场", "卖场"):
        short = short.removesuffix(end)
    aliases = (
        [short, bare(base.city) + name, name + "购物中心"] if len(short) > 2 else [bare(base.city) + name]
    )
    zone = rng.choice(("一期", "二期", "A馆", "南区", "")) if rng.random() < 0.2 else ""
    floor = rng.choice("12345") if rng.random() < 0.2 else ""
    return replace(
        base, name=name, kind="mall", zone=zone, floor=floor, aliases=tuple(a for a in aliases if a != name)
    )


def _tower(rng: Random, base: Place) -> Place:
    proper = rng.choice((tag(rng), tag(rng), bare(base.city) + tag(rng), tag(rng, 3)))
    name = proper + rng.choice(words("tower"))
    building = rng.choice(("", "A", "B", "C", "1", "2", "3")) if rng.random() < 0.6 else ""
    floor = str(rng.randint(2, 32)) if rng.random() < 0.3 else ""
    room = f"{rng.randint(2, 32)}{rng.randint(1, 18):02}" if not floor and rng.random() < 0.3 else ""
    aliases = (
        proper,
        name.replace("国际", ""),
        name.replace("大厦", "写字楼"),
        proper + "大厦",
        bare(base.city) + name,
    )
    return replace(
        base,
        name=name,
        kind="tower",
        building=building,
        floor=floor,
        room=room,
        aliases=tuple(set_once(aliases, name)),
    )


def _park(rng: Random, base: Place) -> Place:
    proper = rng.choice((tag(rng), bare(base.city), bare(base.county) + tag(rng)))
    name = proper + rng.choice(words("park"))
    zone = rng.choice(("一期", "二期", "三期", "A区", "B区", "东区", "西区")) if rng.random() < 0.3 else ""
    building = (
        rng.choice((str(rng.randint(1, 30)), "A" + str(rng.randint(1, 9)), "C")) if rng.random() < 0.6 else ""
    )
    aliases = (name.replace("产业园", "园").replace("科技园", "园区"), bare(base.city) + name)
    return replace(
        base, name=name, kind="park", zone=zone, building=building, aliases=tuple(set_once(aliases, name))
    )


def _scenic(rng: Random, base: Place) -> Place:
    proper = rng.choice((tag(rng), bare(base.city), bare(base.county), rng.choice(words("road"))))
    name = proper + rng.choice(words("scenic"))
    aliases = (
        name.replace("风景区", "景区"),
        name.replace("景区", ""),
        bare(base.city) + name,
        name.replace("森林", ""),
    )
    part = rng.choice(words("gate")) if rng.random() < 0.25 else ""
    return replace(
        base,
        name=name,
        part=part,
        kind="scenic",
        aliases=tuple(a for a in set_once(aliases, name) if len(a) > 3),
    )


def _station(rng: Random, base: Place) -> Place:
    proper = rng.choice((base.road, tag(rng), rng.choice(words("road")), base.road.rstrip("路街道")))
    exit_ = rng.choice("ABCD") + rng.choice(("", "", "1", "2"))
    part = rng.choice((exit_ + "口", exit_ + "出口", exit_ + "出入口", ""))
    line = f"地铁{rng.randint(1, 12)}号线"
    aliases = (
        f"地铁{proper}站",
        f"{line}{proper}站",
        f"{proper}站",
        f"{proper}地铁口" if not part else f"地铁{proper}站",
    )
    return replace(base, name=f"{proper}地铁站", part=part, number="", kind="metro", aliases=aliases)


def _office(rng: Random, base: Place) -> Place:
    where, what = rng.choice((base.county, base.city, base.county)), rng.choice(words("office"))
    alone = what if where == base.county else ""  # a city's bureau needs its city beside a district
    own = bare(where)
    aliases = (
        own + what,
        where[-1] + what,
        own + where[-1] + what.replace("人民政府", "政府").replace("人民法院", "法院"),
        alone.replace("市场监督管理局", "市监局").replace("行政服务中心", "办事大厅"),
    )
    return replace(
        base,
        name=where + what,
        kind="office",
        aliases=tuple(a for a in set_once(aliases, where + what) if len(a) > 2),
    )


def _market(rng: Random, base: Place) -> Place:
    proper = rng.choice((base.road.rstrip("路街"), tag(rng), bare(base.county), rng.choice(words("road"))))
    name = proper + rng.choice(words("market"))
    room = rng.choice("ABCD") + str(rng.randint(1, 300)) if rng.random() < 0.3 else ""
    aliases = (
        name.replace("批发市场", "市场"),
        name.replace("农贸市场", "菜市场"),
        name.replace("市场", "批发市场"),
    )
    keep = [a for a in set_once(aliases, name) if "批发批发" not in a][:1]
    return replace(
        base,
        name=name,
        kind="market",
        zone=rng.choice(("一区", "二区", "A区", "", "", "")),
        room=room,
        aliases=tuple(keep),
    )


def _crossing(rng: Random, base: Place) -> Place:
    other = rng.choice(words("road")) + rng.choice(("路", "街", "大道", "东路", "北路"))
    ends = ("交叉口", "交汇处", "路口", "交口", "十字路口", "交界处")
    forms = [
        f"{a}{j}{b}{e}"
        for a, b in ((base.road, other), (other, base.road))
        for j in "与和跟"
        for e in ends[:4]
    ]
    return replace(
        base,
        name=f"{base.road}与{other}交叉口",
        road="",
        number="",
        kind="crossing",
        aliases=tuple(rng.sample(forms, 6)),
    )


def _gas(rng: Random, base: Place) -> Place:
    brand, others = rng.choice((("中国石化", "中石化"), ("中国石油", "中石油")))
    road = rng.choice((base.road, f"G{rng.randint(101, 330)}国道", f"S{rng.randint(101, 330)}省道"))
    proper = rng.choice((tag(rng), base.road.rstrip("路街"), bare(base.county) + tag(rng, 1)))
    name = f"{brand}{proper}加油站"
    return replace(
        base,
        road=road,
        number="",
        name=name,
        kind="gas",
        aliases=(others + proper + "加油站", f"{proper}{others}加油站", f"{others}{proper}站"),
    )


def _farm(rng: Random, base: Place) -> Place:
    if rng.random() < 0.5:
        digits = "".join(rng.choice("二三四五六七八九") for _ in range(3))
        name = rng.choice(("八五" + digits[0], digits, tag(rng))) + rng.choice(("农场", "牧场", "林场"))
    else:
        name = tag(rng) + rng.choice(("林业局", "林场", "采油厂", "煤矿", "电厂", "水库", "林业局有限公司"))
    part = rng.choice(
        (
            "",
            "",
            f"{rng.randint(1, 20)}队",
            f"第{rng.choice('一二三四')}管理区",
            "医院",
            "学校",
            "中学",
            "招待所",
        )
    )
    return replace(
        base, road="", number="", name=name, part=part, kind="farm", aliases=(bare(base.county) + name,)
    )


_MAKERS = (
    (_farm, _chain)
    + (_chain,) * 6
    + (_shop,) * 4
    + (_company,) * 4
    + (_school,) * 3
    + (_university,) * 2
    + (_hospital,) * 3
    + (
        _hotel,
        _hotel,
        _mall,
        _mall,
        _tower,
        _tower,
        _tower,
        _park,
        _park,
        _scenic,
        _scenic,
        _station,
        _station,
        _office,
        _office,
        _market,
        _crossing,
        _gas,
    )
)
