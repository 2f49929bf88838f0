"""Ways in which two people write one place differently: every operation here keeps the place the same.

An operation on a place answers None where it does not apply; `pins` names elements it must not remove.
Long because: one small function per operation, read like a table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from training.place import DIVISIONS, Place, Wording
from training.points import bare, pairs, words

Pins = frozenset[str]
PlaceOperation = Callable[[Place, Random, Pins], Place | None]
TextOperation = Callable[[str, Random, Place], str]

# Kept for measuring robustness: training must never draw these.
EVALUATION_ONLY: frozenset[str] = frozenset({"ocr_shape", "pinyin_typo", "wrong_town"})

_KEEPS = tuple(
    frozenset(k.split())
    for k in (
        "city county",
        "city county town",
        "county town",
        "county town community",
        "county",
        "county",
        "city",
        "town",
        "town community",
        "community",
        "",
        "",
        "province city county",
        "province city county town",
        "city town",
    )
)
_CHINESE = "零一二三四五六七八九十"
_NUMBER_BEFORE_UNIT = re.compile(
    r"(?<![\dA-Za-z-])(\d{1,2})(?=组|单元|号楼|栋|幢|期|层|楼|社|队|区(?![\u4e00-\u9fff]{0,3}区))"
)
_WIDE = {ord(c): ord(c) + 0xFEE0 for c in "0123456789ABCDEFGH-#()"}
_TRADITIONAL = str.maketrans(
    "区国东广门县镇号楼栋乡苏云华阳龙凤桥园宁庆学院层单长马车书湾岛兰汉邮电场厂铁",
    "區國東廣門縣鎮號樓棟鄉蘇雲華陽龍鳳橋園寧慶學院層單長馬車書灣島蘭漢郵電場廠鐵",
)


def drop_divisions(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Leave out some divisions."""
    keep = rng.choice(_KEEPS) | pins
    return replace(place, **{d: "" for d in DIVISIONS if d not in keep})  # type: ignore[arg-type]


def short_divisions(place: Place, rng: Random, pins: Pins) -> Place | None:
    """浙江省杭州市 → 浙江杭州; the county and the town sometimes too."""
    county = bare(place.county) if rng.random() < 0.5 else place.county
    town = place.town.removesuffix("办事处") if rng.random() < 0.5 else place.town
    if rng.random() < 0.3 and len(town) > 4:
        town = town.removesuffix("街道")
    elif town.endswith("街道") and rng.random() < 0.2:
        town = town[:-2] + rng.choice(("街", "街道办", "街道办事处", "办事处"))
    return replace(place, province=_region(place.province), city=bare(place.city), county=county, town=town)


def _region(province: str) -> str:
    """Autonomous regions go by their first two or three characters."""
    if province.endswith("自治区"):
        return province[: 3 if province.startswith("内蒙古") else 2]
    return bare(province)


def former_division(place: Place, rng: Random, pins: Pins) -> Place | None:
    """A name the county had before, from the list; else 市/区 written as 县."""
    olds = [row[1] for row in pairs("former_divisions") if row[0] == place.county]
    if olds:
        return replace(place, county=rng.choice(olds))
    if len(place.county) == 3 and place.county[-1] in "区市" and rng.random() < 0.1:
        return replace(place, county=place.county[:2] + "县")
    return None


def town_or_street(place: Place, rng: Random, pins: Pins) -> Place | None:
    """A town that became a subdistrict, or a township that became a town."""
    if place.town.endswith("街道"):
        return replace(place, town=place.town[:-2] + rng.choice("镇镇乡"))
    if place.town.endswith("乡"):
        return replace(place, town=place.town[:-1] + "镇")
    return None


def drop_name_suffix(place: Place, rng: Random, pins: Pins) -> Place | None:
    """An estate with or without 小区."""
    if place.kind != "estate" or len(place.name) < 3:
        return None
    if place.name.endswith("小区"):
        return replace(place, name=place.name[:-2]) if len(place.name) > 3 else None
    ends = ("园", "苑", "城", "府", "庭", "居", "湾", "里")
    return replace(place, name=place.name + "小区") if place.name.endswith(ends) else None


def use_alias(place: Place, rng: Random, pins: Pins) -> Place | None:
    """A short, former or everyday name."""
    return replace(place, name=rng.choice(place.aliases)) if place.aliases and place.name else None


