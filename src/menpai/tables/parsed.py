"""Parse the addresses of a table: each row with the elements as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from menpai.address import DIVISION_LEVELS, Address
from menpai.errors import Problem, UsageError
from menpai.parsing import styles
from menpai.parsing.completeness import completeness
from menpai.tables.table import Row

ELEMENTS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno", "poi",
    "subpoi", "building", "unit", "floor", "room",
)  # fmt: skip
COLUMNS = (*ELEMENTS, "code", "level", "problem")
# What follows the columns of every other style: code of 12 digits, how far the address goes, what it lacks.
JUDGED = ("code", "grade", "missing", "problem")
STYLES: dict[str, tuple[str, ...]] = {
    "elements": COLUMNS,
    "fields": (*styles.FIELDS, *JUDGED),
    "line": ("standard", *JUDGED),
    "gbt": (*styles.GBT, *JUDGED),
}


def parse_rows(
    rows: Iterable[Row], column: int, parse: Callable[[Any], Address]
) -> Iterator[tuple[Row, Address | Problem]]:
    """Each row with the reading of its address, or with what was wrong with the row or the address."""
    for row in rows:
        yield row, row.problem or parsed(row.cells[column] or "", parse)


def parsed(text: Any, parse: Callable[[Any], Address]) -> Address | Problem:
    """The reading of a text; the error of a bad one as a value."""
    try:
        return parse(text)
    except UsageError as error:
        return Problem(error.code, error.details)


def cells_of(answer: Address | Problem) -> tuple[Any, ...]:
    """The cells of COLUMNS: divisions by official name, other elements as written, possible codes, level."""
    if isinstance(answer, Problem):
        return (*[None] * (len(COLUMNS) - 1), answer)
    codes = [division.code for division in answer.divisions]
    return (*(_cell(answer, kind) for kind in ELEMENTS), codes, answer.level, None)


def styled(answer: Address | Problem, style: str, convention: str | None = None) -> tuple[Any, ...]:
    """The cells of a style's columns; the convention is the style's own if none is given."""
    if style == "elements":
        return cells_of(answer)
    if isinstance(answer, Problem):
        return (*[None] * (len(STYLES[style]) - 1), answer)
    written = written_out(answer, style, convention)
    whole = completeness(answer)
    return (*(cell or None for cell in written.values()), styles.code12(answer) or None, whole.grade,
            list(whole.missing) or None, None)  # fmt: skip


def written_out(address: Address, style: str, convention: str | None = None) -> dict[str, str]:
    """Column → text of a style other than elements."""
    if style == "line":
        return {"standard": styles.line(address, convention or "empty")}
    return (styles.fields if style == "fields" else styles.gbt)(address, convention or "repeat")


def _cell(address: Address, kind: str) -> str | list[str] | None:
    found = [e.value if kind in DIVISION_LEVELS else e.text for e in address.all(kind)]
    return (found[0] if len(found) == 1 else found) or None
