from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.evidence.names import dice, grams, relate_name, relate_names, relate_rest
from menpai.evidence.relation import Relation
from tests import strategies

names = st.one_of(
    st.sampled_from(strategies.ROADS + strategies.ESTATES + strategies.VILLAGES),
    st.text("东西南北一二海月花园路街A1", min_size=1, max_size=8),
)


@pytest.mark.parametrize(
    ("x", "y", "relation"),
    [
        ("文三路", "文三路", Relation.EQUAL),
        ("海月花园", "海月", Relation.CONTAINS),
        ("海月花园", "桂语海月花园", Relation.CONTAINS),
        ("人社局", "人力社保局", Relation.SIMILAR),
        ("明发滨江新城", "明发滨江新村", Relation.SIMILAR),
        ("文三路", "文二路", Relation.DIFFERS),
        ("中山东路", "中山西路", Relation.DIFFERS),
        ("曹杨一村", "曹杨二村", Relation.DIFFERS),
        ("万达广场A", "万达广场B", Relation.DIFFERS),
        ("海月花园", "翠微苑", Relation.DIFFERS),
        ("康沈路", "康呻路", Relation.EQUAL),  # a slip of the pen: like sound or shape, or left out
        ("赛达国际", "赛国际", Relation.EQUAL),
        ("莱茵阳光", "来因阳光", Relation.DIFFERS),  # two slips in a short name
        ("德林村", "桂林村", Relation.DIFFERS),
        ("中山东路", "中山冬路", Relation.SIMILAR),  # never in a character that tells two names apart
        ("园", "海月花园", Relation.DIFFERS),  # one character is no name inside another
    ],
)
def test_relate_name(x: str, y: str, relation: Relation) -> None:
    assert relate_name(x, y) == relate_name(y, x) == relation


@given(names, names)
def test_relate_name_is_symmetric(x: str, y: str) -> None:
    assert relate_name(x, y) == relate_name(y, x)


@given(st.lists(names, max_size=3), st.lists(names, max_size=3))
def test_names_relate_alike_in_both_orders(a: list[str], b: list[str]) -> None:
    assert relate_names(a, b)[0] == relate_names(b, a)[0]
    assert relate_rest(a, b)[0] == relate_rest(b, a)[0]


@given(st.lists(names, max_size=3), st.lists(names, max_size=3))
def test_the_names_quoted_change_sides_with_the_lists(a: list[str], b: list[str]) -> None:
    relation, x, y = relate_names(a, b)
    assert relate_names(b, a) == (relation, y, x)


def test_of_several_names_the_closest_two_are_quoted() -> None:
    found = relate_names(["文三路", "学院路"], ["教工路", "学院路"])
    assert found == (Relation.EQUAL, "学院路", "学院路")


def test_a_name_on_one_side_is_missing() -> None:
    assert relate_names(["文三路"], []) == (Relation.MISSING, "文三路", "")
    assert relate_names([], ["文三路"]) == (Relation.MISSING, "", "文三路")


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (["海月花园"], ["海月花园"], (Relation.ABSENT, "", "")),
        (["海月花园", "山月面馆"], ["海月花园"], (Relation.MISSING, "山月面馆", "")),
        (["海月花园", "山月面馆"], ["海月花园", "翠微书店"], (Relation.DIFFERS, "山月面馆", "翠微书店")),
    ],
)
def test_rest_is_what_stands_beside_the_common_name(a: list[str], b: list[str], expected: object) -> None:
    assert relate_rest(a, b) == expected


@given(names, names)
def test_dice_is_a_share(x: str, y: str) -> None:
    assert 0.0 <= dice(x, y) == dice(y, x) <= 1.0
    assert dice(x, x) == 1.0


def test_grams_are_pairs_and_the_first_character() -> None:
    assert grams("文三路") == {"文", "文三", "三路"}


@pytest.mark.parametrize(
    ("short", "long", "relation"),
    [
        ("师大附中", "湖南师范大学附属中学", Relation.CONTAINS),
        ("矿大", "中国矿业大学", Relation.CONTAINS),
        ("市二院", "龙城市第二人民医院", Relation.CONTAINS),
        ("农商行", "滨海农村商业银行", Relation.CONTAINS),
        ("二院", "第三人民医院", Relation.DIFFERS),
        ("中医院", "市中心人民医院", Relation.DIFFERS),
        ("海大", "海滨大厦", Relation.DIFFERS),
        ("关帝庙", "解州关帝祖庙", Relation.SIMILAR),
        ("龙城大学", "龙城大学附属医院", Relation.DIFFERS),
        ("龙城大学", "龙城大学中南医院", Relation.DIFFERS),
        ("龙城大学", "龙城大学医学院", Relation.CONTAINS),
        ("中南医院", "龙城大学中南医院", Relation.CONTAINS),
        ("阳光花园", "阳光海岸花园", Relation.SIMILAR),
        ("山东村", "龙山上东头村", Relation.DIFFERS),
    ],
)
def test_the_short_names_of_institutions(short: str, long: str, relation: Relation) -> None:
    assert relate_name(short, long) == relate_name(long, short) == relation
