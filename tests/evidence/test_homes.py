"""Divisions in front of names: part of the name, of another time, or of another place."""

from __future__ import annotations

import pytest

from menpai.evidence import Comparison, Relation, compare
from menpai.parsing import parse
from menpai.text import normalize


def compared(a: str, b: str) -> Comparison:
    left, right = parse(normalize(a)), parse(normalize(b))
    assert compare(left, right).relations == compare(right, left).relations
    return compare(left, right)


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("烟台市芝罘区北马路烟台大悦城", "烟台大悦城", Relation.EQUAL),
        ("南京市鼓楼区南京鼓楼医院", "南京市鼓楼医院", Relation.EQUAL),
        ("南京市鼓楼区中山路南京龙翔百货", "南京市中山路烟台龙翔百货", Relation.SIMILAR),
        ("烟台市芝罘区大悦城", "烟台市芝罘区海港大悦城", Relation.CONTAINS),
    ],
)
def test_a_name_with_its_division_in_front_is_the_same(a: str, b: str, relation: Relation) -> None:
    assert compared(a, b).relations["poi"] == relation


def test_a_name_that_begins_like_a_county_is_no_county() -> None:
    found = compared("银川市永宁县蓝山帝景15号楼", "蓝山帝景15号楼")
    assert found.division_conflict is None
    assert found.relations["poi"] == Relation.EQUAL


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("银川市永宁县帝景15号楼", "蓝山县帝景15号楼"),
        ("银川市永宁县帝景15号楼", "蓝山帝景15号楼"),
        ("永兴县马田镇邝家村", "桂阳县马田镇邝家村"),
        ("上海市闸北区共和新路1号", "上海市虹口区共和新路1号"),
    ],
)
def test_other_counties_still_contradict(a: str, b: str) -> None:
    assert compared(a, b).division_conflict is not None


def test_a_town_that_moved_into_another_district_is_one() -> None:
    found = compared("邯郸县南堡乡酒务楼村", "河北省邯郸市丛台区南堡乡酒务楼村")
    assert found.division_conflict is None
    assert found.relations["district"] == Relation.MISSING
    assert compared("邯郸县河沙镇镇小堤村", "河北省邯郸市永年区小龙马乡小堤村").division_conflict is not None
