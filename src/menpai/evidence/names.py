"""Names (roads, estates, places, communities): equal, one inside the other, alike, or different."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from menpai.evidence.relation import Relation

_RANK = (Relation.DIFFERS, Relation.SIMILAR, Relation.CONTAINS, Relation.EQUAL)
_ALIKE = 0.5


def relate_names(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """The best relation between a name of one side and a name of the other, and these two names."""
    if not a or not b:
        return Relation.MISSING, "".join(a), "".join(b)
    best = (Relation.DIFFERS, a[0], b[0])
    for x in a:
        for y in b:
            relation = relate_name(x, y)
            if _RANK.index(relation) > _RANK.index(best[0]):
                best = (relation, x, y)
    return best


def relate_name(x: str, y: str) -> Relation:
    """EQUAL; CONTAINS (at least two characters, in order); SIMILAR (half of the character pairs); DIFFERS."""
    if x == y:
        return Relation.EQUAL
    short, long = (x, y) if len(x) <= len(y) else (y, x)
    if len(short) >= 2 and short in long:
        return Relation.CONTAINS
    return Relation.SIMILAR if dice(x, y) >= _ALIKE else Relation.DIFFERS


@lru_cache(maxsize=65536)
def grams(text: str) -> frozenset[str]:
    """The pairs of neighbouring characters, with the first character on its own."""
    return frozenset([text[:1], *(text[i : i + 2] for i in range(len(text) - 1))])


def dice(x: str, y: str) -> float:
    """Sørensen-Dice coefficient of the character pairs, 0..1."""
    left, right = grams(x), grams(y)
    return 2 * len(left & right) / (len(left) + len(right))
