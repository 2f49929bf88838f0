"""Coordinates: the three systems of Chinese maps turned into WGS-84, and the distance between two points.

GCJ-02 and BD-09 by the formulas published in open-source converters (eviltransform, coordtransform; Krasovsky 1940
ellipsoid). GCJ-02 is inverted by fixed-point iteration: the round trip is exact to less than a centimetre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from menpai.errors import Problem

CRS = ("wgs84", "gcj02", "bd09")
_AXIS = 6378245.0
_FLATNESS = 0.00669342162296594323
_EARTH = 6371008.8
_BD = math.pi * 3000.0 / 180.0

Point = tuple[float, float]


def find_coordinate_problem(place: Mapping[str, Any], side: str) -> Problem | None:
    """Why the coordinates of a place cannot be used, or None (also if it has none)."""
    lat, lon, crs = place.get("lat"), place.get("lon"), place.get("crs", "wgs84")
    if unknown := sorted(set(place) - {"text", "lat", "lon", "crs"}, key=str):
        return Problem("coordinates_invalid", {"side": side, "reason": f"unknown field {_shown(unknown[0])}"})
    if lat is None and lon is None:
        return None
    if not isinstance(crs, str) or crs not in CRS:
        return Problem(
            "coordinates_invalid", {"side": side, "reason": f"crs {_shown(crs)}, not one of {', '.join(CRS)}"}
        )
    for name, value, limit in (("lat", lat, 90), ("lon", lon, 180)):
        if not isinstance(value, int | float) or isinstance(value, bool) or not -limit <= value <= limit:
            return Problem("coordinates_invalid", {"side": side, "reason": f"{name} {_shown(value)}"})
    return None


def point_of(place: Mapping[str, Any]) -> Point | None:
    """Where a place without coordinate problem is, in WGS-84 degrees; None if it does not say."""
    if place.get("lat") is None:
        return None
    return to_wgs84(place["lat"], place["lon"], place.get("crs", "wgs84"))


def _shown(value: object) -> str:
    """A value in a message: at most 40 characters of it."""
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return f"<{type(value).__name__}>"
    return text if len(text) <= 40 else text[:39] + "…"


def to_wgs84(lat: float, lon: float, crs: str) -> Point:
    """(lat, lon) in WGS-84, degrees."""
    if crs == "bd09":
        lat, lon = _bd09_to_gcj02(lat, lon)
    return (lat, lon) if crs == "wgs84" else _gcj02_to_wgs84(lat, lon)


def wgs84_to_gcj02(lat: float, lon: float) -> Point:
    """(lat, lon) in GCJ-02, degrees; points outside China's bounding box are not shifted."""
    if not (0.8293 <= lat <= 55.8271 and 72.004 <= lon <= 137.8347):
        return lat, lon
    x, y = lon - 105.0, lat - 35.0
    wave = (20.0 * math.sin(6.0 * x * math.pi) + 20.0 * math.sin(2.0 * x * math.pi)) * 2.0 / 3.0
    d_lat = -100.0 + 2.0 * x + 3.0 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * math.sqrt(abs(x)) + wave
    d_lat += (20.0 * math.sin(y * math.pi) + 40.0 * math.sin(y / 3.0 * math.pi)) * 2.0 / 3.0
    d_lat += (160.0 * math.sin(y / 12.0 * math.pi) + 320.0 * math.sin(y * math.pi / 30.0)) * 2.0 / 3.0
    d_lon = 300.0 + x + 2.0 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * math.sqrt(abs(x)) + wave
    d_lon += (20.0 * math.sin(x * math.pi) + 40.0 * math.sin(x / 3.0 * math.pi)) * 2.0 / 3.0
    d_lon += (150.0 * math.sin(x / 12.0 * math.pi) + 300.0 * math.sin(x / 30.0 * math.pi)) * 2.0 / 3.0
    radians = lat / 180.0 * math.pi
    magic = 1 - _FLATNESS * math.sin(radians) ** 2
    d_lat = d_lat * 180.0 / (_AXIS * (1 - _FLATNESS) / (magic * math.sqrt(magic)) * math.pi)
    d_lon = d_lon * 180.0 / (_AXIS / math.sqrt(magic) * math.cos(radians) * math.pi)
    return lat + d_lat, lon + d_lon


def gcj02_to_bd09(lat: float, lon: float) -> Point:
    """(lat, lon) in BD-09, degrees."""
    radius = math.hypot(lon, lat) + 0.00002 * math.sin(lat * _BD)
    angle = math.atan2(lat, lon) + 0.000003 * math.cos(lon * _BD)
    return radius * math.sin(angle) + 0.006, radius * math.cos(angle) + 0.0065


def metres(a: Point, b: Point) -> float:
    """Great-circle distance of two WGS-84 points (haversine, mean Earth radius)."""
    (lat_a, lon_a), (lat_b, lon_b) = ((math.radians(x), math.radians(y)) for x, y in (a, b))
    root = math.sin((lat_a - lat_b) / 2) ** 2
    root += math.cos(lat_a) * math.cos(lat_b) * math.sin((lon_a - lon_b) / 2) ** 2
    return 2 * _EARTH * math.asin(min(1.0, math.sqrt(root)))


def _invert(lat: float, lon: float, forward: Any) -> Point:
    guess = (lat, lon)
    for _ in range(30):
        there = forward(*guess)
        step = (lat - there[0], lon - there[1])
        guess = (guess[0] + step[0], guess[1] + step[1])
        if max(map(abs, step)) < 1e-9:
            break
    return guess


def _gcj02_to_wgs84(lat: float, lon: float) -> Point:
    return _invert(lat, lon, wgs84_to_gcj02)


def _bd09_to_gcj02(lat: float, lon: float) -> Point:
    return _invert(lat, lon, gcj02_to_bd09)
