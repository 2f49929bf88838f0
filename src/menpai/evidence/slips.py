"""Two names that are one but for slips of the pen, where the number on them agrees."""

from __future__ import annotations

import re
from functools import lru_cache

from menpai.evidence.comparison import Comparison
from menpai.evidence.names import TYPES, UNTOLD
from menpai.evidence.relation import Relation
from menpai.parsing.similar import slip

_MOST = 2
# The same sound or a like shape; sounds that are only close (n and l, in and ing) are none beside another slip.
_SURE = 0.25
# Of the characters that tell places apart those that are read as numbers seldom are one in a name: 双峰路, 霜峰路.
_FIRM = UNTOLD - frozenset("双百千两甲丙丁")
_ROADS = frozenset("路街")
_TAIL = re.compile("(?:小区|社区|花园|家园|公寓|新村|[路街])$")
# In a hamlet's name the family's is all that tells it apart: 徐庄 and 许庄, 张家湾 and 章家湾 are two.
_HAMLET = re.compile(".(?:家.|[庄屯营湾沟冲坪塘岭店寨村])村?")
# Names that sound alike and that many a city gives to two roads.
_USUAL = frozenset(
    "民主 民族 新华 兴华 光华 广华 文化 文华 恒山 衡山 东风 东丰 长丰 长风 富强 福强 嵩山 松山".split()
)
_LAID = re.compile("[东南西北中]?(?:路|街|大道|大街)$")
_NAMES = ("road", "poi", "community")
_NUMBERS = ("roadno", "building")
_APART = (Relation.DIFFERS, Relation.SIMILAR)
_TOWN_KIND = re.compile("(?:街道|镇|乡)$")
# What two that share no more say too little of where they lie.
_FAR = ("none", "province")


def slip_of(c: Comparison) -> tuple[str, str] | None:
    """The two writings of one name; None where a number contradicts or does not agree, a division contradicts, or
    more than one name differs. More than a near slip needs a city, district or town that both name."""
    differ = {kind for kind, relation in c.relations.items() if relation == Relation.DIFFERS}
    if not _one_town(c):
        return None
    agree = _one_door(c)
    if "slip" in c.relations:
        slipped = agree and not differ - {"town"} and not two_names(*c.texts["slip"])
        return c.texts["slip"] if slipped else None
    if c.division_level in _FAR:
        return None
    apart = [kind for kind in _NAMES if c.relations.get(kind) in _APART]
    if len(apart) == 1:
        found = c.texts[apart[0]] if agree and not differ - {"town", "rest", *apart} else ("", "")
    else:
        readable = not differ - {"town", "rest", *_NAMES} and all(map(_numbered, c.details))
        found = c.details if readable else ("", "")
    near = c.relations.get("town") == Relation.EQUAL
    return found if miswritten(*found, near) else None


def _one_door(c: Comparison) -> bool:
    """House numbers or buildings agree, also 5号 of a place without a road beside its 5号楼."""
    if Relation.EQUAL in [c.relations.get(kind) for kind in _NUMBERS]:
        return True
    a, b = ([x for kind in _NUMBERS for x in side.given.get(kind, ())] for side in (c.left, c.right))
    return "road" not in c.relations and len(a) == 1 and a == b


def _one_town(c: Comparison) -> bool:
    """Nothing contradicts above the place; a 镇 and a 街道 of one stem are one."""
    if c.division_conflict is None:
        return True
    town, a, b = c.division_conflict
    return town == "town" and _TOWN_KIND.sub("", a) == _TOWN_KIND.sub("", b)


def _numbered(text: str) -> bool:
    return any(map(str.isdigit, text))


def two_names(x: str, y: str) -> bool:
    """Whether two names are usual ones, or hamlets that differ in the family's name: no slip that a person would
    state."""
    hamlets = x[:1] != y[:1] and all(map(_HAMLET.fullmatch, (x, y)))
    return hamlets or {_LAID.sub("", name) for name in (x, y)} <= _USUAL


def miswritten(x: str, y: str, near: bool = False) -> bool:
    """Whether one text is the other with at most two characters written for others of like sound or shape, or with
    one left out and at most one miswritten, and none that tells two places apart is touched.

    Enough must stay beside a generic tail: one character beside a slip, two beside two, or beside a slip and a lost
    one; of roads that do not lie in one town (near) three. Of two characters before the tail one may be left out if
    that leaves what nothing is called: 志丹路, 志路, but 新建街 and 新街 are two.
    """
    short, long = (x, y) if len(x) <= len(y) else (y, x)
    lost = len(long) - len(short)
    if lost > 1 or len(short) < _MOST or two_names(x, y):
        return False
    tail = _TAIL.search(long)
    stays = len(short) - (len(tail[0]) if tail and short.endswith(tail[0]) else 0)
    if lost and stays == 1:
        return short[0] not in UNTOLD | TYPES and _slips(short, long, 1) == 1
    road = tail is not None and tail[0] in _ROADS
    stays += road
    most = stays - _MOST + (stays > _MOST and (near or not road)) if lost else stays // 2
    return 0 < _slips(short, long, min(_MOST, most)) <= min(_MOST, most)


@lru_cache(maxsize=4096)
def _slips(short: str, long: str, most: int) -> int:
    """The fewest slips that lead from one text to the other, or more than `most`."""
    lost = len(long) - len(short)
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    short, long = short[same:], long[same:]
    if not long:
        return 0
    if not most:
        return 1
    found = most + 1
    if lost and long[0] not in UNTOLD | TYPES:
        found = 1 + _slips(short, long[1:], most - 1)
    if short and alike(short[0], long[0]):
        found = min(found, 1 + _slips(short[1:], long[1:], most - 1))
    return found


def alike(a: str, b: str) -> bool:
    """Whether one character may be a slip for the other: 园 for 圆, 双 for 霜, but never 园 for 苑, 东 for 冬, 2 for 3."""
    if {a, b} & _FIRM or {a, b} <= TYPES:
        return False
    found = slip(a, b)
    return found is not None and found.cost <= _SURE
