from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.evidence.divisions import common_division
from menpai.evidence.relation import Relation
from menpai.evidence.side import side_of
from menpai.parsing import parse
from menpai.text import normalize
from menpai.verdict import Conflict
from tests import strategies

# Divisions in full, from the middle, and bare names that several units bear.
division_texts = st.one_of(
    st.sampled_from(strategies.DIVISIONS).map("".join),
    st.sampled_from(strategies.DIVISIONS).map(lambda names: "".join(names[1:])),
    st.sampled_from(strategies.DIVISIONS).map(lambda names: "".join(names[2:])),
    st.sampled_from(
        ("朝阳区", "鼓楼区", "西湖区", "吉林", "城关街道", "海淀", "闸北区", "长安区王曲街道", "")
    ),
)


def found(a: str, b: str) -> tuple[str, Conflict | None]:
    common = common_division(*(side_of(parse(normalize(x))).divided for x in (a, b)))
    return common.level, common.conflict


@pytest.mark.parametrize(
    ("a", "b", "level", "conflict"),
    [
        ("浙江省杭州市西湖区", "浙江省杭州市西湖区", "district", None),
        ("浙江省杭州市西湖区", "杭州市", "city", None),
        ("北京市朝阳区", "吉林省长春市朝阳区", "none", ("province", "北京市", "吉林省")),
        ("北京市朝阳区", "长春市朝阳区", "none", ("city", "北京市", "长春市")),
        ("朝阳区", "北京市朝阳区", "district", None),
        ("朝阳区", "吉林省长春市", "city", None),
        ("南京市鼓楼区", "徐州市鼓楼区", "province", ("city", "南京市", "徐州市")),
        ("杭州市西湖区", "杭州市上城区", "city", ("district", "西湖区", "上城区")),
        ("上海市闸北区", "上海市静安区", "district", None),
        ("上海市闸北区", "上海市虹口区", "city", ("district", "静安区", "虹口区")),
        ("北京市海淀区上地街道", "北京市海淀区清河街道", "district", ("town", "上地街道", "清河街道")),
        ("文三路123号", "杭州市", "none", None),
    ],
)
def test_common_division(a: str, b: str, level: str, conflict: tuple[str, str, str] | None) -> None:
    assert found(a, b) == (level, conflict and Conflict(*conflict))


@given(division_texts, division_texts)
def test_common_division_is_symmetric(a: str, b: str) -> None:
    level, conflict = found(a, b)
    assert found(b, a) == (level, conflict and Conflict(conflict.element, conflict.b, conflict.a))


@given(division_texts)
def test_a_text_agrees_with_itself(text: str) -> None:
    assert found(text, text)[1] is None


@given(division_texts, division_texts)
def test_a_contradiction_is_quoted_from_both_sides(a: str, b: str) -> None:
    _, conflict = found(a, b)
    assert conflict is None or (conflict.a and conflict.b and conflict.a != conflict.b)


@given(division_texts, division_texts)
def test_a_level_is_missing_only_if_one_side_writes_it(a: str, b: str) -> None:
    common = common_division(*(side_of(parse(normalize(x))).divided for x in (a, b)))
    for level, relation in common.relations.items():
        written = [bool(text) for text in common.texts[level]]
        assert relation != Relation.MISSING or sum(written) == 1, level
