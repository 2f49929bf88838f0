"""Tables as entries of a library: which column is what, by its usual names or as given, in which coordinate system.

Long because: what a column may be called, and what speaks for a coordinate system, stand beside what is made of them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

from menpai.errors import Problem, UsageError
from menpai.evidence.coordinates import CRS, to_wgs84
from menpai.search.ingest import Source
from menpai.search.values import Entry, Trouble
from menpai.tables.cells import unmarked
from menpai.tables.columns import (
    ADDRESSES,
    LIKE_IDS,
    LIKE_NAMES,
    find_address,
    find_column,
    find_given,
    find_like,
    find_optional,
)
from menpai.tables.readers import open_table
from menpai.tables.source import STDIN
from menpai.tables.table import ReadOptions, Row, Table

NAMES = ("name", "名称", "店名", "地点名称", "单位名称", "公司名称", "企业名称", "poi", "poiname", "title")
IDS = (
    "id",
    "编号",
    "编码",
    "代码",
    "序号",
    "uid",
    "uuid",
    "code",
    "addressid",
    "addrid",
    "poiid",
    "recordid",
)
LATITUDES = ("lat", "latitude", "纬度", "wgslat", "gcjlat", "bdlat", "latwgs84", "latgcj02", "latbd09", "y")
LONGITUDES = ("lng", "lon", "long", "longitude", "经度", "wgslng", "wgslon", "gcjlng", "gcjlon", "bdlng", "bdlon",
              "lngwgs84", "lonwgs84", "lnggcj02", "longcj02", "lngbd09", "lonbd09", "x")  # fmt: skip
WEIGHTS = ("weight", "权重", "热度", "popularity")
SYSTEMS = ("crs", "坐标系", "坐标系统")
# What in a column's or a file's name speaks for a system of coordinates.
_SIGNS = (
    ("bd09", re.compile(r"bd_?09|baidu|百度|(?<![a-z])bd(?=_?(?:lat|lng|lon))", re.IGNORECASE)),
    ("gcj02", re.compile(r"gcj|amap|gaode|tencent|高德|腾讯|国测|火星", re.IGNORECASE)),
    ("wgs84", re.compile(r"wgs|gps|4326|geonames|osm", re.IGNORECASE)),
)
ASSUMED = "wgs84"
_EARLY = 1000


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns and coordinate system as a person gave them; what is not given is found. `address` may be several
    names with commas between: their texts are joined. `payload`: the columns to keep beside (None: all others)."""

    address: str | None = None
    name: str | None = None
    id: str | None = None
    lat: str | None = None
    lon: str | None = None
    weight: str | None = None
    crs: str | None = None
    payload: tuple[str, ...] | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)


@dataclass(frozen=True, slots=True)
class Found:
    """The positions of columns in a table."""

    address: tuple[int, ...]
    name: int | None
    id: int | None
    lat: int | None
    lon: int | None
    weight: int | None
    crs: int | None
    payload: tuple[int, ...]


def read_sources(
    paths: Sequence[str], columns: Columns, note: Callable[[Problem], None] = lambda _: None
) -> Iterator[Source]:
    """Each table as a source, opened while it is read; `note` hears what had to be assumed."""
    if columns.crs is not None and columns.crs not in CRS:
        raise UsageError("crs_unknown", crs=columns.crs, known=", ".join(CRS))
    for path in paths:
        with open_table(path, columns.reading) as table:
            found = find_columns(table, columns)
            crs = coordinate_system(table, columns, found, note)
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
    return Source(table.name, _entries(table, found), coordinate_system(table, columns, found, note))


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


