"""The index part of nearby: rows with coordinates, sorted by the cell of a grid in which they lie.

A cell is 1/200 degree high and wide (at most 560 m). Its number is that of its row of cells, then of its column, so a
window of cells is one stretch of the list for each of its rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.search.columns import open_numbers, save_numbers
from menpai.search.keys.postings import expand
from menpai.search.segment import DEGREE, UNKNOWN, Segment

NAME = "grid"
VERSION = 1
CELL = DEGREE // 200
_COLUMNS = 360 * DEGREE // CELL + 1
METRES_PER_DEGREE = 111_195.0
"On the sphere of `evidence.coordinates`, rounded."


class Grid(NamedTuple):
    """Cells ascending, and the row in each place; a cell with several rows has several places."""

    cells: NDArray[np.uint32]
    rows: NDArray[np.uint32]

    def window(self, low: tuple[float, float], high: tuple[float, float]) -> NDArray[np.int64]:
        """Rows in the cells from corner to corner (lat, lon in degrees), ascending within a row of cells."""
        (south, west), (north, east) = _cell(*low), _cell(*high)
        lines = np.arange(south, north + 1, dtype=np.int64) * _COLUMNS
        starts = np.searchsorted(self.cells, lines + west, "left")
        ends = np.searchsorted(self.cells, lines + east, "right")
        return self.rows[expand(starts, ends)].astype(np.int64)


def build(segment: Segment, folder: Path, progress: Callable[[float], None]) -> None:
    """Write the grid of a segment."""
    rows = np.flatnonzero(np.asarray(segment.lat) != UNKNOWN)
    lat, lon = (np.asarray(values)[rows].astype(np.int64) for values in (segment.lat, segment.lon))
    cells = ((lat + 90 * DEGREE) // CELL * _COLUMNS + (lon + 180 * DEGREE) // CELL).astype(np.uint32)
    order = np.argsort(cells, kind="stable")
    save_numbers(folder, "cells", cells[order])
    save_numbers(folder, "rows", rows[order].astype(np.uint32))
    progress(1.0)


def open(segment: Segment, folder: Path) -> Grid:
    """The grid."""
    cells, rows = open_numbers(folder, "cells"), open_numbers(folder, "rows")
    if cells is None or rows is None:
        raise FileNotFoundError(folder)
    return Grid(cells, rows)


def _cell(lat: float, lon: float) -> tuple[int, int]:
    """Row and column of the cell of a point, within the grid."""
    lat, lon = min(max(lat, -90.0), 90.0), min(max(lon, -180.0), 180.0)
    return math.floor((lat + 90) * DEGREE) // CELL, math.floor((lon + 180) * DEGREE) // CELL
