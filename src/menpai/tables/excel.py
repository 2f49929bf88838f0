"""Excel read with calamine: xlsx, xlsm, xlsb, xls, ods. Written it is in excel_writer.

A sheet is what a person sees: a title over the table is passed over, heads in several rows are joined, a merged cell
counts for all cells it covers, and a number is the text that it shows as.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import chain, islice
from typing import Any, NamedTuple

from menpai.errors import NotReadyError, UsageError, near
from menpai.tables.archive import check_archive
from menpai.tables.cells import Shown
from menpai.tables.source import Source
from menpai.tables.table import ReadOptions, Row, Sheet, Table

MOST_HEADS = 5  # rows that a head may take
Cells = tuple[str, ...]
# Row and column of the first cell, row and column of the last one.
Merge = tuple[tuple[int, int], tuple[int, int]]


class Line(NamedTuple):
    """A row of a sheet, counted from 0, and its texts."""

    number: int
    cells: list[str]

    @property
    def is_title(self) -> bool:
        """It says one thing only, in one cell or merged over the table."""
        return len({cell for cell in self.cells if cell}) == 1

    @property
    def names(self) -> bool:
        """It can belong to a head: what is data has a digit somewhere."""
        return not any(char.isdigit() for cell in self.cells for char in cell)


def read(source: Source, options: ReadOptions) -> Table:
    """The table of a sheet: the one that was asked for, else the first visible one that holds something."""
    stream = source.stream if source.stream.seekable() else io.BytesIO(source.stream.read())
    if source.sample.startswith(b"PK"):
        check_archive(stream, source.name)
    book = _open(stream, source.name)
    sheet = _sheet(book, source.name, options.sheet)
    merges = _merges(sheet)
    columns, rest = _head(_filled(sheet, merges), merges, options.header)
    if not columns:
        raise UsageError("table_empty", path=source.name)
    width = len(columns)
    rows = (Row(line.number + 1, (*line.cells[:width], *[""] * (width - len(line.cells)))) for line in rest)
    return Table(
        source.name,
        source.suffix,
        columns,
        rows,
        sheet.name,
        lambda: _others(book, sheet.name, source.name),
        sheet.height,
    )


def _others(book: Any, read_: str, name: str) -> Iterator[Sheet]:
    """The other sheets that hold something, as they stand."""
    calamine = _import("python_calamine", "python-calamine")
    for each in book.sheets_metadata:
        if each.name != read_ and each.typ == calamine.SheetTypeEnum.WorkSheet:
            sheet = _loaded(book, each.name, name)
            yield Sheet(each.name, sheet.iter_rows() if sheet.height else ())


def _open(stream: Any, name: str) -> Any:
    calamine = _import("python_calamine", "python-calamine")
    try:
        return calamine.CalamineWorkbook.from_filelike(stream)
    except calamine.PasswordError as error:
        raise UsageError("archive_refused", path=name, reason="a password") from error
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise UsageError("table_broken", path=name, format="Excel", reason=str(error)[:200]) from error


def _sheet(book: Any, name: str, asked: str | None) -> Any:
    """The sheet with a name or, counted from 1, a number."""
    calamine = _import("python_calamine", "python-calamine")
    names = list(book.sheet_names)
    if asked is not None:
        chosen = asked
        if asked not in names and asked.isascii() and asked.isdigit() and 1 <= int(asked) <= len(names):
            chosen = names[int(asked) - 1]
        if chosen not in names:
            listed = ", ".join(names[:20])
            raise UsageError(
                "sheet_unknown", path=name, sheet=asked[:40], sheets=listed, **near(asked, names)
            )
        return _loaded(book, chosen, name)
    visible, worksheet = calamine.SheetVisibleEnum.Visible, calamine.SheetTypeEnum.WorkSheet
    for each in book.sheets_metadata:
        if each.visible == visible and each.typ == worksheet:
            sheet = _loaded(book, each.name, name)
            if sheet.height:
                return sheet
    raise UsageError("table_empty", path=name)


def _loaded(book: Any, sheet: str, name: str) -> Any:
    calamine = _import("python_calamine", "python-calamine")
    try:
        return book.get_sheet_by_name(sheet)
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise UsageError("table_broken", path=name, format="Excel", reason=str(error)[:200]) from error


def _filled(sheet: Any, merges: Sequence[Merge]) -> Iterator[Line]:
    """Each row that holds something; a merged cell's text stands in all cells it covers."""
    if not sheet.height:
        return
    covering: list[tuple[Merge, str]] = []
    at = 0
    for number, values in enumerate(sheet.iter_rows()):
        cells = [_text(value) for value in values]
        covering = [each for each in covering if each[0][1][0] >= number]
        while at < len(merges) and merges[at][0][0] <= number:
            merge, left = merges[at], merges[at][0][1]
            at += 1
            if 0 <= left < len(cells):
                covering.append((merge, cells[left]))
        for ((_, left), (_, right)), text in covering:
            stop = min(right + 1, len(cells))
            cells[left:stop] = [text] * (stop - left)
        if any(cells):
            yield Line(number, cells)


