"""Levels and conflicts, given a label; the cases in pairs.tsv say the same for whole verdicts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.address import LEVELS
from menpai.evidence import conflicts, hard_conflicts, level
from menpai.verdict import LABELS
from tests import judging
from tests.judging import comparison, pairs

CONFLICTS = {
    "province",
    "city",
    "district",
    "town",
    "community",
    "road",
    "poi",
    "roadno",
    "building",
    "unit",
    "room",
}


@pytest.mark.parametrize("case", judging.cases(), ids=lambda case: case["id"])
def test_the_label_of_the_guide_gives_its_level_and_conflict(case: dict[str, str]) -> None:
    c = comparison(case["a"], case["b"])
    for label in case["label"].split("/"):
        assert level(c, label) in case["level"].split("/")
        assert [x.element for x in conflicts(c, label)] == [x for x in [case["conflict"]] if x != "none"]


@pytest.mark.parametrize(
    ("a", "b", "element"),
    [
        ("文三路123号", "文三路125号", "roadno"),
        ("文三路123号", "学院路125号", None),  # numbers on two roads say nothing about each other
        ("海月花园3幢", "海月花园5幢", "building"),
        ("海月花园3幢", "翠微苑5幢", None),
        ("海月花园3幢2单元", "海月花园5幢3单元", "building"),  # the coarsest only
        ("南京市东泰花园", "洛阳市东泰花园", "city"),
        ("北京市海淀区上地街道", "北京市海淀区清河街道", None),  # a town is often written wrong
        ("海月花园3幢5层", "海月花园3幢6层", "room"),
        ("上寮村5组", "上寮村6组", "building"),
        ("海月花园", "海月花园3幢", None),
    ],
)
def test_contradictions_that_hold_whatever_the_model_says(a: str, b: str, element: str | None) -> None:
    assert [x.element for x in hard_conflicts(comparison(a, b))] == ([element] if element else [])


def test_a_namesake_is_no_agreement() -> None:
    c = comparison("南京市东泰花园", "洛阳市东泰花园")
    assert level(c, "not_match") == "none"


def test_two_names_of_one_place_are_no_contradiction() -> None:
    c = comparison("西湖区文三路123号人社局", "西湖区文三路123号翠微苑")
    assert not conflicts(c, "exact_match")


@given(pairs(), st.sampled_from(LABELS))
def test_level_and_conflict_are_of_the_promised_kinds_and_symmetric(
    pair: tuple[str, str], label: str
) -> None:
    there, back = comparison(*pair), comparison(*reversed(pair))
    assert level(there, label) in LEVELS
    assert level(there, label) == level(back, label)
    found = conflicts(there, label)
    assert len(found) <= 1
    assert all(x.element in CONFLICTS and x.a and x.b for x in found)
    assert [(x.element, x.b, x.a) for x in found] == list(conflicts(back, label))


@given(pairs())
def test_what_holds_whatever_the_model_says_is_said_under_every_label(pair: tuple[str, str]) -> None:
    c = comparison(*pair)
    for hard in hard_conflicts(c):
        assert all(conflicts(c, label) for label in LABELS), hard


@pytest.mark.parametrize(
    ("a", "b", "label", "wanted"),
    [
        # Hamlets of one village stand for its parts; names of one place contradict nothing.
        ("市山镇翠云村罗家湾", "市山镇翠云村王家湾", "partial_match", ("poi", "building")),
        ("西湖区文三路123号人社局", "西湖区文三路翠微苑", "partial_match", ("poi", "none")),
        ("文三路123号人社局", "文三路125号翠微苑", "partial_match", ("road", "roadno")),
        # A member of a list agrees with it.
        ("海月花园2、4栋", "海月花园4栋", "partial_match", ("building", "none")),
        # Namesakes: the name is where they part.
        ("海月花园", "桂语海月花园", "not_match", ("none", "poi")),
        # Where the model knows that two names are one, both stand at that place.
        ("文三路人社局", "文三路翠微苑", "exact_match", ("poi", "none")),
    ],
)
def test_what_readers_say_of_such_pairs(a: str, b: str, label: str, wanted: tuple[str, str]) -> None:
    c = comparison(a, b)
    assert (level(c, label), next((x.element for x in conflicts(c, label)), "none")) == wanted
