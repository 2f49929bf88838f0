"""Labels as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from menpai.errors import UsageError
from menpai.tables.labels import read_labels, read_positive


def read(*values: Any, two_class: bool = False) -> list[Any]:
    return list(read_labels(list(enumerate(values, 2)), "t.csv", two_class))


@pytest.mark.parametrize(
    "values",
    [("exact_match", "partial_match", "not_match"), ("2", "1", "0"), (2, 1, 0), ("2.0", "1.0", "0.0"),
     ("完全匹配", "部分匹配", "不匹配"), ("Exact", "PARTIAL ", " not"), ("exact", "1", "不匹配")],
)  # fmt: skip
def test_three_classes(values: tuple[Any, ...]) -> None:
    assert read(*values) == ["exact_match", "partial_match", "not_match"]


@pytest.mark.parametrize(
    "values",
    [("1", "0"), (1, 0), (True, False), ("true", "FALSE"), ("是", "否"), ("匹配", "不匹配"), ("yes", "no")],
)
def test_two_classes(values: tuple[Any, ...]) -> None:
    assert read(*values) == [True, False]


def test_a_two_makes_numbers_three_classes() -> None:
    assert read("1", "0", "2") == ["partial_match", "not_match", "exact_match"]


def test_same_building_is_two_classes_whatever_occurs() -> None:
    assert read("0", "0", two_class=True) == [False, False]
    with pytest.raises(UsageError, match="line 2: unknown label '2'"):
        read("2", two_class=True)


@pytest.mark.parametrize("value", ["3", "maybe", "", None, "exact match"])
def test_an_unknown_label_is_named_with_its_line(value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        read("exact", value)
    assert "t.csv, line 3: unknown label" in str(caught.value)
    assert "partial" in str(caught.value)


def test_positive() -> None:
    assert read_positive("exact") == {"exact_match"}
    assert read_positive("exact,partial_match") == {"exact_match", "partial_match"}
    for wrong in ("", "exact,", "yes", "exact,partial,not"):
        with pytest.raises(UsageError, match="positive"):
            read_positive(wrong)
