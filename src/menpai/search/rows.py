"""Rows on their way into a segment: entries read (normalized, cut, placed, sorted) and written as columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from menpai.errors import Problem
from menpai.evidence.coordinates import metres
from menpai.parsing.centroids import centroid
from menpai.parsing.gazetteer import default
from menpai.search.columns import save_numbers, save_texts, save_varied
from menpai.search.points import to_wgs84
from menpai.search.reading import Cuts, Reader, Reading
from menpai.search.segment import DEGREE, UNKNOWN, Segment, open_segment
from menpai.search.values import Entry, Trouble
from menpai.text import normalize
from menpai.text.readable import find_problem

LONGEST = 1000
"Characters of an address or a name."
# How far from the centre of the unit that the address names a point may lie, in kilometres, by digits of its code.
_FARTHEST = {2: 2000.0, 4: 700.0, 6: 300.0, 9: 300.0}

_MANY = 10
_SURELY_NEAR = 1.0
"Degrees: less than the distances above."


class Row(NamedTuple):
    """An entry with what was read in it; lat and lon in WGS-84."""

    key: bytes
    name_key: bytes
    entry: Entry
    division: int = 0
    cuts: Cuts = ()
    point: tuple[float, float] | None = None


def read_rows(
    entries: Sequence[Entry], crs: str = "wgs84", source: str = "", reader: Reader | None = None
) -> tuple[list[Row], list[Trouble]]:
    """The rows sorted by key, name and id, and what was wrong with entries, which may have cost them their place."""
    reader = reader or Reader()
    troubles: list[Trouble] = []
    rows: list[Row] = []
    points = _points(entries, crs, source, troubles)
    # In the order of their texts, so that the reader meets what shares a beginning together.
    for at in sorted(range(len(entries)), key=lambda number: entries[number].text):
        row = _read(entries[at], points[at], reader)
        if isinstance(row, Row):
            far = _far(row)
            if far is not None:
                troubles.append(Trouble(source, row.entry.line, row.entry.id, far))
                row = row._replace(point=None)
            rows.append(row)
        else:
            troubles.append(Trouble(source, entries[at].line, entries[at].id, row))
    rows.sort(key=lambda row: (row.key, row.name_key, row.entry.id))
    troubles.sort(key=lambda trouble: trouble.line)
    return rows, troubles


def write_segment(path: Path, rows: Sequence[Row]) -> Segment:
    """The segment of sorted rows in a new folder."""
    path.mkdir(parents=True)
    entries = [row.entry for row in rows]
    ids = [entry.id.encode("utf-8", "replace") for entry in entries]
    points = [row.point or (None, None) for row in rows]
    save_texts(path, "keys", (row.key for row in rows))
    save_texts(path, "name_keys", (row.name_key for row in rows))
    save_texts(path, "ids", ids)
    save_texts(path, "raw_texts", (_unless(row.entry.text, row.key) for row in rows))
    save_texts(path, "raw_names", (_unless(row.entry.name, row.name_key) for row in rows))
    save_texts(path, "payloads", (entry.payload.encode("utf-8", "replace") for entry in entries))
    save_numbers(path, "id_order", np.array(sorted(range(len(ids)), key=ids.__getitem__), np.uint32))
    save_varied(path, "lat", np.array([_whole(lat) for lat, _ in points], np.int32), UNKNOWN)
    save_varied(path, "lon", np.array([_whole(lon) for _, lon in points], np.int32), UNKNOWN)
    save_varied(path, "weights", np.array([entry.weight for entry in entries], np.float32), 1)
    save_varied(path, "divisions", np.array([row.division for row in rows], np.uint32), 0)
    save_varied(path, "lines", np.array([entry.line for entry in entries], np.uint32), 0)
    save_numbers(path, "cut_at", np.cumsum([0, *(len(row.cuts) for row in rows)], dtype=np.uint32))
    save_numbers(path, "cut_ends", np.array([end for row in rows for end, _ in row.cuts], np.uint16))
    save_numbers(path, "cut_kinds", np.array([kind for row in rows for _, kind in row.cuts], np.uint8))
    return open_segment(path, len(rows))


def _read(entry: Entry, point: tuple[float, float] | None, reader: Reader) -> Row | Problem:
    """The row, or why it cannot be one."""
    reading = Reading("")
    if entry.text:
        problem = find_problem(entry.text, "", LONGEST)
        if problem is not None:
            return problem
        reading = reader.read(entry.text)
        if (length := len(reading.text)) > LONGEST:
            return Problem("address_too_long", {"side": "", "length": length, "limit": LONGEST})
    if (
        entry.name
        and (problem := find_problem(entry.name, "", LONGEST))
        and problem.code != "address_unreadable"
    ):
        return problem
    name = normalize(entry.name).text if entry.name else ""
    if not reading.text and not name:
        return Problem("row_without_address" if not entry.text else "address_unreadable", {"side": ""})
    return Row(reading.text.encode(), name.encode(), entry, reading.division, reading.cuts, point)


def _points(
    entries: Sequence[Entry], crs: str, source: str, troubles: list[Trouble]
) -> list[tuple[float, float] | None]:
    """Where each entry is, in WGS-84; latitude and longitude that were exchanged are put right and reported."""
    found: list[tuple[float, float] | None] = []
    for entry in entries:
        point, code = _usable(entry.lat, entry.lon)
        if code:
            details = {"lat": _short(entry.lat), "lon": _short(entry.lon)}
            troubles.append(Trouble(source, entry.line, entry.id, Problem(code, details)))
        found.append(point)
    placed = {at: point for at, point in enumerate(found) if point is not None}
    _sum_up_swapped(troubles, len(placed))
    if placed and crs != "wgs84":
        columns = np.array(list(placed.values()), np.float64)
        lat, lon = to_wgs84(columns[:, 0], columns[:, 1], crs)
        for at, y, x in zip(placed, lat.tolist(), lon.tolist(), strict=True):
            found[at] = (y, x)
    return found


def _short(degrees: float | None) -> float | None:
    """Degrees as a message shows them."""
    return degrees if degrees is None or not math.isfinite(degrees) else round(degrees, 6)


def _sum_up_swapped(troubles: list[Trouble], placed: int) -> None:
    """One trouble for all rows where nearly all were exchanged: the columns are, not the rows."""
    swapped = [trouble for trouble in troubles if trouble.problem.code == "point_swapped"]
    if len(swapped) < _MANY or len(swapped) < 0.9 * placed:
        return
    troubles[:] = [trouble for trouble in troubles if trouble.problem.code != "point_swapped"]
    first = swapped[0]
    troubles.append(first._replace(id="", problem=Problem("columns_swapped", {"count": len(swapped)})))


def _usable(lat: float | None, lon: float | None) -> tuple[tuple[float, float] | None, str]:
    """The point, and the code of what is wrong with it. China's latitudes (3–54) are no longitudes of it (73–136)."""
    if lat is None and lon is None:
        return None, ""
    if lat is None or lon is None or not (math.isfinite(lat) and math.isfinite(lon)):
        return None, "point_invalid"
    if 73 <= lat <= 136 and 3 <= lon <= 54:
        return (lon, lat), "point_swapped"
    if abs(lat) > 90 or abs(lon) > 180 or (lat == 0 and lon == 0):
        return None, "point_invalid"
    return (lat, lon), ""


def _far(row: Row) -> Problem | None:
    """Why the point cannot be where the address says, if so."""
    if row.point is None or not row.division:
        return None
    code = str(row.division)
    centre = centroid(code)
    if centre is None or all(abs(a - b) < _SURELY_NEAR for a, b in zip(row.point, centre, strict=True)):
        return None
    km = metres(row.point, centre) / 1000
    if km <= _FARTHEST[len(code)]:
        return None
    lat, lon = (round(degrees, 5) for degrees in row.point)
    name = default().division(code).name
    return Problem("point_far", {"lat": lat, "lon": lon, "km": round(km), "division": name})


def _unless(raw: str, key: bytes) -> bytes:
    """The raw text, or nothing where the key says the same."""
    text = raw.encode()
    return b"" if text == key else text


def _whole(degrees: float | None) -> int:
    return UNKNOWN if degrees is None else round(degrees * DEGREE)
