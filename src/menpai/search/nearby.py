"""The nearest rows of a library to a point, and those within a radius of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from menpai.errors import UsageError
from menpai.evidence.coordinates import Point
from menpai.search import grid
from menpai.search.question import read_point, read_radius
from menpai.search.segment import DEGREE, Segment
from menpai.search.values import Candidate
from menpai.search.view import Shard, View

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
EARTH = 6371008.8
FIRST = 500.0
"Metres around the point that are looked at first; four times as many each time, until there are enough rows."
HALF = 100.0
"Metres at which a score is one half."
_HALF_ROUND = math.pi * EARTH


def nearby(
    view: View,
    lat: float,
    lon: float,
    k: int = 5,
    *,
    radius: float | None = None,
    crs: str | None = None,
) -> list[Candidate]:
    """The k nearest rows with coordinates, nearest first, within `radius` metres if given; of equals in their order.

    `score` falls with the distance: 1 at the point, one half at 100 m.
    """
    point = read_point(lat, lon, crs)
    if point is None:
        raise UsageError("coordinates_invalid", side="", reason="lat None")
    if k < 1:
        return []
    found = nearest(view, point, k, read_radius(radius))
    scores = [1 / (1 + distance / HALF) for _, _, distance in found]
    return [
        Candidate(shard.segment.record(row), score, None, distance, gap)
        for (shard, row, distance), score, gap in zip(found, scores, gaps_of(scores), strict=True)
    ]


def gaps_of(scores: Sequence[float]) -> list[float | None]:
    """How far each score is above the next one; None for the last."""
    return [a - b for a, b in pairwise(scores)] + [None] * bool(scores)


def nearest(view: View, point: Point, k: int, radius: float | None) -> list[tuple[Shard, int, float]]:
    """Shard, row and metres of the k nearest rows."""
    for reach in _reaches(radius):
        found = [(at, *around(shard, point, reach)) for at, shard in enumerate(view.shards)]
        if reach == radius or reach >= _HALF_ROUND or sum(len(rows) for _, rows, _ in found) >= k:
            break
    shards = np.concatenate([np.full(len(rows), at) for at, rows, _ in found] or [np.zeros(0, np.int64)])
    rows = np.concatenate([rows for _, rows, _ in found] or [np.zeros(0, np.int64)])
    metres = np.concatenate([metres for *_, metres in found] or [np.zeros(0)])
    order = np.lexsort((rows, shards, metres))[:k]
    return [(view.shards[shards[at]], int(rows[at]), float(metres[at])) for at in order]


def around(shard: Shard, point: Point, radius: float) -> tuple[Rows, Floats]:
    """The living rows within so many metres of a point, and how far each is."""
    index: grid.Grid = shard.parts[grid.NAME]
    rows = shard.alive(index.window(*_box(point, radius)))
    metres = distances(shard.segment, rows, point)
    inside = metres <= radius
    return rows[inside], metres[inside]


def distances(segment: Segment, rows: Rows, point: Point) -> Floats:
    """Great-circle metres from rows with coordinates to a point, as `evidence.coordinates.metres` has it."""
    lat, lon = (np.radians(np.asarray(values)[rows] / DEGREE) for values in (segment.lat, segment.lon))
    at_lat, at_lon = map(math.radians, point)
    root = np.sin((lat - at_lat) / 2) ** 2 + np.cos(lat) * math.cos(at_lat) * np.sin((lon - at_lon) / 2) ** 2
    metres: Floats = 2 * EARTH * np.arcsin(np.minimum(1.0, np.sqrt(root)))
    return metres


def _reaches(radius: float | None) -> Iterator[float]:
    """Growing distances, the last of which is the radius or half around the Earth."""
    most = _HALF_ROUND if radius is None else radius
    reach = FIRST
    while reach < most:
        yield reach
        reach *= 4
    yield most


def _box(point: Point, radius: float) -> tuple[Point, Point]:
    """Corners of a box that holds the circle; of all longitudes where the circle meets a pole or the date line."""
    lat, lon = point
    high = radius / grid.METRES_PER_DEGREE * 1.001 + 1e-6
    south, north = lat - high, lat + high
    if south <= -89.9 or north >= 89.9:
        return (south, -180.0), (north, 180.0)
    ratio = math.sin(math.radians(min(high, 90.0))) / math.cos(math.radians(lat))
    wide = math.degrees(math.asin(ratio)) * 1.001 + 1e-6 if ratio < 1 else 360.0
    if lon - wide < -180.0 or lon + wide > 180.0:
        return (south, -180.0), (north, 180.0)
    return (south, lon - wide), (north, lon + wide)
