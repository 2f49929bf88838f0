from __future__ import annotations

import pytest
from hypothesis import given

from menpai.evidence import Relation, compare
from menpai.parsing import parse
from menpai.text import normalize
from tests import strategies
from tests.judging import comparison, pairs


def test_each_element_is_laid_beside_its_like() -> None:
    c = comparison("杭州市西湖区文三路123号海月花园3幢2单元", "文三路125号海月花园3号楼501室")
    assert c.relations["road"] == c.relations["poi"] == c.relations["building"] == Relation.EQUAL
    assert c.relations["roadno"] == Relation.DIFFERS
    assert c.relations["unit"] == c.relations["room"] == Relation.MISSING
    assert c.texts["roadno"] == ("123号", "125号")
    assert "floor" not in c.relations


def test_a_crossing_gives_its_roads() -> None:
    c = comparison("文三路与学院路交叉口", "学院路123号")
    assert c.relations["road"] == Relation.EQUAL


@given(pairs())
def test_relations_are_symmetric_and_texts_change_sides(pair: tuple[str, str]) -> None:
    a, b = pair
    there, back = comparison(a, b), comparison(b, a)
    assert there.relations == back.relations
    assert there.division_level == back.division_level
    assert there.texts == {kind: (y, x) for kind, (x, y) in back.texts.items()}


@given(strategies.messy_addresses())
def test_a_text_equals_itself_in_every_element(text: str) -> None:
    address = parse(normalize(text))
    c = compare(address, address)
    assert c.identical
    assert c.division_conflict is None
    assert set(c.relations.values()) <= {Relation.EQUAL, Relation.ABSENT}


@pytest.mark.parametrize(
    ("a", "b", "level"),
    [
        ("南京市鼓楼区挹江门街道", "鼓楼区挹江门街萨家湾3号", "town"),
        ("鼓楼区挹江门街道", "鼓楼区萨家湾3号", "district"),
        ("南京市鼓楼区挹江门街道", "无锡市挹江门街3号", "none"),
    ],
)
def test_a_town_without_its_kind_is_the_town(a: str, b: str, level: str) -> None:
    there, back = comparison(a, b), comparison(b, a)
    assert there.division_level == back.division_level
    assert (there.relations.get("town") == Relation.EQUAL) == (level == "town")


def test_a_number_in_an_estate_is_a_building() -> None:
    assert comparison("海月花园3号楼", "海月花园3号").relations["building"] == Relation.EQUAL
    assert comparison("海月花园3号楼", "海月花园5号").relations["building"] == Relation.DIFFERS
    assert "roadno" not in comparison("海月花园3号楼", "海月花园5号").relations


def test_divisions_behind_the_place_are_no_detail() -> None:
    assert comparison("春光港湾小区12号楼 重庆市渝北区", "重庆市渝北区春光港湾小区12号楼").details == (
        "春光港湾小区12号楼",
        "春光港湾小区12号楼",
    )
