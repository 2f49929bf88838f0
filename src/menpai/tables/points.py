"""Coordinates in tables: their columns by usual names, in which system they are, and what a row says in degrees."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from menpai.errors import Problem
from menpai.evidence.coordinates import to_wgs84
from menpai.tables.columns import find_like, find_optional
from menpai.tables.table import Table

LATITUDES = ("lat", "latitude", "纬度", "wgslat", "gcjlat", "bdlat", "latwgs84", "latgcj02", "latbd09", "y")
LONGITUDES = ("lng", "lon", "long", "longitude", "经度", "wgslng", "wgslon", "gcjlng", "gcjlon", "bdlng", "bdlon",
              "lngwgs84", "lonwgs84", "lnggcj02", "longcj02", "lngbd09", "lonbd09", "x")  # fmt: skip
POINTS = ("location", "lnglat", "lonlat", "latlng", "latlon", "latlong", "经纬度", "经纬度坐标", "坐标", "坐标点",
          "地理坐标", "coordinates", "coordinate", "point", "wkt", "geometry")  # fmt: skip
"Columns that hold both numbers; as in the answers of Gaode `location` is longitude, latitude."
SYSTEMS = ("crs", "坐标系", "坐标系统", "坐标系类型")
_WHOSE = "(?:百度|高德|腾讯|火星|gps|wgs84|gcj02|bd09|门店|店铺|地址|位置|地理)"
LIKE_LATITUDES = re.compile(f"{_WHOSE}?纬度(?:坐标|值)?")
LIKE_LONGITUDES = re.compile(f"{_WHOSE}?经度(?:坐标|值)?")
LIKE_POINTS = re.compile(f"{_WHOSE}(?:坐标|经纬度)")
# What in a column's, a file's or a cell's name speaks for a system of coordinates.
_SIGNS = (
    ("bd09", re.compile(r"bd_?-?09|baidu|百度|(?<![a-z])bd(?=_?(?:lat|lng|lon))", re.IGNORECASE)),
    ("gcj02", re.compile(r"gcj|amap|gaode|tencent|高德|腾讯|国测|火星", re.IGNORECASE)),
    ("wgs84", re.compile(r"wgs|gps|4326|4490|cgcs|geonames|osm|天地图", re.IGNORECASE)),
)
_GAODE = {"pname", "cityname", "adname"}
"Columns that points of Gaode have together."
ASSUMED = "wgs84"
_DEGREES = re.compile(
    r"([+-]?\d{1,3}(?:\.\d+)?)\s*(?:[°度]\s*(?:(\d{1,2}(?:\.\d+)?)\s*['′’分]\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|″|”|''|′′|秒))?)?)?"
)
_NORTH, _EAST = re.compile(r"[NS纬]", re.IGNORECASE), re.compile(r"[EW经]", re.IGNORECASE)
_MINUS = re.compile(r"[SW]|南纬|西经", re.IGNORECASE)
_WORDS = re.compile(r"[NSEW北南东西纬经:：\s]+", re.IGNORECASE)
_HAN = re.compile("[\u3400-\u9fff]+")
_WKT = re.compile(r"(?:SRID=\d+;)?\s*POINT\s*[ZM]*\s*\(([^()]*)\)", re.IGNORECASE)


class Places(NamedTuple):
    """The positions of columns of coordinates: of each number, or of one column that holds both."""

    lat: int | None = None
    lon: int | None = None
    both: int | None = None
    crs: int | None = None
    "Column that names the system row by row."
    name: str = ""
    "Name of the column that holds both."
    system: str | None = None
    "System that a person gave: of rows whose own cell is empty, too."


class Placed(NamedTuple):
    """What a row says: degrees (None for nothing), and the problem of what cannot be read."""

    lat: float | None = None
    lon: float | None = None
    problem: Problem | None = None


_NOWHERE = Placed()


def find_places(
    table: Table, lat: int | None, lon: int | None, both: int | None, system: str | None
) -> Places:
    """The columns of coordinates, those that were given and else those of usual names."""
    if both is None:
        lat = _named(table, LATITUDES, LIKE_LATITUDES) if lat is None else lat
        lon = _named(table, LONGITUDES, LIKE_LONGITUDES) if lon is None else lon
        if lat is None or lon is None:
            lat, lon, both = None, None, _named(table, POINTS, LIKE_POINTS)
    else:
        lat = lon = None
    crs = None if lat is None and both is None else find_optional(table, SYSTEMS)
    return Places(lat, lon, both, crs, "" if both is None else table.columns[both], system)


def _named(table: Table, usual: Sequence[str], like: re.Pattern[str]) -> int | None:
    found = find_optional(table, usual)
    return find_like(table, like) if found is None else found


def coordinate_system(table: Table, places: Places, note: Callable[[Problem], None]) -> str:
    """The coordinate system: as given, by a column of the rows, by a name that says so, else assumed and noted.

    Nothing else could tell: the systems lie some 500 m apart, and an address says no more than its district.
    """
    columns = [table.columns[at] for at in places[:3] if at is not None]
    if not columns or places.crs is not None:
        return "wgs84"
    if places.system:
        return places.system
    for name in (*columns, Path(table.name).name):
        if crs := system_in(name):
            note(Problem("crs_guessed", {"path": table.name, "crs": crs, "basis": name}))
            return crs
    if {name.lower() for name in table.columns} >= _GAODE:
        basis = ", ".join(sorted(_GAODE))
        note(Problem("crs_guessed", {"path": table.name, "crs": "gcj02", "basis": basis}))
        return "gcj02"
    note(Problem("crs_assumed", {"path": table.name, "crs": ASSUMED}))
    return ASSUMED


def system_in(text: str) -> str | None:
    """The coordinate system that a name speaks for, or None."""
    return next((crs for crs, sign in _SIGNS if sign.search(text)), None)


def place_in(cells: Sequence[Any], places: Places) -> Placed:
    """The coordinates of a row, in its source's system; in WGS-84 where a column names the system row by row."""
    if places.both is not None:
        written = cells[places.both]
        point = split_point(written, places.name)
        if point is None:
            # A column `location` may hold addresses.
            return Placed() if _is_text(written) else _unreadable(written)
    elif places.lat is None or places.lon is None or _is_empty(cells[places.lat], cells[places.lon]):
        return _NOWHERE
    else:
        point = read_degrees(cells[places.lat]), read_degrees(cells[places.lon])
        if not all(map(math.isfinite, point)):
            return _unreadable(cells[places.lat], cells[places.lon])
    if places.crs is None:
        return Placed(*point)
    named = _shown(cells[places.crs])
    crs = system_in(named) if named else places.system or ASSUMED
    if crs is None:
        return Placed(problem=Problem("crs_of_row", {"crs": named[:40]}))
    return _converted(point, crs)


