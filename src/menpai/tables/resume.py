"""Rows in, answers out, chunk by chunk: those that a run before has done are taken from its journal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from menpai.errors import Problem
from menpai.tables.journal import Added, Chunk, Journal, Note, digest_of
from menpai.tables.table import Row

CHUNK = 1024
"Rows that are done, and can be lost, at a time."


class Writer(Protocol):
    """What takes the rows."""

    def write(self, cells: Sequence[Any]) -> None:
        """One row."""


class Feed:
    """Rows that can be given back."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = iter(rows)
        self._again: deque[Row] = deque()

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        return self._again.popleft() if self._again else next(self._rows)

    def give_back(self, rows: Iterable[Row]) -> None:
        """These come next, once more."""
        self._again.extend(rows)


def write_rows(
    feed: Feed,
    done: Iterator[tuple[Row, Added]],
    writer: Writer,
    journal: Journal,
    note: Note = lambda _: None,
) -> Iterator[bool]:
    """Write each row with its answer, and record it; whether each row had a problem.

    `done` answers the rows of the feed. What the journal knows is not asked of it.
    """
    before = 0
    for chunk, rows in _known(feed, journal):
        before += chunk.rows
        if chunk.answers is None:
            journal.passed(rows)
        else:
            _write(writer, rows, chunk.answers)
        yield from (at < chunk.problems for at in range(chunk.rows))
    if before:
        note(Problem("journal_resumed", {"rows": before}))
    while pairs := list(islice(done, CHUNK)):
        rows, answers = [row for row, _ in pairs], [cells for _, cells in pairs]
        _write(writer, rows, answers)
        journal.record(rows, answers)
        yield from (isinstance(cells[-1], Problem) for cells in answers)


def _known(feed: Feed, journal: Journal) -> Iterator[tuple[Chunk, list[Row]]]:
    """The chunks of the journal with their rows, as long as these read as they did then."""
    before = 0
    for chunk in journal.chunks():
        rows = list(islice(feed, chunk.rows))
        if len(rows) < chunk.rows or digest_of(rows) != chunk.digest:
            feed.give_back(rows)
            break
        before += chunk.rows
        yield chunk, rows
    journal.cut(before)


def _write(writer: Writer, rows: Sequence[Row], answers: Sequence[Added]) -> None:
    for row, cells in zip(rows, answers, strict=True):
        writer.write((*row.cells, *cells))
