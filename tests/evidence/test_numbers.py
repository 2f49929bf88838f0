from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.evidence.numbers import members, relate_numbers
from menpai.evidence.relation import Relation

plain = st.integers(1, 30).map(str)
value = st.one_of(
    plain, st.tuples(plain, plain).map("-".join), st.lists(plain, min_size=2, max_size=3).map(",".join)
)
side = st.lists(value, min_size=1, max_size=2)


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("123", "123", Relation.EQUAL),
        ("2,4", "4,2", Relation.EQUAL),
        ("1-5", "3", Relation.CONTAINS),
        ("1-5", "5", Relation.CONTAINS),
        ("1-5", "4-9", Relation.CONTAINS),
        ("2,4", "4", Relation.CONTAINS),
        ("88", "88-1", Relation.CONTAINS),
        ("1-5", "6", Relation.DIFFERS),
        ("2,4", "3", Relation.DIFFERS),
        ("12", "112", Relation.DIFFERS),
        ("123", "123弄", Relation.DIFFERS),
        ("88-1", "88-2", Relation.DIFFERS),
        ("A", "B", Relation.DIFFERS),
    ],
)
def test_relate_numbers(a: str, b: str, relation: Relation) -> None:
    assert relate_numbers([a], [b]) == (relation, a, b)
    assert relate_numbers([b], [a]) == (relation, b, a)


@given(side, side)
def test_relate_numbers_is_symmetric(a: list[str], b: list[str]) -> None:
    relation, x, y = relate_numbers(a, b)
    assert relate_numbers(b, a) == (relation, y, x)


@given(side)
def test_a_side_equals_itself(a: list[str]) -> None:
    assert relate_numbers(a, a)[0] == Relation.EQUAL


def test_a_number_on_one_side_is_missing() -> None:
    assert relate_numbers(["3"], []) == (Relation.MISSING, "3", "")
    assert relate_numbers([], ["3"]) == (Relation.MISSING, "", "3")


@pytest.mark.parametrize(
    ("written", "inside", "outside"),
    [
        ("1-3", {"1", "2", "3"}, {"4", "13"}),
        ("2,4", {"2", "4"}, {"3", "24"}),
        ("1-3,7", {"2", "7"}, {"5"}),
        ("1-99999", {"1"}, {"501"}),  # wider than any range of houses: a number and a sub-number
        ("5-3", {"5"}, {"4"}),
    ],
)
def test_members(written: str, inside: set[str], outside: set[str]) -> None:
    known = frozenset.union(*members(written))
    assert inside <= known
    assert not outside & known


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ("甲12", "12甲", Relation.EQUAL),
        ("甲12", "乙12", Relation.DIFFERS),
        ("甲12", "12", Relation.DIFFERS),
        ("112附3", "112-3", Relation.EQUAL),
        ("112附3", "112附13", Relation.DIFFERS),
        ("112附3", "112", Relation.CONTAINS),
        ("1附9", "5", Relation.DIFFERS),
        ("T1", "1", Relation.EQUAL),
        ("T1", "2", Relation.DIFFERS),
        ("A1", "1", Relation.DIFFERS),
    ],
)
def test_spellings_of_one_number(a: str, b: str, relation: Relation) -> None:
    assert relate_numbers([a], [b])[0] == relate_numbers([b], [a])[0] == relation


@pytest.mark.parametrize(
    ("a", "b", "relation", "x"),
    [
        (["23,25,27", "23"], ["23"], Relation.EQUAL, "23"),
        (["77", "77,78"], ["77"], Relation.EQUAL, "77"),
        (["A,B,C", "A"], ["A"], Relation.EQUAL, "A"),
        (["117-118", "118"], ["118"], Relation.EQUAL, "118"),
        (["23,25,27", "23"], ["25"], Relation.DIFFERS, "23"),
        (
            ["23,25", "27"],
            ["27"],
            Relation.CONTAINS,
            "23,25,27",
        ),  # of two that do not hold each other both count
    ],
)
def test_of_a_list_and_its_member_the_member_counts(
    a: list[str], b: list[str], relation: Relation, x: str
) -> None:
    assert relate_numbers(a, b) == (relation, x, b[0])
    assert relate_numbers(b, a) == (relation, b[0], x)
