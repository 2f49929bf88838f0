"""Columns of coordinates into WGS-84: the formulas of `evidence.coordinates` over arrays, a million points at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from menpai.search.columns import Numbers

Points = tuple[Numbers, Numbers]
_AXIS = 6378245.0
_FLATNESS = 0.00669342162296594323
_BD = np.pi * 3000.0 / 180.0
# A round trip is exact to less than a centimetre after so many steps (each divides the error by some 10,000).
_STEPS = 6


def to_wgs84(lat: Numbers, lon: Numbers, crs: str) -> Points:
    """(lat, lon) in WGS-84 degrees of float64 columns in wgs84, gcj02 or bd09."""
    if crs == "bd09":
        lat, lon = _inverted(lat, lon, gcj02_to_bd09)
    return (lat, lon) if crs == "wgs84" else _inverted(lat, lon, wgs84_to_gcj02)


def wgs84_to_gcj02(lat: Numbers, lon: Numbers) -> Points:
    """(lat, lon) in GCJ-02; points outside China's bounding box are not shifted."""
    x, y = lon - 105.0, lat - 35.0
    root = np.sqrt(np.abs(x))
    wave = (20.0 * np.sin(6.0 * x * np.pi) + 20.0 * np.sin(2.0 * x * np.pi)) * 2.0 / 3.0
    d_lat = -100.0 + 2.0 * x + 3.0 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * root + wave
    d_lat += (20.0 * np.sin(y * np.pi) + 40.0 * np.sin(y / 3.0 * np.pi)) * 2.0 / 3.0
    d_lat += (160.0 * np.sin(y / 12.0 * np.pi) + 320.0 * np.sin(y * np.pi / 30.0)) * 2.0 / 3.0
    d_lon = 300.0 + x + 2.0 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * root + wave
    d_lon += (20.0 * np.sin(x * np.pi) + 40.0 * np.sin(x / 3.0 * np.pi)) * 2.0 / 3.0
    d_lon += (150.0 * np.sin(x / 12.0 * np.pi) + 300.0 * np.sin(x / 30.0 * np.pi)) * 2.0 / 3.0
    radians = np.radians(lat)
    magic = 1 - _FLATNESS * np.sin(radians) ** 2
    d_lat = d_lat * 180.0 / (_AXIS * (1 - _FLATNESS) / (magic * np.sqrt(magic)) * np.pi)
    d_lon = d_lon * 180.0 / (_AXIS / np.sqrt(magic) * np.cos(radians) * np.pi)
    inside = (lat >= 0.8293) & (lat <= 55.8271) & (lon >= 72.004) & (lon <= 137.8347)
    return np.where(inside, lat + d_lat, lat), np.where(inside, lon + d_lon, lon)


def gcj02_to_bd09(lat: Numbers, lon: Numbers) -> Points:
    """(lat, lon) in BD-09."""
    radius = np.hypot(lon, lat) + 0.00002 * np.sin(lat * _BD)
    angle = np.arctan2(lat, lon) + 0.000003 * np.cos(lon * _BD)
    return radius * np.sin(angle) + 0.006, radius * np.cos(angle) + 0.0065


def _inverted(lat: Numbers, lon: Numbers, forward: Callable[[Numbers, Numbers], Points]) -> Points:
    """Where `forward` leads here from, by fixed-point iteration."""
    guess = lat, lon
    for _ in range(_STEPS):
        there = forward(*guess)
        guess = guess[0] + lat - there[0], guess[1] + lon - there[1]
    return guess
