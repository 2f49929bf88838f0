"""A table as it streams by: its columns, and rows that carry what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from menpai.errors import Language, Problem


class Row(NamedTuple):
    """One record: the line on which it ends, a cell for each column, and why it cannot be used, if so."""

    line: int
    cells: tuple[Any, ...]
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A named table being read; `rows` can be walked once. Cells are texts, or JSON values in JSON Lines."""

    name: str
    format: str
    columns: tuple[str, ...]
    rows: Iterator[Row]


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
