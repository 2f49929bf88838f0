"""Coordinates in tables: two columns or one, degrees as people write them, systems row by row."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import Problem
from menpai.evidence.coordinates import wgs84_to_gcj02
from menpai.tables.points import Places, coordinate_system, find_places, place_in, read_degrees, split_point
from menpai.tables.table import Table

CASES = Path(__file__).parents[1] / "cases" / "points.tsv"
HERE = (30.2741, 120.1305)


def cases() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def places(
    *columns: str, system: str | None = None, name: str = "rows.csv"
) -> tuple[Places, str, list[Problem]]:
    table, notes = Table(name, ".csv", columns, iter(())), list[Problem]()
    found = find_places(table, None, None, None, system)
    return found, coordinate_system(table, found, notes.append), notes


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_one_cell_holds_both(case: dict[str, str]) -> None:
    cell: Any = json.loads(case["cell"]) if case["cell"][0] in "[{" else case["cell"]
    wanted = (float(case["lat"]), float(case["lon"])) if case["lat"] else None
    assert split_point(cell, case["column"]) == (None if wanted is None else pytest.approx(wanted, abs=1e-9))


@pytest.mark.parametrize("cell", ["", "x", "30°x", True, None, [], "1e999x", "9" * 60 + "°"])
def test_what_is_no_number_of_degrees(cell: Any) -> None:
    assert math.isnan(read_degrees(cell))


@pytest.mark.parametrize(
    ("columns", "at", "system", "code"),
    [
        (("地址", "经纬度"), (None, None, 1), "wgs84", "crs_assumed"),
        (("地址", "高德坐标"), (None, None, 1), "gcj02", "crs_guessed"),
        (("百度经度", "百度纬度"), (1, 0, None), "bd09", "crs_guessed"),
        (("address", "pname", "cityname", "adname", "location"), (None, None, 4), "gcj02", "crs_guessed"),
        (("lat", "lng", "location"), (0, 1, None), "wgs84", "crs_assumed"),
        (("lat", "address"), (None, None, None), "wgs84", None),
    ],
)
def test_columns_and_systems_by_their_names(
    columns: tuple[str, ...], at: tuple[int | None, ...], system: str, code: str | None
) -> None:
    found, crs, notes = places(*columns)
    assert (found[:3], crs, [note.code for note in notes]) == (at, system, [code] if code else [])


@pytest.mark.parametrize("word", ["gcj02", "GCJ-02", "高德", "火星坐标系", "腾讯地图"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_row_names_its_system(word: str, swapped: bool) -> None:
    found, crs, _ = places("lat", "lng", "坐标系")
    lat, lon = wgs84_to_gcj02(*HERE)
    placed = place_in((lon, lat, word) if swapped else (lat, lon, word), found)
    wanted = HERE[::-1] if swapped else HERE
    assert (crs, placed[:2]) == ("wgs84", pytest.approx(wanted, abs=1e-6))


def test_a_row_that_names_no_system_or_one_that_nobody_knows() -> None:
    found, _, _ = places("lat", "lng", "crs")
    assert place_in((*HERE, ""), found)[:2] == HERE
    assert place_in((*HERE, "CGCS2000"), found)[:2] == HERE
    problem = place_in((*HERE, "西安80"), found).problem
    assert problem is not None
    assert problem.code == "crs_of_row"
    given, _, _ = places("lat", "lng", "crs", system="gcj02")
    assert place_in((*wgs84_to_gcj02(*HERE), ""), given)[:2] == pytest.approx(HERE, abs=1e-6)


def test_what_cannot_be_read_is_told_and_words_in_a_column_of_places_are_not() -> None:
    found, _, _ = places("address", "location")
    assert (
        place_in(("文三路1号", "文三路"), found) == place_in(("文三路1号", None), found) == (None, None, None)
    )
    problem = place_in(("文三路1号", "12;"), found).problem
    assert problem is not None
    assert problem.code == "point_unread"
    two, _, _ = places("lat", "lng")
    assert place_in(("", ""), two) == (None, None, None)
    assert place_in(("30.2741N", "120°7'30\"E"), two)[:2] == pytest.approx((30.2741, 120.125))
    problem = place_in(("30.27", "东边"), two).problem
    assert problem is not None
    assert problem.details == {"text": "30.27, …"}
