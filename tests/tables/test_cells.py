"""Cells: nothing that a spreadsheet would run, numbers as numbers, verdict parts as words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import Problem
from menpai.tables.cells import neutral, to_json, to_text
from menpai.verdict import Conflict, Evidence, Probabilities


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=HYPERLINK(1)", "＝1+1",
     "＠x", "--1", "+86 138", "-1-1", "-1-x"],
)  # fmt: skip
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert neutral(text) == "'" + text


@pytest.mark.parametrize(
    "text",
    [
        "-1",
        "+1.5",
        "-.5",
        "-3.2e-5",
        "+8613800000000",
        "-5%",
        "1号=2号",
        "文三路",
        "",
        "-",
        "=",
        "'=1",
        " =1",
        "1-2",
    ],
)
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert neutral(text) == text


@given(st.text())
def test_neutral_twice_is_once_and_loses_nothing(text: str) -> None:
    safe = neutral(text)
    assert neutral(safe) == safe
    assert safe in (text, "'" + text)
    assert not re.match(r"[=@]..", safe)


@pytest.mark.parametrize(
    ("value", "text", "shape"),
    [
        (None, "", None),
        ("x", "x", "x"),
        (0.25, "0.25", 0.25),
        (True, "true", True),
        ({"text": "x"}, '{"text": "x"}', {"text": "x"}),
        (["x", "y"], "x;y", ["x", "y"]),
        ((), "", []),
        (Evidence("road_equal", 1.2345, "同一道路"), "同一道路",
         {"name": "road_equal", "weight": 1.234, "text": "同一道路"}),
        ((Conflict("road", "甲", "乙"), Conflict("unit", "1", "2")), "road_differs;unit_differs",
         [{"name": "road_differs", "element": "road", "a": "甲", "b": "乙"},
          {"name": "unit_differs", "element": "unit", "a": "1", "b": "2"}]),
        (Probabilities(0.5, 0.25, 0.25), "0.5;0.25;0.25",
         {"exact_match": 0.5, "partial_match": 0.25, "not_match": 0.25}),
    ],
)  # fmt: skip
def test_values(value: object, text: str, shape: object) -> None:
    assert to_text(value) == text
    assert to_json(value) == shape


def test_problems_speak_the_language_of_the_table() -> None:
    problem = Problem("row_ragged", {"expected": 3, "found": 2})
    assert to_text(problem, "zh") == "row_ragged: 应有 3 格，实有 2 格"
    assert to_text(problem) == "row_ragged: 2 cells where 3 are expected"
    assert to_json(problem)["hint"] == "check the delimiter, and for a quote that is not closed"
