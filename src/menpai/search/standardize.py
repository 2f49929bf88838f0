"""Standardize: the one row of the library that an address means, or the reason why none can be named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from menpai.errors import Language, Problem
from menpai.search.search import JUDGED, Judge, Query, Ranked, rank
from menpai.search.values import Candidate
from menpai.search.view import View

CLEAR = 0.02
"How much better the best one must fit what the query says than the next that may be meant."
LIKE = 0.6
"How much of a query a row covers that is worth a look though it is judged another place."
SHOWN = 3


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
    """The best candidate if it is clearly the one: judged the same place, and no other row fits as well.

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
    if _label(found[0]) != "exact_match":
        level = best.verdict.level if best.verdict else "none"
        return Standardized(None, Problem("standard_area", {"id": best.id, "level": level}), shown)
    rivals = [one.candidate for one in found[1:] if _is_rival(one, found[0])]
    if rivals:
        gap = round(best.score - rivals[0].score, 3)
        why = Problem("standard_several", {"count": 1 + len(rivals), "gap": gap})
        return Standardized(None, why, (best, *rivals[: SHOWN - 1]))
    return Standardized(best)


def _is_rival(one: Ranked, best: Ranked) -> bool:
    """Whether another row may be meant too: the same place by its verdict, and as good a fit to what the query says."""
    return _label(one) == "exact_match" and one.depth <= best.depth and best.fit - one.fit < CLEAR


def _label(one: Ranked) -> str:
    """The verdict's label; a row that could not be judged is no match."""
    return one.candidate.verdict.label if one.candidate.verdict else "not_match"
