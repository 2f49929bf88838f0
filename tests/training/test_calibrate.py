"""The linear models over the evidence. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from menpai.evidence import FEATURES

pytestmark = pytest.mark.slow
NAMES = [f.name for f in FEATURES]


def calibrate() -> Any:
    return import_module("training.calibrate")


def made(rows: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose label three features give away: same number, other number, other road."""
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 3, rows)
    features = np.zeros((rows, len(FEATURES)), dtype=np.float32)
    for label, name in enumerate(("roadno_equal", "roadno_differs", "road_differs")):
        features[labels == label, NAMES.index(name)] = 1
    return features, labels


def test_the_weights_find_the_labels_and_keep_their_signs() -> None:
    features, labels = made()
    model = calibrate().fit_linear(features, labels, steps=200)
    found = calibrate().probabilities(model, features)
    assert found.shape == (300, 3)
    assert (found.argmax(1) == labels).all()
    assert all(f.sign * weight >= 0 for f, weight in zip(FEATURES, model.exact, strict=False))
    assert model.encoder == 0.0


def test_a_weight_is_held_to_its_sign_against_the_rows() -> None:
    features, labels = made()
    turned = calibrate().fit_linear(features, np.array([1, 0, 2])[labels], steps=200)
    assert turned.exact[NAMES.index("roadno_equal")] == 0.0
    assert turned.exact[NAMES.index("roadno_differs")] == 0.0


def test_the_encoder_gets_a_scale_of_its_own() -> None:
    features, labels = made()
    encoder = np.eye(3, dtype=np.float32)[labels]
    model = calibrate().fit_linear(np.zeros_like(features), labels, encoder, steps=200)
    assert model.encoder > 1
    assert (calibrate().probabilities(model, np.zeros_like(features), encoder).argmax(1) == labels).all()


def test_how_sure_it_is_follows_no_evidence_against() -> None:
    features, labels = made()
    encoder = np.eye(3, dtype=np.float32)[labels]
    model = calibrate().fit_linear(features, labels, encoder, steps=100, sure=True)
    assert all(weight == 0 for f, weight in zip(FEATURES, model.sure, strict=False) if f.sign < 0)
    assert model.sure[-1] == 0
    assert np.abs(model.sure).max() > 0


def test_the_same_rows_give_the_same_weights() -> None:
    features, labels = made()
    one, two = (calibrate().fit_linear(features, labels, steps=50) for _ in range(2))
    assert one.to_json() == two.to_json()


@pytest.mark.parametrize(
    ("wrong", "allowed", "threshold"),
    [
        ([], 0.0, 0.5),  # always right: from the least sure on
        ([3], 0.0, 0.7),  # the least sure one is wrong
        ([0], 0.0, 1.1),  # the surest one is wrong: never
        ([0], 0.25, 0.5),
    ],
)
def test_the_threshold_of_the_fast_scorer(wrong: list[int], allowed: float, threshold: float) -> None:
    sure = np.array([0.9, 0.8, 0.7, 0.5])
    fast = np.stack([sure, 1 - sure, np.zeros(4)], 1)
    full = np.eye(3)[[1 if at in wrong else 0 for at in range(4)]]
    labels = full.argmax(1)  # the full model is right, the fast one says 0 everywhere
    assert calibrate().clear_threshold(fast, full, labels, allowed) == pytest.approx(threshold, abs=2e-3)


def test_identical_texts_are_nearly_always_the_same_place() -> None:
    found = calibrate().identical_probabilities(np.array([0] * 50 + [1]))
    assert sum(found) == pytest.approx(1)
    assert found[0] > 0.98 > 0.02 > found[1] > found[2] > 0
    assert calibrate().identical_probabilities(np.array([], dtype=int))[0] > 0.99