def drop_road(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Name only."""
    if (
        not place.name
        or "road" in pins
        or not place.road
        or (place.kind == "chain" and not (place.branch or place.host))
    ):
        return None
    return replace(place, road="", number="")


def drop_number(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Road without its number, beside a name."""
    return replace(place, number="") if place.name and place.number and "number" not in pins else None


def drop_name(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Road and number only."""
    if not (place.road and place.number) or "name" in pins or place.host or place.part:
        return None
    if place.zone or place.building:
        return None
    return replace(place, name="", branch="")


def drop_branch(place: Place, rng: Random, pins: Pins) -> Place | None:
    """The branch goes without saying where mall or road are given."""
    if not place.branch or "branch" in pins or not (place.host or place.road) or place.part or place.building:
        return None
    return replace(place, branch="")


def drop_host(place: Place, rng: Random, pins: Pins) -> Place | None:
    """The mall goes without saying where the branch names it."""
    if place.host and place.host in place.branch and "host" not in pins and not place.building:
        return replace(place, host="", floor="", room="")
    return None


def drop_unit_room(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Unit, floor and room of one side go."""
    gone = {k: "" for k in ("unit", "floor", "room") if k not in pins and getattr(place, k)}
    return replace(place, **gone) if gone else None  # type: ignore[arg-type]


def add_room(place: Place, rng: Random, pins: Pins) -> Place | None:
    """A floor or room that only one side gives."""
    inner = place.kind in ("estate", "tower", "company", "park") and (
        place.building or place.kind in ("tower", "company")
    )
    if not inner or place.room or place.floor or pins & {"room", "unit"}:
        return None
    floor = rng.randint(1, 30)
    return (
        replace(place, room=f"{floor}0{rng.randint(1, 9)}")
        if rng.random() < 0.7
        else replace(place, floor=str(floor))
    )


def add_remark(place: Place, rng: Random, pins: Pins) -> Place | None:
    """附近, 电联, 放前台: words that move nothing."""
    if place.tail or "tail" in pins:
        return None
    remark = rng.choice(words("remark"))
    if place.kind in ("hospital", "tower", "company", "hotel", "office") and rng.random() < 0.4:
        remark = rng.choice(words("department" if place.kind == "hospital" else "desk"))
    if len(remark) > 2 and rng.random() < 0.6:
        remark = rng.choice((f"（{remark}）", f"({remark})", f" {remark}", f"，{remark}"))
    return replace(place, tail=remark)


def short_host(place: Place, rng: Random, pins: Pins) -> Place | None:
    """万达广场 → 万达 for the mall around a shop."""
    for end in ("购物中心", "广场", "百货", "商场", "购物公园"):
        if place.host.endswith(end) and len(place.host) - len(end) > 2:
            return replace(place, host=place.host.removesuffix(end))
    return None


def number_words(place: Place, rng: Random, pins: Pins) -> Place | None:
    """88号 → 88#, 八十八号 or 88; 人民大街 → 人民街."""
    found = re.fullmatch(r"(\d+)号", place.number)
    if place.road.endswith("大街") and len(place.road) > 3 and rng.random() < 0.2:
        return replace(place, road=place.road[:-2] + "街")
    if not found:
        return None
    small = chinese(int(found[1])) + "号" if 0 < int(found[1]) < 100 else found[1] + "#"
    return replace(place, number=rng.choice((found[1] + "#", small, found[1] + "号")))


def add_note(place: Place, rng: Random, pins: Pins) -> Place | None:
    """Directions and former names beside the place: 近文三路, 原第二招待所, 地铁2号线旁."""
    if place.tail or "tail" in pins or not place.name:
        return None
    road = rng.choice(words("road")) + "路"
    note = rng.choice(
        (
            f"近{road}",
            f"靠近{road}",
            f"{road}旁",
            f"原{rng.choice(words('tag'))}华商店",
            f"地铁{rng.randint(1, 9)}号线旁",
            "老城区",
            "新址",
            "二楼上电梯",
            "小区里面",
            "路边",
        )
    )
    return replace(place, tail=rng.choice(("({})", "（{}）", "，{}", " {}")).format(note))


PLACE_OPERATIONS: dict[str, tuple[PlaceOperation, float]] = {
    f.__name__: (f, chance)
    for f, chance in (
        (town_or_street, 0.06),
        (former_division, 0.35),
        (use_alias, 0.5),
        (drop_divisions, 0.7),
        (short_divisions, 0.45),
        (drop_name_suffix, 0.3),
        (drop_name, 0.14),
        (drop_branch, 0.3),
        (drop_host, 0.3),
        (drop_road, 0.3),
        (drop_number, 0.25),
        (drop_unit_room, 0.4),
        (add_room, 0.2),
        (add_remark, 0.13),
        (add_note, 0.06),
        (short_host, 0.4),
        (number_words, 0.1),
    )
}


def vary_wording(wording: Wording, rng: Random, place: Place, pins: Pins) -> list[str]:
    """Change one writer's habits in place; answers the names of what changed."""
    done: list[str] = []
    if place.building and rng.random() < 0.55:
        wording.building = rng.choice(("栋", "幢", "#", "号楼", "楼", "座", "#楼"))
        done.append("unit_words")
    if place.unit and rng.random() < 0.2:
        wording.unit = "门"
    if place.floor and rng.random() < 0.5:
        wording.floor = rng.choice(("楼", "F", "层"))
    if place.room and rng.random() < 0.6:
        wording.room = rng.choice(("", "房", "号"))
    if place.unit and rng.random() < 0.25:
        wording.dash = True
        done.append("dash_form")
    if place.branch and rng.random() < 0.7:
        wording.brackets = rng.choice(("", "（）", "()"))
        done.append("branch_brackets")
    if (
        place.name
        and place.kind != "village"
        and "tail" not in pins
        and rng.random() < (0.35 if place.kind != "estate" else 0.06)
    ):
        wording.order = rng.choice(("dnr", "ndr", "rnd", "nrd", "rdn") if place.road else ("nd", "dn"))
        wording.named = rng.random() < 0.4
        done.append("order_changed")
    if place.kind not in ("estate", "village", "road") and rng.random() < 0.4:
        wording.gap = rng.choice((" ", " ", "，"))
    return done


def numerals(text: str, rng: Random, place: Place) -> str:
    """3号楼 → 三号楼, 12组 → 十二组."""
    return _NUMBER_BEFORE_UNIT.sub(lambda m: chinese(int(m[1])), text)


def chinese(number: int) -> str:
    """1..99 in characters."""
    if number <= 10:
        return _CHINESE[number]
    tens, ones = divmod(number, 10)
    return ("" if tens == 1 else _CHINESE[tens]) + "十" + (_CHINESE[ones] if ones else "")


def full_width(text: str, rng: Random, place: Place) -> str:
    """Digits and letters in their wide forms."""
    return text.translate(_WIDE)


def typo(text: str, rng: Random, place: Place) -> str:
    """One character typed for another of like sound or shape."""
    rows = [row for row in pairs("confusions") if row[0] in text]
    if rows:
        old, new = rng.choice(rows)
        return text.replace(old, new, 1)
    return text


def lose_character(text: str, rng: Random, place: Place) -> str:
    """One Chinese character of a long name is missing; never a direction, ordinal or size."""
    at = rng.randrange(len(text))
    safe = (
        "\u4e00" <= text[at] <= "\u9fff"
        and text[at] not in "东西南北中上下前后大小新老一二三四五六七八九十甲乙"
    )
    return text[:at] + text[at + 1 :] if safe and len(place.name) > 4 and text[at] in place.name else text


def traditional(text: str, rng: Random, place: Place) -> str:
    """Some characters in traditional form."""
    return text.translate(_TRADITIONAL)


def repeat_prefix(text: str, rng: Random, place: Place) -> str:
    """The form already had the divisions, and the writer repeats them."""
    city = "" if place.city in (place.province, place.county) else place.city
    prefix = place.province + city + place.county
    return (prefix or place.town) + text


def double_element(text: str, rng: Random, place: Place) -> str:
    """One element twice: 历城区历城区."""
    element = rng.choice([e for e in (place.county, place.name, place.town) if e and e in text] or [""])
    return text.replace(element, element * 2, 1) if element else text


def split_blocks(text: str, rng: Random, place: Place) -> str:
    """Spaces or commas after divisions."""
    for element in (place.county, place.town):
        if element and element in text:
            text = text.replace(element, element + rng.choice((" ", "，", "/", "-")), 1)
    return text


TEXT_OPERATIONS: dict[str, tuple[TextOperation, float]] = {
    f.__name__: (f, chance)
    for f, chance in (
        (numerals, 0.16),
        (typo, 0.05),
        (lose_character, 0.025),
        (traditional, 0.012),
        (repeat_prefix, 0.06),
        (double_element, 0.03),
        (split_blocks, 0.05),
        (full_width, 0.06),
    )
}
