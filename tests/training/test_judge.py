from __future__ import annotations

import numpy as np
import pytest

from training.judge import judge

SURE = np.eye(3)


def test_all_right() -> None:
    figures = judge(SURE[[0, 1, 2, 2]], np.array([0, 1, 2, 2]))
    assert figures["macro_f1"] == 1.0
    assert figures["f1"] == {"exact_match": 1.0, "partial_match": 1.0, "not_match": 1.0}
    assert figures["count"] == {"exact_match": 1, "partial_match": 1, "not_match": 2}
    assert figures["log_loss"] == figures["ece"] == 0.0


def test_f1_by_hand() -> None:
    """Guesses 0 0 1 2 against labels 0 1 1 2: F1 of 2/3, 2/3 and 1."""
    figures = judge(SURE[[0, 0, 1, 2]], np.array([0, 1, 1, 2]))
    assert list(figures["f1"].values()) == [0.6667, 0.6667, 1.0]
    assert figures["macro_f1"] == pytest.approx(0.7778)
    assert figures["ece"] == 0.25, "sure of everything, right three times in four"


def test_calibration_error_is_the_gap_between_sureness_and_truth() -> None:
    rows = np.array([[0.8, 0.1, 0.1]] * 10)
    labels = np.array([0] * 8 + [1] * 2)
    figures = judge(rows, labels)
    assert figures["ece"] == pytest.approx(0.0, abs=1e-9)
    assert figures["log_loss"] == pytest.approx(-(8 * np.log(0.8) + 2 * np.log(0.1)) / 10, abs=1e-4)
    assert judge(rows, np.array([0] * 10))["ece"] == pytest.approx(0.2)


def test_a_class_that_nobody_names_has_no_f1() -> None:
    assert judge(SURE[[0, 0]], np.array([0, 1]))["f1"]["not_match"] == 0.0
