"""Links as people decided them: rows that are one place are joined whatever speaks against it, rows that are two never."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from menpai.errors import Problem
from menpai.matcher import Matcher
from menpai.tables.linkage.linking import Link, Links, joins_by
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.records import Records

Rows = Iterable[tuple[int, int]]
_UNKNOWN = Link(None, "not_match", 0.0, "none", (), None)


def decide(
    links: Links, left: Records, right: Records, matcher: Matcher, plan: Plan, same: Rows, different: Rows
) -> Links:
    """The links with pairs of rows (left, right) joined or kept apart. A left row whose right row was taken away gets the
    most similar one of those that it was compared with, that would join it and that is free. Of contradicting decisions on
    a pair, `same` holds."""
    desk = _Desk(links, left, right, plan)
    told = {a: b for a, b in same if a in links.rows and right.of_row[b] >= 0}
    desk.apart |= {(a, int(right.of_row[b])) for a, b in different if told.get(a) != b}
    for a, b in told.items():
        desk.give(a, b, matcher)
    for row in list(links.rows):
        if row not in told and desk.must_change(row):
            desk.choose(row)
    return links._replace(rows=desk.rows)


class _Desk:
    """Who has whom, while it changes."""

    def __init__(self, links: Links, left: Records, right: Records, plan: Plan) -> None:
        self.rows = dict(links.rows)
        self.apart: set[tuple[int, int]] = set()
        self._left, self._right, self._plan = left, right, plan
        self._given: dict[int, int] = {}  # right rows that people gave away: to which left row
        self._compared: dict[int, dict[int, Link]] = defaultdict(dict)
        for a, b, answer in links.pairs:
            self._compared[a][b] = answer
        self._rights = right.rows_of()

    def give(self, row: int, other: int, matcher: Matcher) -> None:
        """Join two rows; label and similarity stay those of the judge."""
        a, b = int(self._left.of_row[row]), int(self._right.of_row[other])
        answer = self._compared[a].get(b) or _judged(
            matcher, self._left.entities[a].address, self._right.entities[b].address
        )
        self.rows[row] = answer._replace(right=other, gap=None, review=False)
        self._given[other] = row

    def must_change(self, row: int) -> bool:
        """Whether a left row has what it may not have."""
        other = self.rows[row].right
        return other is not None and not self._may_have(row, other)

    def choose(self, row: int) -> None:
        """Give a left row the best that is left for it, or nothing."""
        a = int(self._left.of_row[row])
        best = sorted(self._compared[a].items(), key=lambda pair: (-pair[1].similarity, pair[0]))
        held = {link.right for at, link in self.rows.items() if at != row} if self._once(a) else set()
        for b, answer in best:
            free = [r for r in self._rights[b] if r not in held and self._may_have(row, r)]
            if free and joins_by(answer.label, self._plan):
                self.rows[row] = answer._replace(right=free[0])
                return
        self.rows[row] = (best[0][1] if best else self.rows[row])._replace(right=None)

    def _may_have(self, row: int, other: int) -> bool:
        a, b = int(self._left.of_row[row]), int(self._right.of_row[other])
        taken = self._given.get(other, row) != row and self._once(a)
        return not taken and (row, b) not in self.apart

    def _once(self, a: int) -> bool:
        """Whether what this left entity gets is given away."""
        named = bool(self._left.entities[a].name) and self._right.named
        return self._plan.assign == "one" or (self._plan.assign == "auto" and named)


def _judged(matcher: Matcher, a: str, b: str) -> Link:
    """What the judge says of a pair that was not compared, or was vetoed."""
    (answer,) = matcher.match_many([(a, b)], evidence=False)
    if isinstance(answer, Problem):
        return _UNKNOWN
    return Link(None, answer.label, answer.similarity, answer.level, answer.conflicts, None)
