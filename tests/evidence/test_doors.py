"""Buildings in zones, gates and branches: what is one door in two spellings, and what says nothing."""

from __future__ import annotations

import pytest

from menpai.evidence import Relation, compare
from menpai.parsing import parse
from menpai.text import normalize


def relations(a: str, b: str) -> dict[str, Relation]:
    left, right = parse(normalize(a)), parse(normalize(b))
    found = compare(left, right).relations
    assert found == compare(right, left).relations
    return found


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("海月花园B区12号楼", "海月花园B-12"),
        ("海月花园B区12号楼", "海月花园B12栋"),
        ("海月花园A区3栋2单元", "海月花园A3-2-501"),
        ("海月花园4区12号楼3单元", "海月花园4-12-3-502"),
        ("海月花园C区4栋", "海月花园C-4-301"),
    ],
)
def test_a_building_in_a_zone_is_one_in_two_spellings(a: str, b: str) -> None:
    found = relations(a, b)
    assert found["subpoi"] == found["building"] == Relation.EQUAL
    assert Relation.DIFFERS not in found.values()


@pytest.mark.parametrize(
    ("a", "b", "apart"),
    [
        ("海月花园B区12号楼", "海月花园B-13", "building"),
        ("海月花园B区12号楼", "海月花园A-12", "subpoi"),
        ("海月花园B区12号楼", "海月花园3-12", "building"),
        ("海月花园4区12号楼", "海月花园5-12-3-502", "building"),
        ("海月花园B区12号楼", "海月花园A区12号楼", "subpoi"),
        ("海月花园1期3号楼", "海月花园B3号楼", "building"),
    ],
)
def test_its_neighbours_are_told_apart(a: str, b: str, apart: str) -> None:
    assert relations(a, b)[apart] == Relation.DIFFERS


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("万达广场2号门", "万达广场(铁西店)", Relation.MISSING),
        ("万达广场2号门", "万达广场3号门", Relation.DIFFERS),
        ("万达广场3号口", "万达广场3号出入口", Relation.EQUAL),
        ("龙翔百货(金水店)", "龙翔百货(东门店)", Relation.DIFFERS),
        ("海月花园一期南门", "海月花园二期南门", Relation.DIFFERS),
    ],
)
def test_a_gate_says_nothing_against_a_branch(a: str, b: str, relation: Relation) -> None:
    assert relations(a, b)["subpoi"] == relation
