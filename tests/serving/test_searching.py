"""POST /v1/search and GET /v1/nearby: candidates, the one that is meant, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import menpai
from menpai.matcher import Matcher
from menpai.serving.wire import CandidateList, StandardRow
from tests.serving.rig import Rig, fails

PLACE = {"address": "西湖区文三路125号", "name": "文三大厦", "lat": 30.2742, "lon": 120.1262}


def look(rig: Rig, query: str) -> Any:
    return rig.run(rig.client.get(f"/v1/nearby?{query}"))


def test_a_search_is_that_of_the_library(rig: Rig, places: Path, matcher: Matcher) -> None:
    with menpai.Library.open(places, matcher=matcher) as library:
        for query in ("西湖区文三路123号", "海龙大厦", PLACE, "哪里都不是"):
            response = rig.ask("/v1/search", {"query": query, "k": 3})
            assert response.json() == {"candidates": [one.to_dict() for one in library.search(query, 3)]}
            msgspec.convert(response.json(), CandidateList)
    assert "search;dur=" in response.headers["server-timing"]


def test_several_queries_come_in_their_order(rig: Rig) -> None:
    body = {"queries": ["文三路123号", "", 7, "中关村大街1号"], "k": 1, "verdicts": False}
    first, empty, number, last = rig.ask("/v1/search", body).json()
    assert [first["candidates"][0]["id"], last["candidates"][0]["id"]] == ["a", "c"]
    assert "verdict" not in first["candidates"][0]
    assert [empty["problem"]["code"], number["problem"]["code"]] == ["address_empty", "address_not_text"]


def test_standardize_gives_the_row_or_the_reason(rig: Rig) -> None:
    body = {"queries": ["西湖区文三路123号", "西湖区文三路127号", "拉萨市"], "standardize": True}
    rows = [msgspec.convert(row, StandardRow) for row in rig.ask("/v1/search", body).json()]
    assert rows[0].candidate.id == "a"  # type: ignore[union-attr]
    assert [row.problem.code for row in rows[1:]] == ["standard_area", "standard_none"]  # type: ignore[union-attr]


def test_the_radius_is_about_the_query_s_point(rig: Rig) -> None:
    found = rig.ask("/v1/search", {"query": PLACE, "radius": 50}).json()["candidates"]
    assert [one["id"] for one in found] == ["b"]


def test_nearby_gives_rows_with_their_distance(rig: Rig) -> None:
    found = look(rig, "lat=30.2741&lon=120.1251&k=5").json()["candidates"]
    assert [one["id"] for one in found] == ["a", "b"]
    assert found[0]["distance"] < 0.1
    assert 100 < found[1]["distance"] < 110
    (near,) = look(rig, "lat=30.2741&lon=120.1251&radius=50&library=places").json()["candidates"]
    assert near["id"] == "a"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"query": ""}, "address_empty"),
        ({"query": {}}, "address_empty"),
        ({"query": {"adress": "文三路"}}, "search_field"),
        ({"query": {"address": "文三路", "lat": 95, "lon": 120}}, "coordinates_invalid"),
        ({"query": "文三路", "library": "place"}, "library_unknown"),
        ({"query": "文三路", "k": 0}, "body_invalid"),
        ({"query": "文三路", "radius": 0}, "body_invalid"),
        ({"query": "文三路", "queries": []}, "body_invalid"),
        ({}, "body_invalid"),
    ],
)
def test_what_is_wrong_with_a_search_is_named(rig: Rig, body: Any, code: str) -> None:
    fails(rig.ask("/v1/search", body), 422, code)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("lat=30", "query_invalid"),
        ("lat=91&lon=1", "query_invalid"),
        ("lat=x&lon=1", "query_invalid"),
        ("lat=1&lon=1&k=0", "query_invalid"),
        ("lat=1&lon=1&crs=utm", "coordinates_invalid"),
    ],
)
def test_what_is_wrong_with_a_point_is_named(rig: Rig, query: str, code: str) -> None:
    fails(look(rig, query), 422, code)
