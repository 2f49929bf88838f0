"""Slips of the pen: what is one name written twice, and what keeps two names apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import menpai
from menpai.evidence import compare
from menpai.evidence.slips import alike, miswritten, slip_of


@pytest.mark.parametrize(
    ("x", "y", "found"),
    [
        ("志丹路", "志路", True),
        ("翠屏南路", "萃坪南路", True),
        ("海月花园", "海悦花圆", True),
        ("翠微家园", "微家圆", True),  # one left out, one written otherwise
        ("翠微家园", "微圆", False),
        ("静园小区", "静苑小区", False),  # both are kinds of places
        ("建设东路", "建社西路", False),
        ("建设二路", "建社三路", False),
        ("文三路", "闻路", False),  # too short for two
        ("海月花园", "海月花园", False),
        ("翠微苑", "望京园", False),
        ("桂花社区", "花社区", True),
        ("新建街", "新街", False),  # a street may be called that
        ("芳星园", "芳园", False),
        ("金泰花园", "金都花园", False),
        ("人民南路", "明南路", False),
    ],
)
def test_miswritten(x: str, y: str, found: bool) -> None:
    assert miswritten(x, y) == miswritten(y, x) == found


def test_of_near_roads_less_has_to_stay() -> None:
    assert not miswritten("小木桥路", "小峭路")
    assert miswritten("小木桥路", "小峭路", near=True)


@given(st.text("东西海月花园悦圆路3", max_size=6), st.text("东西海月花园悦圆路3", max_size=6))
def test_it_is_symmetric_and_no_text_is_miswritten_as_itself(x: str, y: str) -> None:
    assert miswritten(x, y) == miswritten(y, x)
    assert not miswritten(x, x)


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("园", "圆", True),
        ("河", "何", True),
        ("园", "苑", False),
        ("东", "冬", False),
        ("双", "霜", True),
        ("百", "千", False),
        ("2", "3", False),
    ],
)
def test_characters_alike(a: str, b: str, found: bool) -> None:
    assert alike(a, b) == alike(b, a) == found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("普陀区志丹路500弄", "上海市普陀区志路500弄"),
        ("西湖区翠屏南路12号", "杭州市西湖区萃坪南路12号1203室"),
        ("北仑区海悦花圆5幢", "宁波市北仑区海月花园5号楼"),
        ("渝北区回兴镇海悦花圆5幢", "渝北区回兴街道海月花园5幢"),
        ("海淀区引风社区5号", "海淀区引凤社区5号楼"),
    ],
)
def test_a_slip_where_the_number_agrees(a: str, b: str) -> None:
    assert slip_of(compare(menpai.parse(a), menpai.parse(b)))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("普陀区志丹路500弄", "上海市普陀区志路502弄"),  # another number
        ("志丹路500弄", "志路500弄"),  # who knows where
        ("普陀区志丹路", "普陀区志路"),  # no number
        ("普陀区志丹路500弄", "静安区志路500弄"),
        ("西湖区翠屏南路12号", "西湖区萃坪北路12号"),
        ("北仑区海悦花圆5幢2单元", "北仑区海月花园5幢3单元"),
        ("渝北区回兴街道海悦花圆5幢", "渝北区双凤桥街道海月花园5幢"),
    ],
)
def test_no_slip_where_anything_else_contradicts(a: str, b: str) -> None:
    assert not slip_of(compare(menpai.parse(a), menpai.parse(b)))
