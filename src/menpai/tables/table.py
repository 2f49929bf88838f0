"""A table as it streams by: its columns, and rows that carry what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from menpai.errors import Language, Problem


class Row(NamedTuple):
    """One record: the line on which it ends, a cell for each column, and why it cannot be used, if so."""

    line: int
    cells: tuple[Any, ...]
    problem: Problem | None = None


class Sheet(NamedTuple):
    """A sheet that goes along unread: its name and its rows of texts, numbers, dates and truth values."""

    name: str
    rows: Iterable[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A named table being read; `rows` can be walked once. Cells are texts, or JSON values in JSON Lines."""

    name: str
    format: str
    columns: tuple[str, ...]
    rows: Iterator[Row]
    sheet: str = ""
    "The sheet of a workbook that it is."
    others: Callable[[], Iterable[Sheet]] = field(default=tuple, compare=False)
    "The other sheets of the workbook."
    count: int | None = None
    "How many rows there are, or about so many, where that is known beforehand."


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a person may say about a table; None means: find out."""

    encoding: str | None = None
    delimiter: str | None = None
    header: bool = True
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How to write a table; `format` is used where the path has no ending, as for standard output."""

    format: str = ".csv"
    encoding: str | None = None
    raw_cells: bool = False
    language: Language = "en"
    added: int = 0
    "How many of the columns, the last ones, are answers of menpai."
    about: dict[str, Any] = field(default_factory=dict)
    "What a person should know about the run; it may be filled until the table is finished."
    sheet: str = ""
    "The name of the sheet in a workbook, and those that go along."
    others: Callable[[], Iterable[Sheet]] = tuple
    folder: Path | None = None
    "A folder for files that are needed meanwhile."
    key: str | None = None
    "The column that tells the rows of a database's table apart; None: their number."
    replace: bool = False
    "Let a database's table that was not made by menpai be replaced."
