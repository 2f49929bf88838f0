"""Numbers (house, building, unit, room): equal, one inside the other (list, range, sub-number), or different."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from menpai.evidence.relation import Relation

_WIDEST_RANGE = 500
_RANGE = re.compile(r"([0-9]{1,5})-([0-9]{1,5})")


def relate_numbers(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """The relation between the numbers of one side and those of the other, and the numbers."""
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


@lru_cache(maxsize=16384)
def members(value: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a number stands for, and the numbers that it is a part of.

    "2,4" stands for 2 and 4; "1-3" for 1, 2, 3 and itself; "88-1" for itself, a part of 88.
    A dash beside letters is spelling (W1-A, W1A).
    """
    found: set[str] = set()
    above: set[str] = set()
    for part in value.split(","):
        found.add(part if part.isascii() and not any(map(str.isalpha, part)) else part.replace("-", ""))
        if match := _RANGE.fullmatch(part):
            first, last = int(match[1]), int(match[2])
            if first < last <= first + _WIDEST_RANGE:
                found.update(str(n) for n in range(first, last + 1))
            else:
                above.add(match[1])
    return frozenset(found), frozenset(above)
