"""GET /v1/suggest: completions, what they look like, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import menpai
from menpai.matcher import Matcher
from menpai.serving.wire import SuggestionRow
from tests.serving.rig import Rig, running

ROWS = [
    {"id": "a", "address": "浙江省杭州市西湖区文三路123号", "lat": 30.2741, "lon": 120.1251},
    {"id": "b", "address": "浙江省杭州市西湖区文三路125号2幢"},
    {"id": "c", "address": "北京市海淀区中关村大街1号", "name": "海龙大厦"},
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("suggest") / "places"
    menpai.Library.build(ROWS, path, crs="wgs84").close()
    return path


@pytest.fixture(scope="module")
def rig(library: Path, matcher: Matcher) -> Iterator[Rig]:
    with running(lambda: matcher, library=f"places={library}") as rig:
        yield rig


def ask(rig: Rig, query: str) -> tuple[int, Any, dict[str, str]]:
    response = rig.run(rig.client.get(f"/v1/suggest?{query}"))
    return response.status_code, response.json(), dict(response.headers)


def test_rows_and_next_elements_come_with_what_was_typed(rig: Rig) -> None:
    status, body, headers = ask(rig, "q=西湖区文三&k=5")
    assert status == 200
    assert "suggest;dur=" in headers["server-timing"]
    first = msgspec.convert(body["suggestions"], list[SuggestionRow])[0]
    assert (first.text, first.kind, first.count) == ("浙江省杭州市西湖区文三路", "road", 2)
    assert [first.text[start:end] for start, end in first.highlights] == ["西湖区文三"]
    (row,) = [each for each in ask(rig, "q=wensanlu123")[1]["suggestions"] if each["kind"] == "row"]
    assert (row["id"], row["lat"], row["lon"]) == ("a", 30.2741, 120.1251)


def test_a_place_has_its_name(rig: Rig) -> None:
    (row,) = ask(rig, "q=hldx&library=places")[1]["suggestions"]
    assert (row["text"], row["name"], row["id"]) == ("北京市海淀区中关村大街1号", "海龙大厦", "c")


def test_an_answer_is_what_the_library_says(rig: Rig, library: Path) -> None:
    with menpai.Library.open(library) as opened:
        for typed in ("杭", "hz", "文三路12", "海淀zgc", "中关存大街", "哪里都不是"):
            expected = [each.to_dict() for each in opened.suggest(typed, 4, city="杭州", near=(30.0, 120.0))]
            found = ask(rig, f"q={typed}&k=4&city=杭州&lat=30&lon=120")[1]["suggestions"]
            assert found == expected


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("k=3", "query_invalid"),
        ("q=a&k=0", "query_invalid"),
        ("q=a&k=51", "query_invalid"),
        ("q=a&k=x", "query_invalid"),
        ("q=a&more=1", "query_invalid"),
        (f"q={'a' * 513}", "query_invalid"),
        ("q=a&lat=91&lon=1", "query_invalid"),
        ("q=a&lat=1", "coordinates_invalid"),
        ("q=a&lat=nan&lon=1", "query_invalid"),
        ("q=a&lat=1&lon=1&crs=mars", "coordinates_invalid"),
        ("q=a&library=nowhere", "library_unknown"),
    ],
)
def test_what_is_no_question_is_refused(rig: Rig, query: str, code: str) -> None:
    status, body, _ = ask(rig, query)
    assert (status, body["error"]["code"]) == (422, code)


@pytest.mark.parametrize("typed", ["", "%20", "%00", "%F0%9F%8F%A0", "%EF%BC%88", "'%22;--", "%ED%A0%80"])
def test_what_means_nothing_finds_nothing(rig: Rig, typed: str) -> None:
    status, body, _ = ask(rig, f"q={typed}")
    assert (status, body) == (200, {"suggestions": []})