def find_columns(table: Table, columns: Columns) -> Found:
    """Which column is what; a table needs one for the address or one for the name."""

    def one(given: str | None, usual: Sequence[str]) -> int | None:
        return find_given(table, given) if given else find_optional(table, usual)

    name = one(columns.name, NAMES)
    if name is None:
        name = find_like(table, LIKE_NAMES)
    if columns.address:
        address = tuple(find_given(table, part) for part in columns.address.split(","))
    else:
        usual = find_address(table)
        if usual is None and name is None:
            usual = find_column(table, None, ADDRESSES, "address")
        address = () if usual is None else (usual,)
    lat, lon = one(columns.lat, LATITUDES), one(columns.lon, LONGITUDES)
    if (columns.lat or columns.lon) and (lat is None or lon is None):
        raise _half(table, lat is None)
    if lat is None or lon is None:
        lat = lon = None
    id_ = one(columns.id, IDS)
    if id_ is None:
        id_ = find_like(table, LIKE_IDS)
    if id_ is None:
        others = [at for at, column in enumerate(table.columns) if column.lower().endswith("_id")]
        id_ = others[0] if len(others) == 1 else None
    weight, crs = one(columns.weight, WEIGHTS), find_optional(table, SYSTEMS)
    used = {*address, name, id_, lat, lon, weight, crs if lat is not None else None}
    if columns.payload is None:
        payload = tuple(at for at in range(len(table.columns)) if at not in used)
    else:
        payload = tuple(find_given(table, column) for column in columns.payload)
    return Found(address, name, id_, lat, lon, weight, crs if lat is not None else None, payload)


def _half(table: Table, latitude: bool) -> UsageError:
    """That one of the two columns of coordinates was given and the other cannot be found."""
    zh, en, option = ("纬度", "latitude", "--lat") if latitude else ("经度", "longitude", "--lon")
    listed = ", ".join(table.columns[:20])
    return UsageError("column_not_found", path=table.name, what_zh=zh, what_en=en, columns=listed,
                      option=option, near_zh="", near_en="")  # fmt: skip


def coordinate_system(table: Table, columns: Columns, found: Found, note: Callable[[Problem], None]) -> str:
    """The coordinate system: as given, by a column of the rows, by a name that says so, else assumed and noted.

    Nothing else could tell: the systems lie some 500 m apart, and an address says no more than its district.
    """
    if found.lat is None or found.lon is None or found.crs is not None:
        return "wgs84"
    if columns.crs:
        return columns.crs
    names = (table.columns[found.lat], table.columns[found.lon], Path(table.name).name)
    for crs, sign in _SIGNS:
        if basis := next((name for name in names if sign.search(name)), None):
            note(Problem("crs_guessed", {"path": table.name, "crs": crs, "basis": basis}))
            return crs
    note(Problem("crs_assumed", {"path": table.name, "crs": ASSUMED}))
    return ASSUMED


def _entries(table: Table, found: Found) -> Iterator[Entry | Trouble]:
    """The rows as entries, or as what is wrong with them."""
    names = [table.columns[at] for at in found.payload]
    for row in table.rows:
        if row.problem is not None:
            yield Trouble(table.name, row.line, id_in(row, found), row.problem)
            continue
        yield from _entry(table.name, row, found, names)


def _entry(source: str, row: Row, found: Found, names: Sequence[str]) -> Iterator[Entry | Trouble]:
    """The entry of a row; a weight that is none is told beside it."""
    cells = row.cells
    text = "".join(cell_text(cells[at]) for at in found.address)
    name = "" if found.name is None else cell_text(cells[found.name])
    id_ = id_in(row, found)
    if not text and not name:
        yield Trouble(source, row.line, id_, Problem("row_without_address"))
        return
    weight = 1.0
    if found.weight is not None and cell_text(cells[found.weight]):
        weight = _number(cells[found.weight])
        if not 0 <= weight < 1e30:
            yield Trouble(
                source,
                row.line,
                id_,
                Problem("weight_invalid", {"weight": cell_text(cells[found.weight])[:40]}),
            )
            weight = 1.0
    lat, lon = point_in(cells, found)
    yield Entry(id_, text, name, lat, lon, weight, _payload(cells, found, names), row.line)


def point_in(cells: Sequence[Any], found: Found) -> tuple[float | None, float | None]:
    """Latitude and longitude, None where both cells are empty, NaN for what is no number."""
    if found.lat is None or found.lon is None:
        return None, None
    lat, lon = cells[found.lat], cells[found.lon]
    if (lat is None or lat == "") and (lon is None or lon == ""):
        return None, None
    point = _number(lat), _number(lon)
    crs = "" if found.crs is None else cell_text(cells[found.crs]).lower().replace("-", "")
    return to_wgs84(*point, crs) if crs in CRS and all(map(math.isfinite, point)) else point


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
        return unmarked(cell.strip())
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
