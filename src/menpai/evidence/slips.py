"""Two names that are one but for slips of the pen, where the number on them agrees."""

from __future__ import annotations

import re
from functools import lru_cache

from menpai.evidence.comparison import Comparison
from menpai.evidence.names import TYPES, UNTOLD
from menpai.evidence.relation import Relation
from menpai.parsing.similar import slip

_MOST = 2
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
    agree = Relation.EQUAL in [c.relations.get(kind) for kind in _NUMBERS]
    if "slip" in c.relations:
        return c.texts["slip"] if agree and not differ - {"town"} else None
    if c.division_level in _FAR:
        return None
    apart = [kind for kind in _NAMES if c.relations.get(kind) in _APART]
    if len(apart) == 1 and agree and not differ - {"town", "rest", *apart}:
        found = c.texts[apart[0]]
    elif not differ - {"town", "rest", *_NAMES} and all(map(_numbered, c.details)):
        found = c.details
    else:
        return None
    return found if miswritten(*found) else None


def _one_town(c: Comparison) -> bool:
    """Nothing contradicts above the place; a 镇 and a 街道 of one stem are one."""
    if c.division_conflict is None:
        return True
    town, a, b = c.division_conflict
    return town == "town" and _TOWN_KIND.sub("", a) == _TOWN_KIND.sub("", b)


def _numbered(text: str) -> bool:
    return any(map(str.isdigit, text))


def miswritten(x: str, y: str) -> bool:
    """Whether one text is the other with at most two characters written for others of like sound or shape, or with
    one left out and at most one miswritten; at least two stay, and none that tells two places apart is touched.

    Of three characters one may be left out or miswritten, not both: 志丹路, 志路.
    """
    short, long = (x, y) if len(x) <= len(y) else (y, x)
    lost = len(long) - len(short)
    if lost > 1 or len(short) < _MOST:
        return False
    most = 1 if len(long) < _MOST + 2 else _MOST
    return 0 < _slips(short, long, most) <= most


@lru_cache(maxsize=16384)
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
    """Whether one character may be a slip for the other: 园 for 圆, but never 园 for 苑, 东 for 冬 or 2 for 3."""
    if {a, b} & UNTOLD or {a, b} <= TYPES:
        return False
    return slip(a, b) is not None
