"""Posts on a highway stand for house numbers."""

from __future__ import annotations

import pytest

from menpai.evidence import Relation, compare
from menpai.parsing import parse
from menpai.text import normalize


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("316国道1212公里路边", "G316国道K1212", Relation.EQUAL),
        ("G209国道1012公里", "209国道1012KM", Relation.EQUAL),
        ("312国道2143公里处", "G312国道2145公里", Relation.DIFFERS),
        ("312国道2143公里", "G312国道2143公里+500米", Relation.CONTAINS),
        ("312国道K2143+500", "G312国道2143公里+500米", Relation.EQUAL),
        ("312国道K2143+500", "G312国道2143公里+800米", Relation.DIFFERS),
    ],
)
def test_a_post_is_compared_as_a_number(a: str, b: str, relation: Relation) -> None:
    left, right = parse(normalize(a)), parse(normalize(b))
    assert compare(left, right).relations["roadno"] == relation
    assert compare(right, left).relations["roadno"] == relation


def test_elsewhere_a_distance_is_no_number() -> None:
    left, right = (parse(normalize(f"龙翔超市往北{metres}公里")) for metres in (2, 3))
    assert "roadno" not in compare(left, right).relations
    mall, number = (parse(normalize(f"中山路2号{more}")) for more in (" K11 3楼", ""))
    assert compare(mall, number).relations["roadno"] == Relation.EQUAL
