"""Divisions and names that meet: 南京 in front of 南京鼓楼医院, 蓝山 that is no county, a town that moved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from menpai.address import DIVISION_LEVELS, Address

_NAMED = frozenset(("poi", "community"))
_KIND = re.compile("(?:特别行政区|(?:壮族|回族|维吾尔)?自治[区州县旗]|新区|地区|街道|[省市盟区县旗镇乡])$")
_SHORTEST = 2


def homes_of(written: Iterable[tuple[str, str]]) -> frozenset[str]:
    """What a name may bear in front of the divisions that it lies in: 南京 and 南京市 of ("南京市", "南京")."""
    names = {name for pair in written for name in pair}
    stems = {_KIND.sub("", name) for name in names}
    return frozenset(name for name in names | stems if len(name) >= _SHORTEST)


def one_at_home(x: str, y: str, homes: frozenset[str]) -> bool:
    """Whether two names are one but for the division in front: 鼓楼医院, 南京鼓楼医院."""
    short, long = (x, y) if len(x) < len(y) else (y, x)
    return len(short) >= _SHORTEST and long.endswith(short) and long[: -len(short)] in homes


def without_namesake(address: Address, other: Address) -> Address | None:
    """The reading without the short division name that begins the text, where the other side shows that it belongs to
    the name behind: 蓝山帝景 beside 永宁县蓝山帝景. None where it shows nothing."""
    first, *rest = address.elements
    divided = [e for e in address.elements if e.kind in DIVISION_LEVELS]
    if divided != [first] or first.text == first.value or not rest:
        return None
    name = rest[0]
    if name.kind not in _NAMED or name.start != first.end or not _behind(address, name.end, other):
        return None
    whole = name._replace(text=first.text + name.text, start=first.start, value=first.text + name.value)
    return replace(address, elements=(whole, *rest[1:]), divisions=(), former=())


def _behind(address: Address, end: int, other: Address) -> bool:
    """Whether the name up to `end` stands in the other text, behind its divisions."""
    start = max((e.end for e in other.elements if e.kind in DIVISION_LEVELS), default=0)
    return start > 0 and address.text[:end] in other.text[start:]


def moved(a: Address, b: Address, towns: tuple[str, str]) -> bool:
    """Whether divisions that contradict are those of two times: one side names a former division, and both the same
    town (邯郸县南堡乡 is 丛台区南堡乡 today)."""
    return bool(a.former or b.former) and bool(towns[0]) and towns[0] == towns[1]
