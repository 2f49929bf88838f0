"""Read number tokens with a unit word: house, building, unit, floor, room, zone, lane, distance."""

from __future__ import annotations

import re
from collections.abc import Callable

from menpai.parsing import bare, names, patterns, values
from menpai.parsing.draft import INSIDE, ON_ROADS, PLACES, Draft
from menpai.parsing.patterns import UNIT_KINDS

# A room straight after another number: its floor and the rest.
_ROOM = re.compile(r"(?P<floor>\d{1,2})\d{2}(?!\d)")
# A-7层 is the 7th floor of A.
_TOWERED = re.compile(r"(?P<tower>[A-Z]\d{0,2})-(?P<floor>\d{1,2})")
# 6-3楼 is the 3rd floor of building 6, 2-3层 a range; 21,603室 is a room of building 21,
# 97-10号 in an estate number 10 of building 97.
_ABOVE = re.compile(r"(\d{1,3})-(\d{1,2})")
_HOUSE = re.compile(r"(\d{1,3})-(\d{1,3})")
_LISTED_ROOM = re.compile(r"[A-Z]?\d{1,2},\d{3,4}")
_HIGHEST = 33
# Unit words that stay in the value: 455弄 is not 455号, 3期 not 3区.
_KEPT = frozenset(
    ("弄", "排", "通道", "连", *(unit for unit, kind in UNIT_KINDS.items() if kind == "subpoi"))
)
_LETTER_KINDS = {
    "单元": "unit",
    "梯": "unit",
    "室": "room",
    "户": "room",
    "铺": "room",
    "层": "floor",
} | dict.fromkeys(("区", "段", "组团", "出入口", "出口", "入口", "口"), "subpoi")
_NUMBER = re.compile(r"\d+")
# What has lanes of its own: 格水村|3巷; else the lane ends a name: 瓦窑岗2巷.
_LANED = frozenset("村区园屯寨庄")
_LOW = {"首层": "1", "底层": "1", "顶楼": "顶层"}
# B12楼 is a building; B1楼 the floor below, unless it stands in an estate or yard.
_LETTERED = re.compile(r"[A-EG-KM-Z](\d{1,2})")
_YARDS = ("院", "园", "里")
_DEEPEST = 2
# What bears numbers: after these 1号 is no name.
_NUMBERED = frozenset("路街道巷段弄村里社区院")
# 江南, 城东, 河西 are words: 印象江南4栋 is no building 南4.
_BEFORE_SIDE = frozenset("江城河湖淮岭海山水云济岸淮")


def number(draft: Draft, match: re.Match[str]) -> None:
    """A token of digits, lists of them, or letters with digits."""
    unit = match["unit"]
    if unit is None:
        bare.read(draft, match)
        return
    reader = _BY_KIND.get(UNIT_KINDS[unit])
    if reader:
        reader(draft, match, unit)
    elif unit != "号" or not _brand(draft, match):
        _unit(draft, match, unit)


def post(draft: Draft, match: re.Match[str]) -> None:
    """K12+500, 1206公里+500米: a place on a highway, no house number."""
    names.cut(draft, match.start())
    draft.add("distance", match.start(), match.end(), match[0].removesuffix("处"))


def letter(draft: Draft, match: re.Match[str]) -> None:
    """A座, B区, C室."""
    start, end = match.span()
    unit = match["lunit"]
    if unit == "区" and draft.begin < start and draft.text[start - 1] not in ON_ROADS:
        names.cut(draft, end)
        return
    names.cut(draft, start)
    kind = _LETTER_KINDS.get(unit) or (_house(draft, end) if unit in ("号", "号院", "弄") else "building")
    draft.add(kind, start, end, match["letter"] + (unit if kind == "subpoi" or unit == "弄" else ""))


def flat(draft: Draft, match: re.Match[str]) -> None:
    """8楼C is a flat on the 8th floor; other letters belong to a name."""
    if draft.last == "floor" and draft.begin == match.start():
        draft.add("room", *match.span(), match[0])


def low(draft: Draft, match: re.Match[str]) -> None:
    """负1层, -1层, 地下1层 and 地下 as B1, 首层 as 1; 地下室 and 底商 as they are."""
    start, end = match.span()
    names.cut(draft, start)
    below = [f"B{number}" for number in _NUMBER.findall(match[0])]
    joint = "," if "、" in match[0] or "," in match[0] else "-"
    value = joint.join(below) or _LOW.get(match[0], match[0])
    if value == "地下" and end == len(draft.text):  # in Hong Kong 地下A铺 is on the ground floor
        value = "B1"
    draft.add("floor", start, end, value, "sign")


