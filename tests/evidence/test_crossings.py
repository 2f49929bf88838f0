"""Crossings are compared with all their roads."""

from __future__ import annotations

import pytest

from menpai.evidence import Relation, compare
from menpai.parsing import parse
from menpai.text import normalize


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("杭州市中山路与文三路交叉口", "文三路与中山路路口", Relation.EQUAL),
        ("中山路与文三路交叉口", "中山路与天目山路交叉口", Relation.DIFFERS),
        ("中山路与文三路交叉口", "中山路与文三西路交叉口", Relation.SIMILAR),
        ("中山路与文三路交叉口", "中山路", Relation.CONTAINS),
        ("中山路与文三路交叉口", "中山路12号", Relation.EQUAL),
        ("中山路与文三路交叉口", "天目山路", Relation.DIFFERS),
        ("中山路与文三路交叉口", "中山路 百货大楼", Relation.EQUAL),
        ("中山路", "中山路", Relation.EQUAL),
    ],
)
def test_a_crossing_is_one_place_if_all_its_roads_agree(a: str, b: str, relation: Relation) -> None:
    left, right = parse(normalize(a)), parse(normalize(b))
    assert compare(left, right).relations["road"] == relation
    assert compare(right, left).relations["road"] == relation


def test_what_parts_two_crossings_is_quoted() -> None:
    texts = [parse(normalize(f"中山路与{road}交叉口")) for road in ("文三路", "天目山路")]
    assert compare(*texts).texts["road"] == ("文三路", "天目山路")
