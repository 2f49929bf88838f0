"""Tables and mappings as entries of a library, row by row."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from menpai.errors import Problem, UsageError
from menpai.evidence.coordinates import CRS
from menpai.search.ingest import Source
from menpai.search.values import Entry, Trouble
from menpai.tables.cells import unmarked
from menpai.tables.points import coordinate_system, place_in
from menpai.tables.readers import open_table
from menpai.tables.roles import Columns, Found, find_columns, tell_columns
from menpai.tables.source import STDIN
from menpai.tables.table import Row, Table

_EARLY = 1000


def read_sources(
    paths: Sequence[str], columns: Columns, note: Callable[[Problem], None] = lambda _: None
) -> Iterator[Source]:
    """Each table as a source, opened while it is read; `note` hears what had to be assumed."""
    if columns.crs is not None and columns.crs not in CRS:
        raise UsageError("crs_unknown", crs=columns.crs, known=", ".join(CRS))
    for path in paths:
        with open_table(path, columns.reading) as table:
            found = find_columns(table, columns)
            tell_columns(table, found, note)
            crs = coordinate_system(table, found.places, note)
            yield Source(table.name, _entries(table, found), crs)


def source_of(
    rows: Iterable[Mapping[str, Any]], columns: Columns, note: Callable[[Problem], None] = lambda _: None
) -> Source:
    """Mappings as a source, their keys being the columns (those of the first thousand)."""
    rest = map(_mapping, rows)
    early = list(islice(rest, _EARLY))
    names = tuple(dict.fromkeys(str(key) for row in early for key in row))
    cells = (
        Row(line, tuple(row.get(name) for name in names)) for line, row in enumerate(chain(early, rest), 1)
    )
    table = Table("rows", "", names, cells)
    if not names:
        return Source(table.name, ())
    found = find_columns(table, columns)
    tell_columns(table, found, note)
    return Source(table.name, _entries(table, found), coordinate_system(table, found.places, note))


def _mapping(row: Any) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise UsageError("library_row_not_mapping", type=type(row).__name__)
    return row


def plan_of(paths: Sequence[str], columns: Columns) -> dict[str, Any]:
    """What makes two runs the same build: the files as they are and the columns; {} where a source may change."""
    try:
        files = [(str(Path(path).resolve()), *_stamp(Path(path))) for path in paths if path != STDIN]
    except (OSError, ValueError):
        return {}
    return {"files": files, "columns": repr(columns)} if len(files) == len(paths) else {}


def _stamp(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _entries(table: Table, found: Found) -> Iterator[Entry | Trouble]:
    """The rows as entries, or as what is wrong with them."""
    names = [table.columns[at] for at in found.payload]
    told: list[Trouble] = []
    for row in table.rows:
        item = _entry(table.name, row, found, names, told)
        if told:
            yield from told
            told.clear()
        yield item


def _entry(source: str, row: Row, found: Found, names: Sequence[str], told: list[Trouble]) -> Entry | Trouble:
    """The entry of a row, or why it is none; a weight or a point that is none is told beside it."""
    id_ = id_in(row, found)
    if row.problem is not None:
        return Trouble(source, row.line, id_, row.problem)
    cells = row.cells
    name = "" if found.name is None else cell_text(cells[found.name])
    text = address_in(cells, found, name)
    if not text and not name:
        return Trouble(source, row.line, id_, Problem("row_without_address"))
    weight = 1.0
    if found.weight is not None and (written := cell_text(cells[found.weight])):
        weight = _number(cells[found.weight])
        if not 0 <= weight < 1e30:
            told.append(Trouble(source, row.line, id_, Problem("weight_invalid", {"weight": written[:40]})))
            weight = 1.0
    lat, lon, problem = place_in(cells, found.places)
    if problem is not None:
        told.append(Trouble(source, row.line, id_, problem))
    payload = _payload(cells, found, names) if names else ""
    return Entry(id_, text, name, lat, lon, weight, payload, row.line)


def address_in(cells: Sequence[Any], found: Found, name: str = "") -> str:
    """The address of a row, with what columns of divisions say before it where it does not say so itself."""
    text = "".join([cell_text(cells[at]) for at in found.address])
    for at in reversed(found.before):
        part = cell_text(cells[at])
        if (text or name) and part not in text and not part.isascii():
            text = part + text
    return text


def _number(cell: Any) -> float:
    try:
        return math.nan if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _payload(cells: Sequence[Any], found: Found, names: Sequence[str]) -> str:
    kept = {
        name: cells[at] for name, at in zip(names, found.payload, strict=True) if cells[at] not in ("", None)
    }
    return json.dumps(kept, ensure_ascii=False, default=str) if kept else ""


def id_in(row: Row, found: Found) -> str:
    """The id of a row, empty where there is none."""
    return "" if found.id is None or found.id >= len(row.cells) else cell_text(row.cells[found.id])


def cell_text(cell: Any) -> str:
    """A cell as text; a whole number of JSON or a spreadsheet without its point, and what `neutral` has marked without the
    mark, so that an id of an output of ours is the id that was read."""
    if isinstance(cell, str):
        text = cell.strip()
        return unmarked(text) if text[:1] == "'" else text
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