def _unit(draft: Draft, match: re.Match[str], unit: str) -> None:
    """A number with a unit word of its own."""
    pre, listed, sub = match.group("pre", "list", "sub")
    start, end = match.span()
    first = start
    if pre:
        first = match.start("pre")
        if _is_of_name(draft, pre, unit, start):
            start = first = match.start("list")
        elif pre in ("附", "副") and draft.last == "roadno" and draft.begin >= start:
            bare.annex(draft, end, values.numbers(listed))
            return
    if draft.begin < start:
        names.cut(draft, start)
    kind = _kind(draft, unit, listed, end)
    if unit == "号" and draft.last == "roadno" and _is_member(listed, draft.out[-1].value):
        draft.add("roadno", draft.out.pop().start, end, listed)
        return
    if kind == "building" and unit[0] == "号" and draft.last == "roadno" and draft.lists_on():
        draft.out[-1] = draft.out[-1]._replace(kind="building")
    kept = unit if unit in _KEPT else ""
    if not (pre or sub) and listed.isdecimal():
        draft.add(kind, start, end, (listed.lstrip("0") or "0") + kept)
        return
    written = draft.text[first : match.end("list")]
    if not _joined(draft, kind, written, start, end):
        _suffixed(draft, kind, values.numbers(written) + kept, sub or "", start, end)


def _is_member(number: str, listed: str) -> bool:
    """Whether a list of houses is followed by the one that is meant: 15、16号16号."""
    return "," in listed and number in listed.split(",")


def _joined(draft: Draft, kind: str, written: str, start: int, end: int) -> bool:
    """Whether the number was of several kinds and is read: A-7层, 6-3楼, 97-10号, 21,603室, 3-1单元."""
    if kind == "floor" and (towered := _TOWERED.fullmatch(written)):
        draft.add("building", start, start + towered.end("tower"), towered["tower"], "dash")
        draft.add("floor", towered.start("floor") + start, end, towered["floor"], "dash")
        return True
    if kind == "floor":
        above = _ABOVE.fullmatch(written)
        parted = above is not None and int(above[1]) > int(above[2])
    elif kind == "building" and draft.text[end - 1] == "号" and (house := _HOUSE.fullmatch(written)):
        parted = len(house[2]) > 2 or int(house[1]) > int(house[2])
        kind = "house"
    elif kind == "room" and _LISTED_ROOM.fullmatch(written):
        parted = True
    else:
        parted = kind in ("unit", "room") and "-" in written and "," not in written
    if parted:
        bare.dashed(draft, written, start, end, kind)
    return parted


def _suffixed(draft: Draft, kind: str, value: str, sub: str, start: int, end: int) -> None:
    """38号之1 is 38-1, 12号甲 is 12甲; 7楼之3 is a room on the 7th floor."""
    if sub and kind == "floor":
        draft.add(kind, start, end - len(sub), value)
        draft.add("room", end - len(sub), end, values.digits(sub[1:]))
    else:
        draft.add(kind, start, end, value + values.numbers(values.digits(sub).replace("至之", "至")))


def _is_of_name(draft: Draft, pre: str, unit: str, start: int) -> bool:
    """Whether 北 in 浦北3组 and 西 in 城西1号 end a name and do not begin the number."""
    if UNIT_KINDS[unit] == "village_group":
        return True
    if pre not in "东西南北" or draft.begin >= start:
        return False
    if unit != "号":
        return draft.text[start - 1] in _BEFORE_SIDE
    return draft.text[start - 1] not in ON_ROADS or draft.text[start - 1] == "道"


def _brand(draft: Draft, match: re.Match[str]) -> bool:
    """Whether 1号 belongs to an estate's name: 半山1号6栋; another number only before a phase: 御河10号2期."""
    start, end = match.span()
    if draft.begin >= start or draft.text[start - 1] in _NUMBERED or match["pre"]:
        return False
    shown = patterns.IN_BRAND if match["list"] == "1" else patterns.PHASE
    return len(match["list"]) <= 2 and shown.match(draft.text, end, draft.end) is not None


