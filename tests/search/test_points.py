"""Columns of coordinates: the same points as one by one, there and back within a metre."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.evidence import coordinates
from menpai.search.points import gcj02_to_bd09, to_wgs84, wgs84_to_gcj02

POINTS = st.tuples(st.floats(3, 54), st.floats(73, 136))


@given(st.lists(POINTS, min_size=1, max_size=20))
@pytest.mark.parametrize("crs", coordinates.CRS)
def test_a_column_is_its_points(crs: str, points: list[tuple[float, float]]) -> None:
    lat, lon = np.array(points).T
    found = np.stack(to_wgs84(lat, lon, crs), axis=1)
    assert found == pytest.approx(np.array([coordinates.to_wgs84(*point, crs) for point in points]), abs=1e-8)


@given(POINTS)
def test_there_and_back(point: tuple[float, float]) -> None:
    lat, lon = (np.array([value]) for value in point)
    there = wgs84_to_gcj02(lat, lon)
    for crs, shifted in (("gcj02", there), ("bd09", gcj02_to_bd09(*there))):
        back = [float(column[0]) for column in to_wgs84(*shifted, crs)]
        assert coordinates.metres((back[0], back[1]), point) < 0.01
