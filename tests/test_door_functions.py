from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import menpai
from menpai.errors import UsageError
from tests.judging import matcher

UNREADABLE = [("", "address_empty"), (" \n", "address_empty"), ("，。", "address_unreadable")]
UNREADABLE += [("路" * 1001, "address_too_long"), ("文三路\ud800", "address_bad_encoding")]


def test_match_is_that_of_a_matcher_on_the_built_in_pack() -> None:
    a, b = "北京市朝阳区建国路8号", "北京朝阳建国路8号SOHO现代城"
    assert menpai.match(a, b) == matcher().match(a, b)
    assert menpai.match({"text": a}, b) == menpai.match(a, b)


def test_normalize_and_parse() -> None:
    assert menpai.normalize("文三路１２３號").text == "文三路123号"
    address = menpai.parse("浙江省杭州市西湖区文三路１２３號")
    assert address.level == "roadno"
    assert address.normalized == menpai.normalize("浙江省杭州市西湖区文三路１２３號")
    assert address == matcher().parse("浙江省杭州市西湖区文三路１２３號")


def test_many_texts_are_read_as_each_alone() -> None:
    texts = ["浙江省杭州市西湖区文三路１２３號", "", "北京朝阳建国路8号SOHO现代城"]
    first, problem, last = menpai.parse_many(texts, default_city="杭州")
    assert isinstance(problem, menpai.Problem)
    assert problem.code == "address_empty"
    assert [first, last] == [menpai.parse(text, default_city="杭州") for text in texts[::2]]
    assert menpai.parse_many([]) == []


@pytest.mark.parametrize(
    "hint", [{"default_city": "长春"}, {"near": (43.9, 125.3)}, {"as_of": 2010}, {"default_city": "2201"}]
)
def test_hints_are_the_same_at_the_door_and_in_a_matcher(hint: dict[str, Any]) -> None:
    text = "朝阳区人民大街1号"
    assert menpai.parse(text, **hint) == matcher().parse(text, **hint)
    assert menpai.parse(text) == matcher().parse(text)
    assert (menpai.parse(text, **hint) == menpai.parse(text)) == ("as_of" in hint)


@pytest.mark.parametrize(("text", "code"), [*UNREADABLE, (None, "address_not_text"), (7, "address_not_text")])
def test_a_text_that_cannot_be_read_raises_with_its_code(text: str, code: str) -> None:
    for function in (menpai.normalize, menpai.parse, matcher().normalize, matcher().parse):
        with pytest.raises(UsageError) as caught:
            function(text)
        assert caught.value.code == code
    with pytest.raises(UsageError, match="address b"):
        menpai.match("文三路1号", text)
    with pytest.raises(UsageError, match="address a"):
        menpai.match(text, "文三路1号")


def test_the_door_may_be_used_from_many_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: menpai.match("文三路1号", "文三路2号"), range(8)))
    assert found == [found[0]] * 8


def test_an_address_with_coordinates_is_near_them() -> None:
    place: menpai.address.Place = {"text": "朝阳区建国路8号", "lat": 43.9, "lon": 125.3, "crs": "gcj02"}
    near = menpai.parse(place)
    assert [division.code for division in near.divisions] == ["220104"]
    assert near.place == place
    assert matcher().parse(place) == near == menpai.parse_many([place], near=(39.9, 116.4))[0]
    assert menpai.normalize(place).text == matcher().normalize(place).text == "朝阳区建国路8号"
    assert len(menpai.parse({"text": "朝阳区建国路8号"}).divisions) > 1


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({"lat": 30.0, "lon": 120.0}, "address_not_text"),
        ({"text": "文三路1号", "lat": 91, "lon": 0}, "coordinates_invalid"),
        ({"text": "文三路1号", "lat": 30, "lng": 120}, "coordinates_invalid"),
    ],
)
def test_a_place_that_cannot_be_read_has_its_code(place: Any, code: str) -> None:
    (answer,) = menpai.parse_many([place])
    assert isinstance(answer, menpai.Problem)
    assert answer.code == code


def test_a_text_that_holds_no_address_is_a_problem() -> None:
    for text in ("手机13800138000", "=1+1"):
        for parse in (menpai.parse, matcher().parse):
            with pytest.raises(UsageError, match="no readable text"):
                parse(text)


def test_a_single_text_is_no_list_and_a_single_step_is_one() -> None:
    with pytest.raises(UsageError, match="put it into a list"):
        menpai.parse_many("文三路1号")
    assert menpai.normalize("文三路十号", skip="numerals").text == "文三路十号"
    assert menpai.normalize("文三路十号", skip=None).text == "文三路10号"
    with pytest.raises(UsageError, match="nearest is numerals"):
        menpai.normalize("文三路十号", skip="numeral")


def test_a_year_to_come_has_no_divisions() -> None:
    with pytest.raises(UsageError, match="later than the divisions"):
        menpai.parse("文三路1号", as_of=2050)