def _kind(draft: Draft, unit: str, number: str, end: int) -> str:
    """What a number with this unit word is here."""
    if unit == "#" and draft.last == "building" and draft.out[-1].end == draft.begin:
        return "unit"
    if unit == "组" and draft.inside:
        return "unit"
    if unit == "号" or (unit[0] == "号" and UNIT_KINDS[unit] == "room" and draft.last == "road"):
        return _house(draft, end)
    if unit == "楼":
        return _storey(draft, number, end)
    return UNIT_KINDS[unit]


def _house(draft: Draft, end: int) -> str:
    """号: on a road or in a village the house, in an estate or lane the building, in a building the room."""
    aisle = draft.last == "subpoi" and draft.last_text.endswith("街")
    if (draft.last == "floor" or aisle) and draft.in_market:
        return "room"
    if draft.last in INSIDE:
        if draft.last_text.endswith(("排", "通道")):
            return "room" if draft.in_market else "roadno"
        if draft.last_text.endswith("号"):
            return "building"
        return "unit" if draft.last == "building" and _ROOM.match(draft.text, end) else "room"
    if draft.last == "poi" and draft.inside:
        return "room"
    if draft.last == "roadno":
        return "roadno" if draft.lists_on() and not draft.last_text.endswith("弄") else "building"
    in_estate = draft.last == "subpoi" or (draft.last == "poi" and patterns.is_estate(draft.last_text))
    return "building" if in_estate else "roadno"


def _storey(draft: Draft, number: str, end: int) -> str:
    """楼: a building before its entrances, in an estate also before rooms of another floor; else a floor."""
    if draft.last in ("building", "unit") or (draft.last == "subpoi" and draft.in_market):
        return "floor"
    if lettered := _LETTERED.fullmatch(number):
        return _lettered_storey(draft, number[0], int(lettered[1]))
    following = draft.text[end : end + 4]
    if "单元" in following or "门" in following:
        return "building"
    if draft.last not in PLACES or not patterns.is_estate(draft.last_text):
        return "floor"
    if not number.isdigit() or (draft.last_text.endswith(patterns.TALL) and int(number) < 2 * _HIGHEST):
        return "floor"
    room = _ROOM.match(draft.text, end)
    return "building" if int(number) > _HIGHEST or (room and room["floor"] != number) else "floor"


def _lettered_storey(draft: Draft, letter: str, number: int) -> str:
    """B12楼 and T3楼 are buildings; B1楼 is the floor below except in a yard or estate, A3楼 no building of a mall."""
    if draft.in_market:
        return "floor"
    if letter != "B" or number > 2 * _DEEPEST:
        return "building"
    yard = draft.last_text.endswith(_YARDS) or patterns.is_estate(draft.last_text)
    if draft.last in PLACES:
        return "building" if yard and not draft.on_tall else "floor"
    return "building" if yard or number > _DEEPEST else "floor"


def _lane(draft: Draft, match: re.Match[str], unit: str) -> None:
    """红旗路6巷 and 市民大道1段 are one road; 格水村3巷 is a lane of a village, 1547弄3巷 a part of it."""
    start, end = match.span()
    if draft.begin < start and draft.text[start - 1] in ON_ROADS:
        return
    if unit != "巷" or (draft.begin < start and draft.text[start - 1] not in _LANED):
        return
    names.cut(draft, start)
    draft.add("road", start, end, values.numbers(match["list"]) + unit)


def _distance(draft: Draft, match: re.Match[str], unit: str) -> None:
    """往北200米."""
    stop = match.start("list")
    head = patterns.TOWARDS.search(draft.text, max(draft.begin, stop - 5), stop)
    first = head.start() if head else match.start()
    names.cut(draft, first)
    end = match.end()
    draft.add("distance", first, end + draft.text.startswith("处", end), draft.text[first:end])


def _zone(draft: Draft, match: re.Match[str], unit: str) -> None:
    """二区, 三期: with an open name its zone, else of its own."""
    start, end = match.span()
    if unit in ("区", "期", "街区", "组团") and draft.begin < start and draft.text[start - 1] not in ON_ROADS:
        names.cut(draft, end)
        return
    names.cut(draft, start)
    kind = "roadno" if unit == "支弄" and draft.last == "road" else "subpoi"
    draft.add(kind, start, end, values.numbers(draft.text[start : match.end("list")]) + unit)


def _left(draft: Draft, match: re.Match[str], unit: str) -> None:
    """A number that belongs to a name (2号线) is left to it."""


_BY_KIND: dict[str, Callable[[Draft, re.Match[str], str], None]] = {
    "lane": _lane,
    "distance": _distance,
    "subpoi": _zone,
    "name": _left,
}