def read_degrees(cell: Any) -> float:
    """Degrees of a number, of 30.27°N, or of 30°16′27″; NaN for what is none."""
    if isinstance(cell, bool):
        return math.nan
    try:
        return float(cell)
    except (TypeError, ValueError, OverflowError):
        pass
    text = str(cell)
    found = _DEGREES.fullmatch(_WORDS.sub("", text)) if len(text) < 60 else None
    if found is None:
        return math.nan
    whole, minutes, seconds = (float(part or 0) for part in found.groups())
    size = abs(whole) + minutes / 60 + seconds / 3600
    return -size if found[1].startswith("-") or _MINUS.search(text) else size


def split_point(cell: Any, name: str = "") -> tuple[float, float] | None:
    """(lat, lon) of a cell that holds both; None for what does not. Which comes first is told by N and E, else by the ranges of
    China, else by the column's name (longitude, if it says nothing)."""
    parts: Sequence[Any]
    if isinstance(cell, Mapping):
        values = {str(key).lower(): value for key, value in cell.items()}
        parts = [
            next((values[key] for key in keys if key in values), None) for keys in (LONGITUDES, LATITUDES)
        ]
    elif isinstance(cell, list | tuple):
        parts = list(cell)
    else:
        parts = _parts(str(cell or ""))
    if len(parts) < 2 or len(parts) > 3:
        return None
    first, second = read_degrees(parts[0]), read_degrees(parts[1])
    if not (math.isfinite(first) and math.isfinite(second)):
        return None
    a, b = str(parts[0]), str(parts[1])
    latitude_first = bool(_NORTH.search(a) or _EAST.search(b))
    if not latitude_first and not (_EAST.search(a) or _NORTH.search(b) or isinstance(cell, Mapping)):
        latitude_first = _in_china(first, second) or (
            not _in_china(second, first) and re.match(r"lat|纬", name, re.IGNORECASE) is not None
        )
    return (first, second) if latitude_first else (second, first)


def _parts(text: str) -> list[str]:
    """The two numbers of a text, as they are written."""
    if len(text) > 120:
        return []
    if wkt := _WKT.fullmatch(text.strip()):
        return wkt[1].split()
    text = text.strip().strip("()[]（）【】 ")
    for between in (r"[,，;；|、]", r"\s+|/", r"(?<=[NSEW秒度″\"])(?=[东西南北NSEW])"):
        pieces = [piece for piece in re.split(between, text) if piece.strip()]
        if len(pieces) > 1:
            return pieces
    return []


def _in_china(lat: float, lon: float) -> bool:
    return 3 <= lat <= 54 and 73 <= lon <= 136


def _converted(point: tuple[float, float], crs: str) -> Placed:
    """The point in WGS-84; of numbers that were exchanged too, which stay so: whoever takes them in tells it."""
    lat, lon = point
    if _in_china(lon, lat):
        lon, lat = to_wgs84(lon, lat, crs)
        return Placed(lat, lon)
    return Placed(*to_wgs84(lat, lon, crs))


def _unreadable(*cells: Any) -> Placed:
    """The problem of cells that are no coordinates; none where nothing is written. Words, perhaps an address, are left out."""
    if _is_empty(*cells):
        return Placed()
    lat, lon = (_HAN.sub("…", _shown(cell))[:40] for cell in (*cells, "")[:2])
    return Placed(problem=Problem("point_unread", {"text": ", ".join(filter(None, (lat, lon)))}))


def _is_empty(*cells: Any) -> bool:
    return all(cell is None or cell == "" or not _shown(cell) for cell in cells)


def _is_text(cell: Any) -> bool:
    """Whether a cell says something in words."""
    return isinstance(cell, str) and _HAN.search(cell) is not None


def _shown(cell: Any) -> str:
    if cell is None:
        return ""
    return cell.strip() if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
