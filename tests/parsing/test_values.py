from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.parsing import values


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("123", "123"), ("007", "7"), ("0", "0"), ("A05", "A05"), ("第3", "3"), ("2、4、6", "2,4,6"),
        ("1至13", "1-13"), ("88-1", "88-1"), ("01、02", "1,2"), ("甲字5", "甲5"), ("12/13", "12,13"),
        ("38之1", "38-1"), ("385号-3", "385-3"), ("#502", "502"),
    ],
)  # fmt: skip
def test_numbers(written: str, value: str) -> None:
    assert values.numbers(written) == value


@given(st.integers(1, 999))
def test_chinese_numerals_are_counted(number: int) -> None:
    assert values.number(_spelled(number)) == str(number)


def _spelled(number: int) -> str:
    """123 as 一百二十三, 105 as 一百零五."""
    figures = "零一二三四五六七八九"
    hundreds, tens, ones = number // 100, number // 10 % 10, number % 10
    text = figures[hundreds] + "百" if hundreds else ""
    text += figures[tens] + "十" if tens else "零" if hundreds and ones else ""
    return text + (figures[ones] if ones else "")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("阳光小区", "阳光"),
        ("西小区", "西小区"),
        ("阳光住宅小区", "阳光"),
        ("望京 SOHO", "望京SOHO"),
        ("A B", "A B"),
        ("石桥·翠微苑", "石桥翠微苑"),
    ],
)
def test_places(written: str, value: str) -> None:
    assert values.place(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("引凤社区", "引凤"), ("引凤居委会", "引凤"), ("引凤社区居民委员会", "引凤"), ("沙埠村委会", "沙埠村"),
        ("卢家村村民委员会", "卢家村"), ("社区", "社区"),
    ],
)  # fmt: skip
def test_communities(written: str, value: str) -> None:
    assert values.community(written) == value


@given(st.text(max_size=30))
def test_values_are_never_empty(text: str) -> None:
    if text.strip():
        assert values.community(text)
        assert values.group(text)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("G104国道", "G104"), ("104国道", "G104"), ("205省道", "S205"), ("X012县道", "X012"), ("G6京藏高速公路", "京藏高速"),
        ("京藏高速", "京藏高速"), ("国道路", "国道路"), ("5国道", "5国道"),
    ],
)  # fmt: skip
def test_highways(written: str, value: str) -> None:
    assert values.road(written) == value


def test_groups_and_roads() -> None:
    assert (values.group("前进组"), values.group("第九村民小组"), values.group("三连")) == (
        "前进",
        "9",
        "3连",
    )
    assert (values.road("建设路二段"), values.road("三里河路")) == ("建设路2段", "三里河路")
