"""Frozen noise of queries: named ways in which a person writes a place otherwise than the list does.

None of them is drawn in training: those that training knows of are its EVALUATION_ONLY. An operation answers None
where it does not apply. Changing this file changes every figure of RESULTS.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

from places import Spot

from menpai.parsing.tables import read_table
from menpai.text.pinyin import syllables

Operation = Callable[[Spot, Random], Spot | None]
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KEPT = "东西南北中上下前后大小新老一二三四五六七八九十甲乙路街道巷弄号村镇乡区县市省幢栋楼室单元社"
_REMARKS = ("附近", "(联系门卫)", "（放快递柜）", " 到了打电话", "旁边", "【公司】", "，送货上门")
_FORMER = {
    "静安区": "闸北区", "黄浦区": "卢湾区", "浦东新区": "南汇区", "东城区": "崇文区", "西城区": "宣武区",
    "姑苏区": "沧浪区", "拱墅区": "下城区", "上城区": "江干区", "天河区": "东山区", "鼓楼区": "下关区",
}  # fmt: skip


def level_dropped(spot: Spot, rng: Random) -> Spot | None:
    """Some divisions are left out; the county or town stays where a name alone would say too little."""
    if not (spot.county and (spot.city or spot.province)):
        return None
    gone = rng.choice(("province", "province city", "province city", "city", "province town", "town"))
    if spot.road and rng.random() < 0.5:
        gone = rng.choice(("city town", "city county", "city county town"))
    dropped = replace(spot, **dict.fromkeys(gone.split(), ""))
    return dropped if dropped.text != spot.text else None


def suffix_dropped(spot: Spot, rng: Random) -> Spot | None:
    """浙江省杭州市西湖区 → 浙江杭州西湖."""

    def short(name: str) -> str:
        return name[:-1] if len(name) > 2 and name[-1] in "省市区县" and not name.endswith("自治区") else name

    found = replace(spot, province=short(spot.province), city=short(spot.city), county=short(spot.county))
    return found if found.divisions != spot.divisions else None


def unit_words(spot: Spot, rng: Random) -> Spot | None:
    """3号楼 → 3幢, 3栋, 3#楼 or 三号楼; 单元 and 室 also as dashes."""
    if not spot.building:
        return None
    if rng.random() < 0.25:
        inside = "-".join(filter(None, (spot.building, spot.unit, spot.room)))
        return replace(spot, name=spot.name + inside, building="", unit="", room="")
    word = rng.choice([w for w in ("号楼", "幢", "栋", "#楼", "#", "号") if w != spot.words[0]])
    return replace(spot, words=(word, rng.choice(("单元", "单元", "门")), rng.choice(("室", "", "房"))))


def former_name(spot: Spot, rng: Random) -> Spot | None:
    """A district's former name, or a town that was another kind of town."""
    if spot.county in _FORMER:
        return replace(spot, county=_FORMER[spot.county])
    if spot.town.endswith(("街道", "乡")):
        return replace(spot, town=spot.town.removesuffix("街道").removesuffix("乡") + "镇")
    if spot.town.endswith("镇"):
        return replace(spot, town=spot.town[:-1] + "乡")
    return None


def wrong_town(spot: Spot, rng: Random) -> Spot | None:
    """The writer takes it to lie in the town next door."""
    if not spot.town or not spot.road:
        return None
    return replace(spot, town=rng.choice(("城关镇", "新华街道", "城东街道")))


def pinyin_typo(spot: Spot, rng: Random) -> Spot | None:
    """One character of the name or road typed for another of the same sound."""
    return _mistyped(spot, rng, lambda char: [c for c in _by_sound().get(_sound(char), "") if c != char])


def ocr_shape(spot: Spot, rng: Random) -> Spot | None:
    """One character of the name or road read as another of like shape."""
    return _mistyped(spot, rng, lambda char: list(by_shape().get(char, "")))


def order_changed(spot: Spot, rng: Random) -> Spot | None:
    """The place in front, the divisions behind: 文三路123号, 浙江省杭州市."""
    if not spot.divisions:
        return None
    tail = rng.choice((" ", "，", "")) + spot.divisions
    place = spot.road + spot.number + spot.name + spot.inside
    return replace(Spot(spot.id), name=place + tail) if place else None


def remark_added(spot: Spot, rng: Random) -> Spot | None:
    """Words that move nothing behind the address."""
    return replace(spot, name=spot.name + spot.inside + rng.choice(_REMARKS), building="", unit="", room="")


def room_added(spot: Spot, rng: Random) -> Spot | None:
    """A building or room that the list does not have."""
    if spot.building or not (spot.number or spot.name):
        return None
    return replace(spot, room=f"{rng.randint(1, 20)}0{rng.randint(1, 6)}")


def room_dropped(spot: Spot, rng: Random) -> Spot | None:
    """Room, and sometimes the unit, left out."""
    return replace(spot, room="", unit=spot.unit if rng.random() < 0.5 else "") if spot.room else None


def character_lost(spot: Spot, rng: Random) -> Spot | None:
    """One character of a name or road is missing."""
    return _mistyped(spot, rng, lambda char: [""])


OPERATIONS: dict[str, Operation] = {
    f.__name__: f
    for f in (
        level_dropped, suffix_dropped, unit_words, former_name, wrong_town, pinyin_typo, ocr_shape, order_changed,
        remark_added, room_added, room_dropped, character_lost,
    )
}  # fmt: skip
# The last that may follow: they cannot be undone by another.
_LATE = ("order_changed", "remark_added")


def disturb(spot: Spot, rng: Random) -> tuple[str, str]:
    """Text and names of what was done: one operation for six in ten, two for the others."""
    names: list[str] = []
    wanted = 1 if rng.random() < 0.6 else 2
    order = sorted(
        rng.sample(list(OPERATIONS), len(OPERATIONS)), key=lambda name: name in _LATE and wanted == 2
    )
    for name in order:
        changed = OPERATIONS[name](spot, rng)
        if changed is not None:
            spot, names = changed, [*names, name]
            if len(names) == wanted:
                break
    return spot.text, "+".join(names)


def _mistyped(spot: Spot, rng: Random, others: Callable[[str], list[str]]) -> Spot | None:
    """The spot with one character of its road, else its name, exchanged; generic words and numbers stay."""
    field = "road" if spot.road else "name"
    text: str = getattr(spot, field)
    if len(text) < 3:
        return None
    places = [at for at, char in enumerate(text) if _HAN.match(char) and char not in _KEPT and others(char)]
    if not places:
        return None
    at = rng.choice(places)
    return replace(spot, **{field: text[:at] + rng.choice(others(text[at])) + text[at + 1 :]})


def _sound(char: str) -> str:
    found = syllables(char)
    return found[0] if found else ""


@cache
def _by_sound() -> dict[str, str]:
    """Syllable → the common characters (GB 2312's first level) that sound so."""
    rows = (
        bytes((high, low)).decode("gb2312", "ignore")
        for high in range(0xB0, 0xD8)
        for low in range(0xA1, 0xFF)
    )
    found: dict[str, str] = {}
    for char in rows:
        if sound := _sound(char) if char else "":
            found[sound] = found.get(sound, "") + char
    return found


@cache
def by_shape() -> dict[str, str]:
    """Character → those it is mistaken for."""
    found: dict[str, str] = {}
    for wrong, meant in read_table("lookalikes.tsv").items():
        for char in meant:
            found[char] = found.get(char, "") + wrong
    return found
