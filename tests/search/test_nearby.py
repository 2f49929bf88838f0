"""The nearest rows against a look at every row; radius, removed rows, coordinate systems, what is refused."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import menpai
from menpai.errors import UsageError
from menpai.evidence.coordinates import gcj02_to_bd09, metres, wgs84_to_gcj02
from menpai.search import grid
from menpai.search.columns import save_numbers
from menpai.search.nearby import nearby, nearest
from menpai.search.segment import DEGREE, UNKNOWN, open_segment
from menpai.search.view import Shard, View

LAT = st.one_of(st.floats(-90, 90), st.floats(30.2, 30.3), st.sampled_from([-90.0, 0.0, 89.99, 90.0]))
LON = st.one_of(st.floats(-180, 180), st.floats(120.1, 120.2), st.sampled_from([-180.0, 179.999, 180.0]))
POINT = st.tuples(LAT, LON)


def view_of(points: list[tuple[float, float] | None], dead: list[bool] | None = None) -> View:
    """A view of one segment that has nothing but points."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for at, column in enumerate(("lat", "lon")):
            whole = [UNKNOWN if point is None else round(point[at] * DEGREE) for point in points]
            save_numbers(folder, column, np.array(whole, np.int32))
        segment = open_segment(folder, len(points))
        grid.build(segment, folder, lambda _: None)
        index = grid.Grid(*(np.array(values) for values in grid.open(segment, folder)))
        return View((Shard(segment, None if dead is None else np.array(dead, bool), {grid.NAME: index}),))


@settings(max_examples=80)
@given(st.lists(st.one_of(POINT, st.none()), max_size=12), POINT, st.integers(1, 5), st.data())
@example([(30.2, 180.0), (30.2, -180.0), (30.2, 0.0)], (30.2, -179.999), 3, None)
@example([(90.0, 10.0), (89.99, -170.0), (-90.0, 0.0)], (89.999, 100.0), 3, None)
def test_the_nearest_are_those_of_a_look_at_every_row(
    points: list[tuple[float, float] | None], point: tuple[float, float], k: int, data: st.DataObject | None
) -> None:
    dead = data.draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points))) if data else None
    radius = data.draw(st.one_of(st.none(), st.floats(1, 1e7))) if data else None
    found = nearest(view_of(points, dead), point, k, radius)
    rounded = [
        each and (round(each[0] * DEGREE) / DEGREE, round(each[1] * DEGREE) / DEGREE) for each in points
    ]
    expected = sorted(
        (metres(point, each), row) for row, each in enumerate(rounded) if each and not (dead and dead[row])
    )
    if radius is not None:
        expected = [entry for entry in expected if entry[0] <= radius]
    assert [metre for *_, metre in found] == pytest.approx(
        [metre for metre, _ in expected[:k]], rel=1e-6, abs=1e-3
    )


def test_a_window_is_bounded_by_its_cells() -> None:
    view = view_of([(30.2, 120.1 + step / 1000) for step in range(100)])
    index: grid.Grid = view.shards[0].parts[grid.NAME]
    rows = index.window((30.19, 120.12), (30.21, 120.13))
    assert set(range(20, 30)) <= set(rows.tolist()) <= set(range(14, 36))


@given(st.floats(18, 53), st.floats(74, 135))
def test_a_round_trip_through_each_system_is_exact_to_a_centimetre(lat: float, lon: float) -> None:
    gcj = wgs84_to_gcj02(lat, lon)
    view = view_of([(lat, lon)])
    for crs, (there, across) in (("gcj02", gcj), ("bd09", gcj02_to_bd09(*gcj))):
        (found,) = nearby(view, there, across, 1, crs=crs)
        assert found.distance is not None
        assert found.distance < 0.03  # the columns keep 1.1 cm


def test_candidates_have_score_distance_and_gap() -> None:
    view = view_of([(30.2, 120.1), (30.201, 120.1), None])
    first, second = nearby(view, 30.2, 120.1, 5)
    assert (first.score, first.distance) == (1.0, 0.0)
    assert second.distance == pytest.approx(111.2, abs=0.1)
    assert first.gap == pytest.approx(1 - second.score)
    assert second.gap is None
    assert nearby(view, 30.2, 120.1, 5, radius=100) == [last(first)]
    assert nearby(view, 30.2, 120.1, 0) == []


def last(found: menpai.Candidate) -> menpai.Candidate:
    """The same, being the last one."""
    return menpai.Candidate(found.record, found.score, None, found.distance, None)


def test_what_is_no_point_or_no_radius_is_refused() -> None:
    view = view_of([(30.2, 120.1)])
    for lat, lon, crs in (
        (95.0, 1.0, None),
        (None, None, None),
        (1.0, 1.0, "utm"),
        (float("nan"), 1.0, None),
    ):
        with pytest.raises(UsageError, match="coordinates"):
            nearby(view, lat, lon, 1, crs=crs)  # type: ignore[arg-type]
    for radius in (0, -1, float("inf"), float("nan"), True, "far"):
        with pytest.raises(UsageError, match="no distance"):
            nearby(view, 30.2, 120.1, 1, radius=radius)  # type: ignore[arg-type]
