"""Search and standardize on a small library with the nastiest near misses: cases, ranking, verdicts, what is refused."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import menpai
from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.scoring import Ranker
from menpai.search import parts
from menpai.search.blocking import blocking_recall
from menpai.search.search import search
from menpai.search.standardize import standardize
from tests.bert import tiny_pack

CASES = Path(__file__).parents[1] / "cases"


def table(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[menpai.Library]:
    """In two segments, of which one row was removed and one updated."""
    places = table("search_places.tsv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PARTS", ("menpai.search.ngrams", "menpai.search.grid"))
        path = tmp_path_factory.mktemp("search") / "places"
        gone = {"id": "gone", "address": "浙江省杭州市西湖区文三路123号", "lat": 30.2790, "lon": 120.1250}
        with menpai.Library.build([gone, *places[:10]], path, crs="wgs84", workers=1) as library:
            library.add(places[10:], crs="wgs84", workers=1)
            library.remove(["gone"])
            library.update([places[0]], crs="wgs84", workers=1)
            yield library


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return Matcher.open()


def query_of(case: dict[str, str]) -> Any:
    if not case["name"] and not case["at"]:
        return case["query"]
    query: dict[str, Any] = {"address": case["query"]} if case["query"] else {}
    if case["name"]:
        query["name"] = case["name"]
    if case["at"]:
        query["lat"], query["lon"] = map(float, case["at"].split(","))
    return query


@pytest.mark.parametrize("case", table("search.tsv"), ids=lambda case: case["why"])
def test_the_first_is_what_is_meant(library: menpai.Library, matcher: Matcher, case: dict[str, str]) -> None:
    expected = set(case["expected"].split())
    for judge in (None, matcher.match_many):
        found = search(library.view, query_of(case), 5, judge=judge)
        assert {one.id for one in found[: len(expected)]} == expected


def test_candidates_are_ranked_and_judged(library: menpai.Library, matcher: Matcher) -> None:
    found = search(library.view, "西湖区文三路125号2幢", 4, judge=matcher.match_many)
    assert len(found) == 4
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert [one.gap for one in found[:3]] == pytest.approx([a - b for a, b in pairwise(scores)])
    for one in found:
        assert one.verdict == matcher.match("西湖区文三路125号2幢", one.record.text + one.record.name)
    assert [one.distance for one in found] == [None] * 4


def test_an_imported_ranking_pack_orders_the_best(library: menpai.Library) -> None:
    pack = tiny_pack("ranking")
    plain = library.search("西湖区文三路125号", 5, verdicts=False)
    found = library.search("西湖区文三路125号", 5, verdicts=False, rerank=pack.path)
    scores = Ranker.open(pack).score(
        "西湖区文三路125号", [one.record.text + one.record.name for one in found]
    )
    assert [one.score for one in found] == pytest.approx(sorted(scores, reverse=True), abs=1e-5)
    assert [one.id for one in found] != [one.id for one in plain]
    with pytest.raises(UsageError, match="ranking is needed here"):
        library.search("文三路", rerank="menpai-mini")


def test_a_point_is_evidence_and_a_radius_a_limit(library: menpai.Library, matcher: Matcher) -> None:
    query = {"name": "肯德基", "lat": 30.29, "lon": 120.09}
    first, second = search(library.view, query, 2, judge=matcher.match_many)
    assert (first.id, second.id) == ("kfc-b", "kfc-a")
    assert first.distance == pytest.approx(0, abs=0.1)
    assert second.distance == pytest.approx(4_050, rel=0.05)
    assert [one.id for one in search(library.view, query, 5, radius=100)] == ["kfc-b"]
    assert [one.id for one in search(library.view, query | {"crs": "bd09"}, 5, radius=100)] == []


def test_the_same_wherever_the_rows_lie(library: menpai.Library, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PARTS", ("menpai.search.ngrams", "menpai.search.grid"))
        places = table("search_places.tsv")
        with menpai.Library.build(places, tmp_path / "one", crs="wgs84", workers=1) as one:
            for query in ("文三路125号", "朝阳区建国路88号", "海月花园", "肯德基"):
                assert [c.id for c in search(one.view, query)][:1] == [
                    c.id for c in search(library.view, query)
                ][:1]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("西湖区文三路123号", "w123"),
        ("文三路125号2幢502室", "w125-2-502"),
        ({"name": "海月花园", "address": "之江路88号"}, "hy1"),
        ("文三路127号", "standard_area"),
        ("拉萨市城关区", "standard_none"),
        ("涟水县保滩街道张镀村", "standard_doubt"),
        ("涟水县保滩街道张渡村1304室", "zc-l"),
        ("涟水县保滩街道张渡村(联系门卫)", "zc-l"),
        ("涟水县保滩街道张渡村卫生室", "standard_area"),
        ("涟水县保滩街道张渡村东侧", "standard_area"),
        ("涟水县保滩街道张渡村3组", "standard_area"),
        ("共和新路1号对面", "standard_area"),
        ("涟水县保滩街道1304室", "standard_area"),
        ("朝阳区建国路88号", "standard_several"),
    ],
)
def test_standardize_names_the_row_or_the_reason(
    library: menpai.Library, matcher: Matcher, query: Any, expected: str
) -> None:
    found = standardize(library.view, query, matcher.match_many)
    if found.candidate is not None:
        assert found.candidate.id == expected
        assert found.to_dict() == {"candidate": found.candidate.to_dict()}
        return
    assert found.problem is not None
    assert found.problem.code == expected
    shown = found.to_dict("zh")
    assert shown["problem"]["message"] != found.problem.message
    assert len(shown["rivals"]) == len(found.rivals)
    assert found.rivals or expected == "standard_none"


@settings(max_examples=60, deadline=None)
@given(st.text("杭州西湖文三路二123号弄幢-肯德基(店) \n😀", min_size=1, max_size=30), st.integers(1, 40))
def test_any_text_is_answered_or_refused(library: menpai.Library, text: str, k: int) -> None:
    try:
        found = search(library.view, text, k)
    except UsageError as error:
        assert error.code in ("address_empty", "address_unreadable")  # noqa: PT017 (which one, is the text's)
        return
    assert len(found) <= k
    assert len({one.id for one in found}) == len(found)
    assert found == search(library.view, text, k)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "address_empty"),
        (None, "address_not_text"),
        (7, "address_not_text"),
        ({}, "address_empty"),
        ({"name": ""}, "address_empty"),
        ({"adress": "文三路"}, "search_field"),
        ({"text": "文三路", "lat": 91, "lon": 120}, "coordinates_invalid"),
        ("文" * 1000, "address_too_long"),
        ("\ud800", "address_bad_encoding"),
    ],
)
def test_what_cannot_be_searched_is_named(library: menpai.Library, query: Any, code: str) -> None:
    with pytest.raises(UsageError) as error:
        search(library.view, query)
    assert error.value.code == code


def test_a_radius_needs_a_point(library: menpai.Library) -> None:
    with pytest.raises(UsageError, match="no point"):
        search(library.view, "文三路", radius=100)


def test_none_of_nothing(library: menpai.Library) -> None:
    assert search(library.view, "文三路", 0) == []
    assert 0 < len(search(library.view, "文三路", 10**9)) <= len(library)
    assert search(menpai.search.view.View(()), "文三路") == []


def test_keys_bring_known_pairs_together(library: menpai.Library) -> None:
    cases = [(query_of(case), case["expected"].split()[0]) for case in table("search.tsv")]
    found = blocking_recall(library.view, cases, 12)
    assert found.pairs == len(cases)
    assert found.share > 0.95
    assert found.low < found.share <= found.high
    one = blocking_recall(library.view, [("海月花园", "kfc-a")])
    assert (one.found, one.share, one.low) == (0, 0.0, 0.0)
    assert blocking_recall(library.view, []) == (0, 0, 0.0, 1.0)


def test_a_row_of_any_length_costs_little(library: menpai.Library) -> None:
    text = "文三路123号" * 60
    assert search(library.view, text, 100)[0].id.startswith("w")
