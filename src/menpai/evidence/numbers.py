"""Numbers (house, building, unit, room): equal, one inside the other (list, range, sub-number), or different."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from menpai.evidence.relation import Relation

_WIDEST_RANGE = 500
_LIST = 2
_RANGE = re.compile(r"([0-9]{1,5})-([0-9]{1,5})")
# 甲12号, 12号甲; 112号附3, 112-3; 望京SOHO T1, 塔1, 1号塔.
_STEM = re.compile(r"([甲乙丙丁戊己])([0-9]{1,5}(?:-[0-9]{1,5})?)")
_ANNEX = re.compile(r"(?<=[0-9])附(?=[0-9])")
_TOWER = re.compile(r"T([0-9]{1,2})")
_BLOCKS = dict(zip("甲乙丙丁戊己", "ABCDEF", strict=True))
_GATE = re.compile("号?(?:出入口|[出入]口|口)$")
_PART_KINDS = (
    (re.compile("[门口]$"), "gate"),
    (re.compile("[店馆部行]$"), "branch"),
    (re.compile("校区$|院区$|院$|分校$"), "campus"),
)


def relate_numbers(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """The relation between the numbers of one side and those of the other, and the numbers.

    Of a list and a member of it on one side the member counts: 23、25号宝石大厦 鹤洲路23号.
    """
    a, b = narrowed(tuple(a)), narrowed(tuple(b))
    text_a, text_b = ",".join(a), ",".join(b)
    if not a or not b:
        return Relation.MISSING, text_a, text_b
    if text_a == text_b:
        return Relation.EQUAL, text_a, text_b
    (left, above_left), (right, above_right) = members(text_a), members(text_b)
    if left == right:
        return Relation.EQUAL, text_a, text_b
    overlap = left & right or left & above_right or above_left & right
    return (Relation.CONTAINS if overlap else Relation.DIFFERS), text_a, text_b


def relate_parts(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """The same for parts of a place (一期, B区, 2号门, 金水店), each kind by itself: a gate says nothing against a branch
    or a phase. Of several kinds the one that differs counts."""
    sides = _by_kind(a), _by_kind(b)
    shared = sorted(sides[0].keys() & sides[1].keys())
    found = [relate_numbers(sides[0][kind], sides[1][kind]) for kind in shared]
    if not found:
        return Relation.MISSING, ",".join(a), ",".join(b)
    return max(found, key=lambda relation: relation[0])


def _by_kind(parts: Sequence[str]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for part in parts:
        kinds.setdefault(_part_kind(part), []).append(_GATE.sub("口", part))
    return kinds


def _part_kind(part: str) -> str:
    return next((kind for pattern, kind in _PART_KINDS if pattern.search(part)), "zone")


def narrowed(values: tuple[str, ...]) -> tuple[str, ...]:
    """The values without those that another value is a true part of."""
    if len(values) < _LIST:
        return values
    stands = [members(value)[0] for value in values]
    return tuple([v for v, found in zip(values, stands, strict=True) if not any(x < found for x in stands)])


@lru_cache(maxsize=4096)
def members(value: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a number stands for, and the numbers that it is a part of.

    "2,4" stands for 2 and 4; "1-3" for 1, 2, 3 and itself; "88-1" for itself, a part of 88.
    A dash beside letters is spelling (W1-A, W1A).
    """
    found: set[str] = set()
    above: set[str] = set()
    for written in value.split(","):
        part = _plain(written)
        found.add(part if part.isascii() and not any(map(str.isalpha, part)) else part.replace("-", ""))
        if "+" in part:  # a post and some metres
            above.add(part.partition("+")[0])
        if match := _RANGE.fullmatch(part):
            first, last = int(match[1]), int(match[2])
            if first < last <= first + _WIDEST_RANGE and "附" not in written:
                found.update(str(n) for n in range(first, last + 1))
            else:
                above.add(match[1])
    return frozenset(found), frozenset(above)


def _plain(number: str) -> str:
    """The number in the spelling that is compared: 12甲 for 甲12, 112-3 for 112附3, 1 for T1, B for 乙."""
    if number.isdecimal():
        return number
    if number in _BLOCKS:
        return _BLOCKS[number]
    if tower := _TOWER.fullmatch(number):
        return tower[1]
    return _ANNEX.sub("-", _STEM.sub(r"\2\1", number))
