"""A point in every county: to tell which of several namesakes is nearby."""

from __future__ import annotations

import heapq
import math
from functools import cache

from menpai.parsing.tables import read_lines

Point = tuple[float, float]
_KM_PER_DEGREE = 111.2


@cache
def _points() -> dict[str, Point]:
    lines = (line.split("\t") for line in read_lines("centroids.tsv"))
    return {code: (float(lat), float(lon)) for code, lat, lon in lines}


def centroid(code: str) -> Point | None:
    """(latitude, longitude) of a unit of today, else of the smallest unit around it whose point is known.

    None for an unknown code. Good to a few kilometres.
    """
    points = _points()
    return next((points[code[:n]] for n in (9, 6, 4, 2) if n <= len(code) and code[:n] in points), None)


def near(lat: float, lon: float, count: int = 1) -> list[tuple[str, float]]:
    """The nearest counties (or cities without districts): (code, kilometres to their centroid), nearest first."""
    leaves = _leaves()
    ranked = ((distance((lat, lon), point), code) for code, point in leaves.items())
    return [(code, km) for km, code in heapq.nsmallest(count, ranked)]


@cache
def _leaves() -> dict[str, Point]:
    points = _points()
    parents = {code[:4] for code in points if len(code) == 6}
    return {c: p for c, p in points.items() if len(c) == 6 or (len(c) == 4 and c not in parents)}


def distance(a: Point, b: Point) -> float:
    """Kilometres between two points on a sphere (haversine)."""
    (lat1, lon1), (lat2, lon2) = (tuple(map(math.radians, point)) for point in (a, b))
    half = (
        math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    )
    return 2 * math.degrees(math.asin(math.sqrt(min(1.0, half)))) * _KM_PER_DEGREE
