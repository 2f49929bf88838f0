"""Precision and recall from a sample: right on the whole, their intervals hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from menpai.tables.review.estimate import Counts, estimate
from menpai.tables.review.sample import Stratum

JOINED = {Stratum(True, 3): (400, 0.8), Stratum(True, 4): (3000, 0.99)}
OTHERS = {Stratum(False, 0): (5000, 0.002), Stratum(False, 2): (900, 0.1), Stratum(False, 3): (200, 0.4)}


def test_all_asked_leaves_no_doubt() -> None:
    found = estimate({Stratum(True, 4): Counts(10, 10, 8), Stratum(False, 1): Counts(20, 20, 2)})
    assert found.precision == (0.8, 0.8, 0.8)
    assert found.recall == (0.8, 0.8, 0.8)


def test_strata_count_by_their_size() -> None:
    found = estimate({Stratum(True, 3): Counts(100, 10, 5), Stratum(True, 4): Counts(900, 10, 10)})
    assert found.precision is not None
    assert found.precision.value == pytest.approx(0.95)
    assert found.precision.low < 0.95 < found.precision.high
    assert found.recall is None


def test_a_stratum_that_nobody_was_asked_about_keeps_the_value_open() -> None:
    found = estimate({Stratum(True, 4): Counts(100, 30, 30), Stratum(False, 0): Counts(1000, 0, 0)})
    assert found.precision is not None
    assert found.recall is not None
    assert found.precision.value == 1.0
    assert found.recall.value is None
    assert found.recall.high - found.recall.low > 0.5


def test_one_stratum_has_the_interval_of_clopper_and_pearson() -> None:
    """A million pairs, 10 answers, 9 of them one place: 0.555 to 0.997."""
    precision = estimate({Stratum(True, 4): Counts(1_000_000, 10, 9)}).precision
    assert precision is not None
    assert precision.low == pytest.approx(0.555, abs=0.012)
    assert precision.high == pytest.approx(0.9975, abs=0.002)


def test_nothing_joined_has_neither() -> None:
    assert estimate({Stratum(False, 0): Counts(5, 5, 0)}) == (None, None)


def test_no_same_place_at_all() -> None:
    found = estimate({Stratum(True, 4): Counts(5, 5, 0), Stratum(False, 0): Counts(5, 5, 0)})
    assert found.precision == (0.0, 0.0, 0.0)
    assert found.recall is not None
    assert found.recall.value is None


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """150 reviews of made-up outputs of 9,500 pairs, 40 answers a stratum: 95 % intervals."""
    random = np.random.default_rng(7)
    held, values = {"precision": 0, "recall": 0}, []
    for _ in range(150):
        truth = {name: random.random(size) < share for name, (size, share) in (JOINED | OTHERS).items()}
        counts = {
            name: Counts(len(same), 40, int(random.choice(same, 40, replace=False).sum()))
            for name, same in truth.items()
        }
        right, all_ = (sum(int(truth[name].sum()) for name in names) for names in (JOINED, truth))
        found = estimate(counts)
        for name, value in (("precision", right / 3400), ("recall", right / all_)):
            interval = getattr(found, name)
            held[name] += interval.low <= value <= interval.high
        values.append(found.precision.value - right / 3400 if found.precision else 1)
    assert held["precision"] >= 0.95 * 150
    assert held["recall"] >= 0.95 * 150
    assert abs(float(np.mean(values))) < 0.004
