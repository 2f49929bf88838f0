"""Excel written with XlsxWriter, row by row, for a person to read; nothing in it is run.

The head is frozen and filtered, columns are as wide as their texts, verdicts and clusters have colours, a second sheet
sums up, and the other sheets of the workbook that was read come along with their values.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from menpai.errors import NotReadyError, Problem, UsageError
from menpai.tables.cells import Shown, encodable, starts_formula, to_text
from menpai.tables.excel_style import CUT, OURS, SUMMARY, TITLES, Style, sheet_name, wide
from menpai.tables.table import Sheet, WriteOptions

MOST_ROWS = 1_048_576  # of a sheet
LONGEST_CELL = 32_767
_MEASURED = 500  # rows that tell how wide a column is
_EXACT = 10**15  # whole numbers that a sheet keeps


class Writer:
    """Writes a table as a sheet; a text stays a text, whatever it begins with, and however many digits it has."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], options: WriteOptions) -> None:
        made = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
        where = {"tmpdir": str(options.folder)} if options.folder else {}
        self._book = _import().Workbook(stream, {"constant_memory": True, **made, **where})
        self._style = Style(self._book)
        self._options, self._columns = options, columns
        self._sheet = self._book.add_worksheet(sheet_name(options.sheet or "menpai", ()))
        first = len(columns) - options.added
        self._roles = {
            name.removeprefix(OURS): at for at, name in enumerate(columns) if at >= first and options.added
        }
        self._row, self._cut = 0, 0
        self._widths = [wide(name) + 3 for name in columns]
        self._counts: dict[str, Counter[str]] = {"label": Counter(), "problem": Counter()}
        for at, name in enumerate(columns):
            self._sheet.write_string(0, at, encodable(name[:LONGEST_CELL]), self._style.head(at >= first))
        self._sheet.freeze_panes(1, 0)

    def write(self, cells: Sequence[Any]) -> None:
        """One row; raises UsageError when the sheet is full."""
        self._row += 1
        if self._row >= MOST_ROWS:
            raise UsageError("sheet_full", limit=MOST_ROWS)
        said = {name: cells[at] for name, at in self._roles.items()}
        self._count(said)
        colours = self._style.of_row(said)
        for name, at in self._roles.items():
            self._put(self._sheet, at, cells[at], colours.get(name, ""))
        for at in range(len(cells) - len(self._roles)):
            self._put(self._sheet, at, cells[at])

    def finish(self) -> None:
        """Write the sheets that follow and the file's end; the stream stays open."""
        if self._columns:
            self._sheet.autofilter(0, 0, self._row, len(self._columns) - 1)
            self._sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{self._row + 1}"})
        for at, width in enumerate(self._widths):
            self._sheet.set_column(at, at, min(width, 60))
        if self._options.added:
            self._sum_up()
        for sheet in self._options.others():
            self._copy(sheet)
        try:
            self._book.close()
        except import_module("xlsxwriter.exceptions").XlsxFileError as error:
            raise error.__context__ or error from None  # what the system said: no room, no permission

    def abandon(self) -> None:
        """Remove the rows that wait in a file of XlsxWriter's own."""
        self._book.fileclosed = True  # nothing is written any more
        for sheet in self._book.worksheets():
            waiting = sheet.row_data_fh
            if not waiting.closed:
                waiting.close()
            Path(sheet.row_data_filename).unlink(missing_ok=True)

    def _count(self, said: Mapping[str, Any]) -> None:
        if isinstance(said.get("label"), str):
            self._counts["label"][said["label"]] += 1
        if isinstance(said.get("problem"), Problem):
            self._counts["problem"][said["problem"].code] += 1

    def _put(self, sheet: Any, at: int, cell: Any, colour: str = "", row: int | None = None) -> None:
        """A cell as what it is: number, date, truth value, text."""
        row, place = self._row if row is None else row, sheet is self._sheet
        value = cell.value if isinstance(cell, Shown) else cell
        if place and self._row <= _MEASURED:
            self._widths[at] = max(self._widths[at], wide(to_text(cell, self._options.language)) + 2)
        if isinstance(value, bool) and isinstance(cell, Shown):
            sheet.write_boolean(row, at, value)
        elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _EXACT:
            sheet.write_number(row, at, value, self._style.number(value, colour, isinstance(cell, float)))
        elif isinstance(value, datetime.date | datetime.time) and _fits(value):
            sheet.write_datetime(row, at, value, self._style.date(value))
        elif text := encodable(to_text(cell, self._options.language)):
            self._cut += len(text) > LONGEST_CELL
            sheet.write_string(row, at, text[:LONGEST_CELL], self._style.text(colour, starts_formula(text)))

    def _sum_up(self) -> None:
        """The second sheet: rows, rows by label, problems by kind, and what is known about the run."""
        language = self._options.language
        sheet = self._book.add_worksheet(sheet_name(SUMMARY[language], self._names()))
        sheet.set_column(0, 0, 26)
        sheet.set_column(1, 1, 60)
        lines: list[tuple[str, Any]] = [(TITLES["rows"][language], self._row)]
        for kind, counts in self._counts.items():
            lines += [(f"{TITLES[kind][language]}: {name}", count) for name, count in counts.most_common()]
        lines += [
            (TITLES[name][language] if name in TITLES else name, value)
            for name, value in self._options.about.items()
        ]
        if self._cut:
            lines.append((CUT[language].format(limit=LONGEST_CELL), self._cut))
        for row, (name, value) in enumerate(lines):
            sheet.write_string(row, 0, name, self._style.head(False))
            self._put(sheet, 1, value, row=row)

    def _copy(self, sheet: Sheet) -> None:
        """A sheet of the workbook that was read: its values, not its looks."""
        made = self._book.add_worksheet(sheet_name(sheet.name, self._names()))
        for row, cells in enumerate(sheet.rows):
            for at, cell in enumerate(cells):
                self._put(made, at, Shown(str(cell), cell) if not isinstance(cell, str) else cell, row=row)

    def _names(self) -> list[str]:
        return [sheet.get_name() for sheet in self._book.worksheets()]


def _fits(value: datetime.date | datetime.time) -> bool:
    """Whether a sheet's calendar has it."""
    return isinstance(value, datetime.time) or value.year >= 1900


def _import() -> Any:
    try:
        return import_module("xlsxwriter")
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="xlsxwriter", extra="excel") from error
