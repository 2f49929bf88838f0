"""Parse the addresses of a table: each row with the elements as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from menpai.address import DIVISION_LEVELS, Address
from menpai.errors import Problem
from menpai.parsing import styles
from menpai.parsing.completeness import completeness
from menpai.parsing.gazetteer import Gazetteer
from menpai.tables.table import Row

ELEMENTS = (
    "province", "city", "district", "town", "community", "village_group", "devzone", "road", "roadno", "poi",
    "subpoi", "building", "unit", "floor", "room",
)  # fmt: skip
_BATCH = 256
COLUMNS = (*ELEMENTS, "code", "level", "problem")
# What follows the columns of every other style: code of 12 digits, how far the address goes, what it lacks, which
# divisions disagree and which words look like slips.
JUDGED = ("code", "grade", "missing", "doubt", "problem")
STYLES: dict[str, tuple[str, ...]] = {
    "elements": COLUMNS,
    "fields": (*styles.FIELDS, *JUDGED),
    "line": ("standard", *JUDGED),
    "gbt": (*styles.GBT, *JUDGED),
}


def parse_rows(
    rows: Iterable[Row], column: int, parse: Callable[[Sequence[Any]], list[Address | Problem]]
) -> Iterator[tuple[Row, Address | Problem]]:
    """Each row with the reading of its address, or with what was wrong with the row or the address."""
    waiting = iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        answers = parse([(row.cells[column] or "") if row.problem is None else "" for row in batch])
        for row, answer in zip(batch, answers, strict=True):
            yield row, row.problem or answer


def cells_of(answer: Address | Problem) -> tuple[Any, ...]:
    """The cells of COLUMNS: divisions by official name, other elements as written, possible codes, level."""
    if isinstance(answer, Problem):
        return (*[None] * (len(COLUMNS) - 1), answer)
    codes = [division.code for division in answer.divisions]
    return (*(_cell(answer, kind) for kind in ELEMENTS), codes, answer.level, None)


def styled(
    answer: Address | Problem, style: str, convention: str | None = None, units: Gazetteer | None = None
) -> tuple[Any, ...]:
    """The cells of a style's columns; names are those of `units`, the convention the style's own if none is given."""
    if style == "elements":
        return cells_of(answer)
    if isinstance(answer, Problem):
        return (*[None] * (len(STYLES[style]) - 1), answer)
    written = written_out(answer, style, convention, units)
    whole = completeness(answer, units)
    return (*(cell or None for cell in written.values()), styles.code12(answer) or None, whole.grade,
            list(whole.missing) or None, doubts(answer) or None, None)  # fmt: skip


def doubts(address: Address) -> list[str]:
    """What a person should look at: 南山区 ≠ 南昌市 for a conflict, 清浦区 → 青浦区 for a likely slip."""
    conflicts = [f"{conflict.written} ≠ {conflict.against}" for conflict in address.conflicts]
    return conflicts + [f"{typo.written} → {typo.suggested}" for typo in address.corrections]


def written_out(
    address: Address, style: str, convention: str | None = None, units: Gazetteer | None = None
) -> dict[str, str]:
    """Column → text of a style other than elements."""
    if style == "line":
        return {"standard": styles.line(address, convention or "empty", units)}
    return (styles.fields if style == "fields" else styles.gbt)(address, convention or "repeat", units)


def _cell(address: Address, kind: str) -> str | list[str] | None:
    found = [e.value if kind in DIVISION_LEVELS else e.text for e in address.all(kind)]
    return (found[0] if len(found) == 1 else found) or None
