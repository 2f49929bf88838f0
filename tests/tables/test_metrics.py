"""Figures against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from menpai.tables import metrics

# gold:      exact ×3      partial ×2   not ×1
GOLD = np.array([0, 0, 0, 1, 1, 2])
PREDICTED = np.array([0, 0, 1, 1, 2, 2])


def test_confusion_by_hand() -> None:
    counts = metrics.confusion(GOLD, PREDICTED, 3)
    assert counts.tolist() == [[2, 1, 0], [0, 1, 1], [0, 0, 1]]


def test_per_class_by_hand() -> None:
    rows = metrics.per_class(metrics.confusion(GOLD, PREDICTED, 3))
    assert [row["count"] for row in rows] == [3, 2, 1]
    assert [row["precision"] for row in rows] == pytest.approx([1.0, 1 / 2, 1 / 2])
    assert [row["recall"] for row in rows] == pytest.approx([2 / 3, 1 / 2, 1.0])
    assert [row["f1"] for row in rows] == pytest.approx([4 / 5, 1 / 2, 2 / 3])


def test_macro_f1_and_accuracy_by_hand() -> None:
    counts = metrics.confusion(GOLD, PREDICTED, 3)
    assert metrics.macro_f1(counts) == pytest.approx((4 / 5 + 1 / 2 + 2 / 3) / 3)
    assert metrics.accuracy(counts) == pytest.approx(4 / 6)


def test_macro_f1_is_over_classes_that_gold_has() -> None:
    counts = metrics.confusion(np.array([0, 0, 1]), np.array([0, 2, 1]), 3)
    assert metrics.macro_f1(counts) == pytest.approx((2 / 3 + 1.0) / 2)
    assert metrics.per_class(counts)[2] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "count": 0}


def test_nothing_is_zero_not_an_error() -> None:
    counts = metrics.confusion(np.array([], dtype=int), np.array([], dtype=int), 3)
    assert metrics.macro_f1(counts) == metrics.accuracy(counts) == 0.0
    assert metrics.ece(np.array([]), np.array([], dtype=bool)) == 0.0


def test_ece_by_hand() -> None:
    # Two in the bin (0.6, 0.667]: mean confidence 0.63, half right; two at 1.0, both right.
    sure = np.array([0.62, 0.64, 1.0, 1.0])
    right = np.array([True, False, True, True])
    assert metrics.ece(sure, right) == pytest.approx(0.5 * abs(0.63 - 0.5))


def test_ece_of_a_calibrated_set_is_zero_and_of_a_boaster_is_his_excess() -> None:
    assert metrics.ece(np.full(4, 0.75), np.array([True, True, True, False])) == pytest.approx(0.0)
    assert metrics.ece(np.full(10, 0.9), np.arange(10) < 4) == pytest.approx(0.5)
