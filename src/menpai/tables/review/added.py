"""Columns that menpai added to a table, which may have had others of the same names."""

from __future__ import annotations

from collections.abc import Callable

from menpai.tables.entries import cell_text
from menpai.tables.table import Row, Table
from menpai.verdict import LABELS


def bare(name: str) -> str:
    """The name of an added column; where the table had one of that name, `menpai_` stands before it."""
    while name.startswith("menpai_"):
        name = name.removeprefix("menpai_")
    return name


def added(table: Table, *names: str) -> list[int]:
    """The places of columns that menpai added: the last of each name."""
    found = [bare(name) for name in table.columns]
    return [len(found) - 1 - found[::-1].index(name) for name in names]


def marks(table: Table) -> Callable[[Row], bool | None]:
    """Tells of a row whether `--max-error` marked it for people; None in a table that was made without it."""
    if "review" not in map(bare, table.columns):
        return lambda row: None
    (at,) = added(table, "review")
    return lambda row: is_true(row.cells[at])


def judged(row: Row, label: int, similarity: int) -> tuple[str, float] | None:
    """Label and similarity of a row; None for a row with a problem, or without them."""
    if row.problem is not None:
        return None
    name, number = cell_text(row.cells[label]), cell_text(row.cells[similarity])
    try:
        value = float(number)
    except ValueError:
        return None
    return (name, value) if name in LABELS and 0 <= value <= 1 else None


def is_true(cell: object) -> bool:
    """A truth value as tables hold it."""
    return cell_text(cell).casefold() in ("true", "1")
