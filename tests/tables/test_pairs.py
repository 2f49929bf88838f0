"""Rows are judged in order, lazily, and a broken row keeps its place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice

from menpai.errors import Problem
from menpai.matcher import Matcher
from menpai.tables.pairs import COLUMNS, EXPLAINED, cells_of, judge
from menpai.tables.table import Row
from menpai.verdict import Verdict

RAGGED = Problem("row_ragged", {"expected": 3, "found": 2})


def numbered() -> Iterator[Row]:
    """Rows without end: house numbers that agree in every second row, and every seventh row broken."""
    for n in count():
        cells = (str(n), f"文三路{n + 1}号", f"文三路{n + 1 + n % 2}号")
        yield Row(n + 2, cells, RAGGED if n % 7 == 6 else None)


def test_rows_and_verdicts_belong_together() -> None:
    matcher = Matcher.open()
    for n, (row, answer) in enumerate(islice(judge(numbered(), matcher, 1, 2), 700)):
        assert row.cells[0] == str(n)
        if n % 7 == 6:
            assert answer is RAGGED
        else:
            assert isinstance(answer, Verdict)
            assert answer.probabilities == matcher.match(*row.cells[1:]).probabilities


def test_a_table_without_end_is_read_little_by_little() -> None:
    taken = 0

    def watched() -> Iterator[Row]:
        nonlocal taken
        for row in numbered():
            taken += 1
            yield row

    matcher = Matcher.open(threads=2)
    first = next(judge(watched(), matcher, 1, 2))
    assert first[0].cells[0] == "0"
    assert taken <= 2000


def test_cells_of_a_verdict_and_of_a_problem() -> None:
    verdict = Matcher.open().match("文三路1号", "文三路2号")
    row = dict(zip(EXPLAINED, cells_of(verdict, explained=True), strict=True))
    assert (row["label"], row["similarity"], row["problem"]) == (verdict.label, verdict.similarity, None)
    assert row["evidence"] == verdict.evidence
    assert cells_of(verdict) == tuple(row[name] for name in COLUMNS)
    assert cells_of(RAGGED) == (*[None] * (len(COLUMNS) - 1), RAGGED)
