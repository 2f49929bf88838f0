"""Standardize: the one row of the library that an address means, or the reason why none can be named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from menpai.address import LEVEL_OF, LEVELS
from menpai.errors import Language, Problem
from menpai.parsing import parse
from menpai.search.question import read_question
from menpai.search.search import JUDGED, Judge, Query, Ranked, rank
from menpai.search.values import Candidate
from menpai.search.view import View
from menpai.text import normalize

CLEAR = 0.02
"How much better the best one must fit what the query says than the next that may be meant."
LIKE = 0.6
"How much of a query a row covers that is worth a look though it is judged another place."
SHOWN = 3
_BESIDE = frozenset(("unit", "floor", "room", "assist"))
# What lies there is not the place itself, but what stands opposite, behind, or beside it.
_ELSEWHERE = re.compile("对|隔壁|邻|[东西南北前后左右]")


@dataclass(frozen=True, slots=True)
class Standardized:
    """The row that a query means; or None, `problem` says why, and `rivals` are what comes closest, best first."""

    candidate: Candidate | None
    problem: Problem | None = None
    rivals: tuple[Candidate, ...] = ()

    def to_dict(self, language: Language = "en") -> dict[str, Any]:
        """The JSON shape: {"candidate"}, or {"problem", "rivals"} without one."""
        if self.candidate is not None:
            return {"candidate": self.candidate.to_dict()}
        why = self.problem.to_dict(language) if self.problem else {}
        return {**why, "rivals": [rival.to_dict() for rival in self.rivals]}


def standardize(view: View, query: Query, judge: Judge, *, radius: float | None = None) -> Standardized:
    """The best candidate if it is clearly the one: judged the same place (or going as far, with nothing against it, where
    one side adds a room or a remark), and no other row fits as well.

    Else `problem` is standard_none (nothing like it), standard_doubt (written much alike, but judged another place),
    standard_area (only the same area, such as another number of the road) or standard_several. A row that goes into
    more detail than the best one is no rival of it.
    """
    found = rank(view, query, JUDGED, judge=judge, radius=radius)
    shown = tuple(one.candidate for one in found[:SHOWN])
    if not found or (_label(found[0]) == "not_match" and found[0].fit < LIKE):
        return Standardized(None, Problem("standard_none"), shown)
    best = found[0].candidate
    if _label(found[0]) == "not_match":
        return Standardized(None, Problem("standard_doubt", {"id": best.id}), shown)
    written = read_question(query).written
    if not _is_same(found[0], written):
        level = best.verdict.level if best.verdict else "none"
        return Standardized(None, Problem("standard_area", {"id": best.id, "level": level}), shown)
    rivals = [one.candidate for one in found[1:] if _is_rival(one, found[0]) and _is_same(one, written)]
    if rivals:
        gap = round(best.score - rivals[0].score, 3)
        why = Problem("standard_several", {"count": 1 + len(rivals), "gap": gap})
        return Standardized(None, why, (best, *rivals[: SHOWN - 1]))
    return Standardized(best)


def _is_rival(one: Ranked, best: Ranked) -> bool:
    """Whether another row may be meant too, if it is the same place: it fits as well what the query says."""
    return one.depth <= best.depth and best.fit - one.fit < CLEAR


def _is_same(one: Ranked, written: str) -> bool:
    """Whether a row is the same place as what was written: by its verdict; or it is judged a part of it without any conflict,
    and both end with the same element, so that only a room or a remark is left over (某村 and 某村1304室)."""
    verdict = one.candidate.verdict
    if verdict is None or verdict.label != "partial_match" or verdict.conflicts:
        return _label(one) == "exact_match"
    record = one.candidate.record
    end = _end(written)
    return end is not None and end[0] == verdict.level and end == _end(record.text + record.name)


def _end(text: str) -> tuple[str, str] | None:
    """Level and words of the finest element, rooms and remarks left aside; None for what stands opposite another place, or says
    no more than its town."""
    elements = parse(normalize(text)).elements
    if any(
        each.kind == "distance" or (each.kind == "assist" and _ELSEWHERE.search(each.text))
        for each in elements
    ):
        return None
    levels = [
        (LEVEL_OF.get(each.kind, each.kind), each.text) for each in elements if each.kind not in _BESIDE
    ]
    known = [(LEVELS.index(level), level, words) for level, words in levels if level in LEVELS]
    depth, level, words = max(known, default=(0, "", ""), key=lambda each: each[0])
    return (level, words) if depth > LEVELS.index("town") else None


def _label(one: Ranked) -> str:
    """The verdict's label; a row that could not be judged is no match."""
    return one.candidate.verdict.label if one.candidate.verdict else "not_match"
