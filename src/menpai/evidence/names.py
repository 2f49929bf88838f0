"""Names (roads, estates, places, communities): equal, one inside the other, alike, or different."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import add

from menpai.evidence.relation import Relation
from menpai.parsing.similar import TELLING, slip

_RANK = (Relation.DIFFERS, Relation.SIMILAR, Relation.CONTAINS, Relation.EQUAL)
_ALIKE = 0.5
# Characters that tell two namesakes apart: 东街 and 西街, 二厂 and 三厂, A区 and B区.
_TELLING = frozenset(
    "东西南北中内外上下前后左右新老大小一二三四五六七八九十0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)
# A slip in the first makes another name; between two of the others another kind of place.
UNTOLD = _TELLING | TELLING
TYPES = frozenset("支路街道巷弄村庄屯镇乡县区市省园苑城里坊店院校号期组队社")
_UNSLIPPED = UNTOLD | TYPES

# Roads and villages have short names in which each character counts.
_LAID = frozenset("路街道巷弄村庄屯")
# Institutions are called by a few of their characters: 二院, 师大附中, 农商行.
_INSTITUTION = re.compile("大学|学院|医院|中学|学校|银行|公司|集团|政府|公安")

_UNIVERSITIES = ("大学", "学院", "师院")
_AFFILIATED = re.compile("医院$|附属|附[中小院一二三]")


def relate_names(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """The best relation between a name of one side and a name of the other, and these two names."""
    if not a or not b:
        return Relation.MISSING, "".join(a), "".join(b)
    best = (Relation.DIFFERS, a[-1], b[-1])
    for x in a:
        for y in b:
            relation = relate_name(x, y)
            if _RANK.index(relation) > _RANK.index(best[0]):
                best = (relation, x, y)
    return best


def relate_rest(a: Sequence[str], b: Sequence[str]) -> tuple[Relation, str, str]:
    """How the names relate that no name of the other side equals, contains or stands in."""

    def related(x: str, others: Sequence[str]) -> bool:
        return any(relate_name(x, y) in (Relation.EQUAL, Relation.CONTAINS) for y in others)

    rest_a = [x for x in a if not related(x, b)]
    rest_b = [y for y in b if not related(y, a)]
    if not rest_a and not rest_b:
        return Relation.ABSENT, "", ""
    return relate_names(rest_a, rest_b)


def relate_name(x: str, y: str) -> Relation:
    """EQUAL, also but for a slip of the pen; CONTAINS (one stands in the other, or is the short name of an institution);
    SIMILAR (half of the character pairs, or characters left out); DIFFERS, also where both have a telling character
    that the other lacks (东/西, 二/三, A/B)."""
    if x == y:
        return Relation.EQUAL
    short, long = (x, y) if len(x) <= len(y) else (y, x)
    if len(short) >= 2 and short in long:
        return Relation.DIFFERS if _affiliated(short, long) else Relation.CONTAINS
    if slipped(short, long):
        return Relation.EQUAL
    left, right = _TELLING & set(x), _TELLING & set(y)
    if left - right and right - left:
        return Relation.DIFFERS
    if abbreviates(short, long):
        return Relation.CONTAINS if _INSTITUTION.search(long) else Relation.SIMILAR
    return Relation.SIMILAR if dice(x, y) >= _ALIKE else Relation.DIFFERS


def _affiliated(short: str, long: str) -> bool:
    """Whether one is a university and the other its hospital or school, which stands elsewhere: 武汉大学中南医院."""
    if not short.endswith(_UNIVERSITIES):
        return False
    return _AFFILIATED.search(long, long.find(short) + len(short)) is not None


@lru_cache(maxsize=4096)
def slipped(short: str, long: str) -> bool:
    """Whether two names are one but for a slip of the pen: of three characters or more, one is written for another of
    like sound or shape (two of five or more); of four or more, one is left out. Never a telling one: 康沈路, 康呻路."""
    if len(short) < 3 or len(long) - len(short) > 1:
        return False
    if len(short) < len(long):
        at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
        return long[at] not in _UNSLIPPED and short[at:] == long[at + 1 :]
    apart = [(a, b) for a, b in zip(short, long, strict=True) if a != b]
    if not 0 < len(apart) <= 1 + (len(short) > 4):
        return False
    return all(not _UNSLIPPED & {a, b} and slip(a, b) is not None for a, b in apart)


@lru_cache(maxsize=4096)
def abbreviates(short: str, long: str) -> bool:
    """Whether a name is the other with characters left out: of three or more (人社局, 师大附中; of a road or village only
    behind the same first one), or of two that stand for a university or hospital (矿大, 二院)."""
    if len(short) == 2:
        if short[1] not in "大院" or _INSTITUTION.search(long) is None:
            return False
    elif len(short) < 3 or (short[-1] in _LAID and short[0] != long[0]):
        return False
    if "中医" in short and "中医" not in long:
        return False
    rest = iter(long)
    return all(char in rest for char in short)


@lru_cache(maxsize=4096)
def grams(text: str) -> frozenset[str]:
    """The pairs of neighbouring characters, with the first character on its own."""
    return frozenset([text[:1], *map(add, text, text[1:])])


def dice(x: str, y: str) -> float:
    """Sørensen-Dice coefficient of the character pairs, 0..1."""
    return overlap(grams(x), grams(y))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """The same of two sets, 0..1."""
    return 2 * len(left & right) / (len(left) + len(right))
