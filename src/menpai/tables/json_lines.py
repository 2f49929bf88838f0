"""JSON Lines: an object a line; the columns are the fields of the first lines, in their order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO

from menpai.errors import Problem, UsageError
from menpai.tables.cells import finite, to_json
from menpai.tables.columns import unique_names
from menpai.tables.output import text_writer
from menpai.tables.source import Source, escaped
from menpai.tables.table import ReadOptions, Row, Table, WriteOptions

SAMPLED = 1000


def read(source: Source, options: ReadOptions) -> Table:
    """The table of a JSON Lines text. A line that is no object is a row with a problem."""
    entries = _entries(source.text_lines(options.encoding), source)
    early = list(islice(entries, SAMPLED))
    columns = tuple(
        dict.fromkeys(chain.from_iterable(value for _, value in early if isinstance(value, dict)))
    )
    if not columns:
        raise UsageError("table_empty", path=source.name)
    rows = (_row(line, value, columns) for line, value in chain(early, entries))
    return Table(source.name, source.suffix, columns, rows)


class Writer:
    """Writes each row as one JSON object in the order of the columns."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], options: WriteOptions) -> None:
        encoding = options.encoding or "utf-8"
        self._text = text_writer(stream, encoding)
        # What another encoding lacks must be escaped as JSON does it.
        self._ascii = not encoding.lower().startswith("utf")
        self._columns, self._language = unique_names(columns), options.language

    def write(self, cells: Sequence[Any]) -> None:
        """One row; verdicts keep the shape they have everywhere."""
        values = [to_json(cell, self._language) for cell in cells]
        row = dict(zip(self._columns, values, strict=True))
        self._text.write(self._line(row) + "\n")

    def _line(self, row: dict[str, Any]) -> str:
        try:
            return json.dumps(row, ensure_ascii=self._ascii, allow_nan=False)
        except ValueError:
            return json.dumps(finite(row), ensure_ascii=self._ascii)

    def finish(self) -> None:
        """Hand everything to the stream, which stays open."""
        self._text.detach()

    def abandon(self) -> None:
        """Nothing is held that would outlive this."""


def _entries(lines: Iterator[str], source: Source) -> Iterator[tuple[int, dict[str, Any] | Problem]]:
    """Line number and object, or what is wrong with the line; blank lines are passed over."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            bad = escaped([line])
            yield number, Problem("row_undecodable", {"encoding": source.encoding}) if bad else _entry(line)


def _entry(line: str) -> dict[str, Any] | Problem:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Problem("row_not_json", {"reason": str(error)})
    return value if isinstance(value, dict) else Problem("row_not_json", {"reason": type(value).__name__})


def _row(line: int, value: dict[str, Any] | Problem, columns: tuple[str, ...]) -> Row:
    if isinstance(value, Problem):
        return Row(line, (None,) * len(columns), value)
    late = next((name for name in value if name not in columns), None)
    problem = Problem("row_late_field", {"field": late, "sampled": SAMPLED}) if late is not None else None
    return Row(line, tuple(value.get(name) for name in columns), problem)
