"""The labels of our own keep their form, name nobody, and what is held back stays held back."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from menpai.address import LEVELS
from menpai.verdict import LABELS
from training.data import LABELS_FOLDER, OURS, Labelled, fold_of, folds_of_ours

FOLDS = 5
_PHONE = re.compile(r"1[3-9]\d{9}|0\d{2,3}-?\d{7,8}(?!\d)")


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a labelled file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("name", OURS)
def test_each_row_is_whole_and_within_the_guide(name: str) -> None:
    found = rows(LABELS_FOLDER / name)
    assert len({row["id"] for row in found}) == len(found) > 1000
    for row in found:
        assert all(row[column].strip() for column in ("address_a", "address_b", "place")), row
        assert row["label"] in LABELS, row
        assert {row["level"], row["conflict"]} <= set(LEVELS), row
        assert row["confidence"] in ("high", "low"), row
        assert not _PHONE.search(row["address_a"] + row["address_b"]), row


@pytest.mark.parametrize("name", OURS)
def test_no_pair_is_judged_twice(name: str) -> None:
    pairs = Counter(frozenset((row["address_a"], row["address_b"])) for row in rows(LABELS_FOLDER / name))
    assert [pair for pair, count in pairs.items() if count > 1] == []


def labelled(a: str, place: str) -> Labelled:
    return Labelled(a, "文丰路3号", 0, place, "pairs")


def test_a_row_that_names_a_place_held_back_is_held_back_too() -> None:
    held = fold_of("西湖区", FOLDS)
    other = next(city for city in ("甲市", "乙市", "丙市", "丁市") if fold_of(city, FOLDS) != held)
    gold = [labelled("西湖区海月花园3幢", "西湖区")]
    ours = [
        labelled("杭州西湖区望湖公馆", other),
        labelled("望湖公馆2幢", other),
        labelled("松涛雅苑", "西湖区"),
    ]
    assert folds_of_ours(gold, ours, FOLDS, held) == [held, fold_of(other, FOLDS), held]
