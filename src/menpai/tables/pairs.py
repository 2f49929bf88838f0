"""Judge the rows of a table: each row with its verdict, in order, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from menpai.columnar import address_in
from menpai.errors import Problem
from menpai.tables.table import Row
from menpai.verdict import Verdict

COLUMNS = ("label", "similarity", "level", "conflicts", "decided_by", "problem")
EXPLAINED = (*COLUMNS[:-1], "probabilities", "evidence", "problem")


class Judge(Protocol):
    """The part of a Matcher that a table needs."""

    def match_iter(
        self, pairs: Iterable[tuple[Any, Any]], *, evidence: bool = True
    ) -> Iterator[Verdict | Problem]:
        """Verdicts in the order of the pairs."""


def judge(
    rows: Iterable[Row], judge: Judge, a: int, b: int, evidence: bool = False
) -> Iterator[tuple[Row, Verdict | Problem]]:
    """Each row with its verdict, or with what was wrong with the row or its addresses."""
    waiting: deque[Row] = deque()

    def pairs() -> Iterator[tuple[Any, Any]]:
        for row in rows:
            waiting.append(row)
            # A broken row keeps its place as an empty pair; its own problem replaces the answer below.
            yield ("", "") if row.problem else (address_in(row.cells[a]), address_in(row.cells[b]))

    for answer in judge.match_iter(pairs(), evidence=evidence):
        row = waiting.popleft()
        yield row, row.problem or answer


def cells_of(answer: Verdict | Problem, explained: bool = False) -> tuple[Any, ...]:
    """The cells that a verdict adds to its row; a problem leaves all others empty."""
    names = EXPLAINED if explained else COLUMNS
    if isinstance(answer, Problem):
        return (*[None] * (len(names) - 1), answer)
    return (*(getattr(answer, name) for name in names[:-1]), None)
