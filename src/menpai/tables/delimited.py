"""CSV and TSV: read with any usual delimiter, written so that a spreadsheet runs nothing."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, BinaryIO

from menpai.errors import Problem, UsageError
from menpai.tables.cells import neutral, to_text
from menpai.tables.output import text_writer
from menpai.tables.source import LINE_LIMIT, Source, escaped, unescaped
from menpai.tables.table import ReadOptions, Row, Table, WriteOptions

# Tried in this order on the first line; the first one is used where none occurs.
_DELIMITERS = {".csv": ",\t;|", ".tsv": "\t,;|", ".txt": "\t,;|"}


def read(source: Source, options: ReadOptions) -> Table:
    """The table of a delimited text. Rows of another length than the header carry a problem."""
    csv.field_size_limit(max(csv.field_size_limit(), LINE_LIMIT))
    lines = source.text_lines(options.encoding)
    first = next(lines, "")
    delimiter = options.delimiter or _sniff(first, source.suffix)
    records = _records(_Feed(chain([first], lines)), delimiter, source.name)
    line, header, _ = next(records, (0, [], False))
    if not header:
        raise UsageError("table_empty", path=source.name)
    if options.header:
        columns = tuple(name.strip() for name in header)
    else:
        columns = tuple(str(number) for number in range(1, len(header) + 1))
        records = chain([(line, header, False)], records)
    width = len(columns)
    rows = (
        _undecodable(_row(line, cells, width, delimiter), source.encoding)
        if bad
        else _row(line, cells, width, delimiter)
        for line, cells, bad in records
    )
    return Table(source.name, source.suffix, columns, rows)


class Writer:
    """Writes rows as CSV or TSV, by default CSV in UTF-8 with the mark that Excel needs."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], options: WriteOptions) -> None:
        comma = options.format == ".csv"
        self._text = text_writer(stream, options.encoding or ("utf-8-sig" if comma else "utf-8"))
        self._delimiter = "," if comma else "\t"
        # The csv module writes a lone CR without quotes when lines end with LF, and it would end the row.
        self._needs_quotes = re.compile(f'[{self._delimiter}"\r\n]').search
        self._options = options
        self._header: Sequence[str] = columns  # written with the first row: a table that fails leaves none

    def write(self, cells: Sequence[Any]) -> None:
        """One row; values become texts, and texts that a spreadsheet would run become harmless."""
        self._begin()
        self._write(cells)

    def finish(self) -> None:
        """Hand everything to the stream, which stays open."""
        self._begin()
        self._text.detach()

    def abandon(self) -> None:
        """Nothing is held that would outlive this."""

    def _begin(self) -> None:
        if self._header:
            self._write(self._header)
            self._header = ()

    def _write(self, cells: Sequence[Any]) -> None:
        texts = [to_text(cell, self._options.language) for cell in cells]
        if not self._options.raw_cells:
            texts = [neutral(text) for text in texts]
        line = self._delimiter.join(self._quoted(text) for text in texts)
        self._text.write((line or '""') + "\n")

    def _quoted(self, text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if self._needs_quotes(text) else text


def _sniff(line: str, suffix: str) -> str:
    order = _DELIMITERS.get(suffix, _DELIMITERS[".csv"])
    return next((char for char in order if char in line), order[0])


class _Feed:
    """Lines for a csv reader: it counts them, keeps those of the current record, and takes lines back."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.count, self.ended, self.kept = 0, False, list[str]()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.count += 1
        self.kept.append(line)
        return line

    def take_back(self) -> None:
        """Give all lines of the current record but its first once more."""
        again = self.kept[1:]
        self._lines, self.count, self.ended = chain(again, self._lines), self.count - len(again), False


def _records(feed: _Feed, delimiter: str, name: str) -> Iterator[tuple[int, list[str], bool]]:
    """Line number and cells of each record, and whether it has bytes of another encoding; no blank lines.

    A quote that is not closed is an error, but part of the text where tabs divide the cells: programs that
    write tabs seldom write quotes around cells.
    """
    reader = csv.reader(feed, delimiter=delimiter)
    tabs = delimiter == "\t"
    while True:
        feed.kept.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if not tabs or len(feed.kept) == 1:
                raise UsageError(
                    "table_line_too_long", path=name, line=feed.count, limit=LINE_LIMIT
                ) from error
            cells = []
        if cells is None:
            return
        if _is_doubtful(feed, tabs) and not _is_well_quoted(feed.kept, delimiter):
            if not tabs:
                raise UsageError("quote_open", path=name, line=feed.count - len(feed.kept) + 1)
            feed.take_back()
            cells = [_unquoted(cell) for cell in feed.kept[0].rstrip("\r\n").split("\t")]
        if cells:
            yield feed.count, cells, escaped(feed.kept)


def _is_doubtful(feed: _Feed, tabs: bool) -> bool:
    """Whether the quotes of a record need a look: it took several lines, or the end of input closed it."""
    return len(feed.kept) > 1 or feed.ended or (tabs and '"' in feed.kept[0])


def _is_well_quoted(lines: list[str], delimiter: str) -> bool:
    """Whether each quote that opens a cell is closed at the end of a cell."""
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def _unquoted(cell: str) -> str:
    """A cell without the quotes around it, if they are on both sides."""
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _row(line: int, cells: list[str], width: int, delimiter: str) -> Row:
    """The row in the table's width; what stands beyond it stays, joined, in the last cell."""
    found = len(cells)
    if found == width or (found > width and not any(cells[width:])):
        return Row(line, tuple(cells[:width]))
    kept, surplus = cells[: width - 1], cells[width - 1 :]
    fitted = [*kept, *[""] * (width - 1 - len(kept)), delimiter.join(surplus)]
    return Row(line, tuple(fitted), Problem("row_ragged", {"expected": width, "found": found}))


def _undecodable(row: Row, encoding: str) -> Row:
    """The row with its bytes as they read in another encoding, and the problem."""
    cells = tuple(unescaped(cell, encoding) for cell in row.cells)
    return Row(row.line, cells, Problem("row_undecodable", {"encoding": encoding}))