def _merges(sheet: Any) -> list[Merge]:
    """The merged cells from top to bottom, their columns counted from the first one that the rows have."""
    first = sheet.start[1] if sheet.start else 0
    found = sheet.merged_cell_ranges or ()
    return sorted(((top, left - first), (bottom, right - first)) for (top, left), (bottom, right) in found)


def _head(lines: Iterator[Line], merges: Sequence[Merge], header: bool) -> tuple[Cells, Iterator[Line]]:
    """The columns' names, and the rows below them."""
    early = list(islice(lines, MOST_HEADS + 2))
    while len(early) > 1 and header and early[0].is_title and not early[1].is_title:
        del early[0]
    if not early:
        return (), lines
    if not header:
        return tuple(str(at) for at in range(1, len(early[0].cells) + 1)), chain(early, lines)
    heads = [early.pop(0)]
    sure, last = _last_head(heads[0], merges)
    while early and len(heads) < MOST_HEADS and _heads_too(early[0], sure, last):
        heads.append(early.pop(0))
        also, more = _last_head(heads[-1], merges)
        sure, last = max(sure, also), max(last, more)
    return _names([line.cells for line in heads]), chain(early, lines)


def _heads_too(line: Line, sure: int, last: int) -> bool:
    """Whether a row belongs to the head: a cell of the head reaches down to it, or may have it below and it looks so."""
    return line.number <= sure or (line.number <= last and line.names)


def _last_head(line: Line, merges: Sequence[Merge]) -> tuple[int, int]:
    """The last row of the head that this row is in: surely, where its merged cells end; perhaps, one row below those side
    by side."""
    mine = [
        (bottom, bottom + (right > left)) for (top, left), (bottom, right) in merges if top == line.number
    ]
    return (
        max((bottom for bottom, _ in mine), default=line.number),
        max((end for _, end in mine), default=line.number),
    )


def _names(heads: Sequence[Sequence[str]]) -> Cells:
    """A name for each column: the lowest of its heads; with those above it where that alone is not enough."""
    width = max(map(len, heads))
    stacks = [
        list(dict.fromkeys(" ".join(head[at].split()) for head in heads if at < len(head) and head[at]))
        for at in range(width)
    ]
    lowest = [stack[-1] if stack else "" for stack in stacks]
    return tuple(
        "/".join(stack) if lowest.count(name) > 1 and name else name or str(at)
        for at, (stack, name) in enumerate(zip(stacks, lowest, strict=True), 1)
    )


def _text(value: Any) -> str:
    """What a cell shows, as text that keeps the value: a whole number without its point, a date as ISO 8601 has it."""
    if isinstance(value, str):
        return value.strip()
    return Shown(_shown(value), value) if value is not None else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ") if value.time() != datetime.time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def _import(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package=package, extra="excel") from error
