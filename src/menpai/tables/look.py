"""What a table holds, before anything is done with it: its columns and what they are taken for, its first rows, its length."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from menpai.errors import UsageError
from menpai.tables.columns import find_optional, find_pair
from menpai.tables.entries import cell_text
from menpai.tables.linkage.reading import PHONES
from menpai.tables.readers import open_table
from menpai.tables.roles import Columns, division_columns, find_columns
from menpai.tables.table import ReadOptions, Table

ROWS = 5
_CELL = 100
"Characters of a cell that are shown."


def look(path: str, sheet: str | None = None, most: int | None = None) -> dict[str, Any]:
    """The JSON of a look; raises UsageError for what cannot be read, and for a table of more than `most` rows."""
    with open_table(path, ReadOptions(sheet=sheet)) as table:
        found = {
            "columns": list(table.columns),
            "found": _found(table),
            "before": division_columns(table),
            "sheet": table.sheet,
            "sheets": _sheets(table),
        }
        first: list[Sequence[str]] = []
        rows = 0
        for row in table.rows:
            rows += 1
            if rows <= ROWS:
                first.append([cell_text(cell)[:_CELL] for cell in row.cells])
            if most is not None and rows > most:
                raise UsageError("job_too_long", limit=most)
        return found | {"first": first, "rows": rows}


def _found(table: Table) -> dict[str, str]:
    """The column for each role, as far as it is found by its name; addresses of a pair are `a` and `b`."""
    roles: dict[str, int | None] = {}
    with suppress(UsageError):
        roles["a"], roles["b"] = find_pair(table)
    with suppress(UsageError):
        found = find_columns(table, Columns())
        roles["address"] = found.address[0] if found.address else None
        roles |= {"name": found.name, "id": found.id, "lat": found.places.lat, "lon": found.places.lon}
        roles["phone"] = find_optional(table, PHONES)
    return {role: table.columns[at] for role, at in roles.items() if at is not None}


def _sheets(table: Table) -> list[str]:
    """All sheets of a workbook that hold a table, the one that is read first."""
    return [table.sheet, *(sheet.name for sheet in table.others())] if table.sheet else []
