"""A pair with all that helps to decide it: how both texts are read, where they part, and what menpai says and why."""

from __future__ import annotations

from typing import Any, NamedTuple

from menpai.address import Address, Element
from menpai.errors import Language, Problem, UsageError
from menpai.matcher import Matcher
from menpai.tables.review.differences import ALONE, marks_of
from menpai.tables.review.pair import Pair
from menpai.verdict import Verdict


class Explained(NamedTuple):
    """A pair, the verdict on its texts as they stand, their readings (or why there is none), and marks on either."""

    pair: Pair
    verdict: Verdict | None
    readings: tuple[Address | Problem, Address | Problem]
    marks: tuple[dict[Element, str], dict[Element, str]]

    def to_dict(self, language: Language) -> dict[str, Any]:
        """The JSON of the page: what stands in the file as `judged`, readings as `parse --json` gives them."""
        pair = self.pair
        sides = zip((pair.a, pair.b), (pair.id_a, pair.id_b), self.readings, self.marks, strict=True)
        return {
            "key": pair.key,
            "judged": {"label": pair.label, "similarity": pair.similarity, "joined": pair.joined},
            "verdict": self.verdict and self.verdict.to_dict(),
            "sides": [_side(*side, language) for side in sides],
        }


def explain(pair: Pair, matcher: Matcher) -> Explained:
    """The pair, read and judged anew; a side that cannot be read keeps its text alone."""
    (verdict,) = matcher.match_many([(pair.a, pair.b)])
    a, b = (_read(text, matcher) for text in (pair.a, pair.b))
    if isinstance(verdict, Problem) or isinstance(a, Problem) or isinstance(b, Problem):
        return Explained(pair, None, (a, b), ({}, {}))
    return Explained(pair, verdict, (a, b), marks_of(a, b, verdict.conflicts))


def _read(text: str, matcher: Matcher) -> Address | Problem:
    try:
        return matcher.parse(text)
    except UsageError as error:
        return Problem(error.code, error.details)


def _side(
    text: str, id_: str, reading: Address | Problem, marks: dict[Element, str], language: Language
) -> dict[str, Any]:
    if isinstance(reading, Problem):
        return {"id": id_, "raw": text, **reading.to_dict(language)}
    told = reading.to_dict()
    for element, shown in zip(reading.elements, told["elements"], strict=True):
        shown["alone"] = marks.get(element) == ALONE
    return {"id": id_, **told}
