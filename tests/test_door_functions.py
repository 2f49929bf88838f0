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
