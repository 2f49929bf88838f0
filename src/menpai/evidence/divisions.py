"""Divisions compared by code: a prefix is a parent, so one common prefix says how far two addresses agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from menpai.address import DIVISION_LEVELS
from menpai.evidence.relation import Relation
from menpai.evidence.side import Divided
from menpai.verdict import Conflict

_DIGITS = {"province": 2, "city": 4, "district": 6, "town": 9}
# 北京, 天津, 上海, 重庆 (and Hong Kong, Macau) are province and city in one: digits 3-4 mean nothing there.
_MUNICIPALITIES = frozenset({"11", "12", "31", "50", "81", "82"})


@dataclass(frozen=True, slots=True)
class CommonDivision:
    """The finest division that both name, the relation on each level, and the coarsest contradiction."""

    level: str
    relations: dict[str, Relation]
    texts: dict[str, tuple[str, str]]
    conflict: Conflict | None


@lru_cache(maxsize=4096)
def common_division(a: Divided, b: Divided) -> CommonDivision:
    """Compare the best-fitting pair of possible units (a bare 朝阳区 may be in Beijing or Changchun).

    The answer is shared by all pairs of such divisions: read it, don't write to it.
    """
    written = [dict(side.written) for side in (a, b)]
    codes = _trusted(_best_codes(a, b), written)
    relations: dict[str, Relation] = {}
    texts: dict[str, tuple[str, str]] = {}
    level = "none"
    apart = ""
    for kind in DIVISION_LEVELS:
        text = tuple([w.get(kind, "") for w in written])
        part = [_prefix(code, kind) for code in codes]
        if part[0] and part[1]:
            if part[0] == part[1]:
                level = kind
                if text[0] or text[1]:
                    relations[kind] = Relation.EQUAL if text[0] and text[1] else Relation.MISSING
            else:
                apart = apart or kind
                relations[kind] = Relation.DIFFERS
        elif text[0] and text[1]:
            same = text[0] == text[1]
            relations[kind] = Relation.EQUAL if same else Relation.DIFFERS
            if same and not apart:
                level = kind
            apart = apart or ("" if same else kind)
        elif text[0] or text[1]:
            relations[kind] = Relation.MISSING
        texts[kind] = (text[0], text[1])
    conflict = _conflict(apart, relations, texts, a, b)
    for kind, relation in relations.items():
        if relation == Relation.DIFFERS:
            texts[kind] = _quoted(kind, texts, a, b)
    return CommonDivision(level, relations, texts, conflict)


def _conflict(
    apart: str, relations: dict[str, Relation], texts: dict[str, tuple[str, str]], a: Divided, b: Divided
) -> Conflict | None:
    """The coarsest level on which the two differ and that both write, else the finest that differs."""
    if not apart:
        return None
    levels = [kind for kind in DIVISION_LEVELS if relations.get(kind) == Relation.DIFFERS]
    both = [kind for kind in levels if all(_written(kind, texts, side) for side in (0, 1))]
    kind = both[0] if both else levels[-1]
    return Conflict(kind, *_quoted(kind, texts, a, b))


def _trusted(codes: tuple[str, str], written: list[dict[str, str]]) -> tuple[str, str]:
    """The codes, but for a side that names a town alone and disagrees: many towns share a name, and the official
    list lacks some, so its code is a hint and no contradiction."""
    if _fits(*codes):
        return codes
    a, b = ("" if set(side) <= {"town"} else code for code, side in zip(codes, written, strict=True))
    return a, b


def _quoted(kind: str, texts: dict[str, tuple[str, str]], a: Divided, b: Divided) -> tuple[str, str]:
    """What each side says on a level on which they differ; with its parents where the names alone are equal."""
    names = [texts[kind][side] for side in (0, 1)]
    if kind == "city":
        names = [
            name or (texts["province"][side] if _written(kind, texts, side) else "")
            for side, name in enumerate(names)
        ]
    if names[0] == names[1]:
        names = ["", ""]
    return names[0] or _names(a), names[1] or _names(b)


def _written(kind: str, texts: dict[str, tuple[str, str]], side: int) -> bool:
    """Whether the side writes this level; a municipality's name stands for province and city."""
    if texts[kind][side]:
        return True
    return kind == "city" and texts["province"][side] in ("北京市", "天津市", "上海市", "重庆市")


def _names(side: Divided) -> str:
    return "".join([name for _, name in side.written])


def _prefix(code: str, kind: str) -> str:
    """The part of a code that names this level, or "" if the code ends above it."""
    digits = _DIGITS[kind]
    if len(code) < digits and not (kind == "city" and code[:2] in _MUNICIPALITIES and code):
        return ""
    return code[:2] if kind == "city" and code[:2] in _MUNICIPALITIES else code[:digits]


def _best_codes(a: Divided, b: Divided) -> tuple[str, str]:
    """The pair of possible units with the longest common prefix; compatible pairs first."""
    if not a.codes or not b.codes:
        return (a.codes[0] if a.codes else "", b.codes[0] if b.codes else "")
    pairs = product(a.codes, b.codes)
    return max(pairs, key=lambda pair: (_fits(*pair), _common(*pair)))


def _fits(x: str, y: str) -> bool:
    return x.startswith(y) or y.startswith(x)


def _common(x: str, y: str) -> int:
    """The number of leading digits that agree, counted in whole levels."""
    return max((n for n in (2, 4, 6, 9) if x[:n] == y[:n] and min(len(x), len(y)) >= n), default=0)
