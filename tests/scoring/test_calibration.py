"""Calibration: rising lines over the scorer's own probabilities."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import BrokenArtefactError
from menpai.evidence import measure
from menpai.packs import open_pack
from menpai.packs.derive import derive
from menpai.scoring import cascade, open_cascade
from menpai.scoring.calibration import Calibration, Line, fit
from menpai.verdict import Probabilities
from tests.judging import case_pairs, comparison, small_pack, small_weights

SHARES = st.floats(0.001, 1.0)
PROBABILITIES = st.tuples(SHARES, SHARES, SHARES).map(lambda p: Probabilities(*(x / sum(p) for x in p)))
LINES = st.builds(Line, st.floats(0.05, 5), st.floats(-5, 5))
CALIBRATIONS = st.builds(Calibration, LINES, LINES)


@given(PROBABILITIES, CALIBRATIONS)
def test_three_probabilities_that_sum_to_one(given_: Probabilities, calibration: Calibration) -> None:
    found = calibration.apply(given_)
    assert sum(found) == pytest.approx(1, abs=1e-12)
    assert all(0 <= p <= 1 for p in found)


@given(PROBABILITIES, PROBABILITIES, CALIBRATIONS)
def test_what_lowers_the_probability_of_exact_never_raises_it(
    a: Probabilities, b: Probabilities, calibration: Calibration
) -> None:
    low, high = sorted((a, b), key=lambda p: p.exact_match)
    assert calibration.apply(low).exact_match <= calibration.apply(high).exact_match + 1e-12


@given(PROBABILITIES, CALIBRATIONS, CALIBRATIONS)
def test_two_calibrations_are_one(given_: Probabilities, first: Calibration, then: Calibration) -> None:
    assert then.after(first).apply(given_) == pytest.approx(then.apply(first.apply(given_)), abs=1e-6)


@given(PROBABILITIES)
def test_the_default_changes_nothing(given_: Probabilities) -> None:
    assert Calibration().apply(given_) == pytest.approx(given_, abs=1e-9)


def test_the_fit_finds_what_was_twisted() -> None:
    rng = np.random.default_rng(3)
    true = rng.dirichlet([1, 1, 1], 4000)
    truths = [int(rng.choice(3, p=p)) for p in true]
    twisted = Calibration(Line(2.5, 0.8), Line(0.5, -0.4))
    scores = [twisted.apply(Probabilities(*p)) for p in true.tolist()]
    found = fit(scores, truths)
    back = np.array([found.apply(p) for p in scores])
    assert np.abs(back - true).mean() < 0.02
    assert np.abs(np.array(scores) - true).mean() > 0.1


def test_of_two_classes_only_the_first_question_is_answered() -> None:
    scores = [(0.9, 0.05, 0.05), (0.2, 0.5, 0.3)] * 100
    found = fit(scores, [True, True, False, False] * 50)
    assert found.area == Line()
    assert found.same.at(0.0) == pytest.approx(0.5, abs=0.1)
    assert found.apply(Probabilities(*scores[0])).exact_match < 0.65


def test_slopes_stay_above_zero_whatever_the_labels_say() -> None:
    backwards = fit([(0.9, 0.05, 0.05), (0.1, 0.8, 0.1)] * 200, [1, 0] * 200)
    assert backwards.same.slope > 0
    assert math.isfinite(backwards.same.shift)


def calibrated(folder: Path, value: object) -> Path:
    pack = small_pack(folder / "plain", weights=small_weights(clear=0.8))
    derive(pack, folder / "new", {"calibration": ("calibration.json", json.dumps(value).encode())}, {})
    return folder / "new"


def test_a_pack_gives_calibrated_scores_alone_and_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        cascade, "with_least", lambda given: given
    )  # which comes after, and is tested elsewhere
    calibration = Calibration(Line(0.5, -0.3), Line(0.7, 0.2))
    path = calibrated(tmp_path, calibration.to_json())
    plain, new = (open_cascade(open_pack(each), "onnx") for each in (tmp_path / "plain", path))
    compared = [comparison(a, b) for a, b in case_pairs()]
    before, after = (each.score(compared, measure(compared)) for each in (plain, new))
    assert [score.decided_by for score in before] == [score.decided_by for score in after]
    for one, other in zip(before, after, strict=True):
        wanted = one.probabilities if one.decided_by == "exact" else calibration.apply(one.probabilities)
        assert other.probabilities == wanted
    assert [new.score([c], measure([c]))[0] for c in compared] == after
    turned = [comparison(b, a) for a, b in case_pairs()]
    assert [score.probabilities for score in new.score(turned, measure(turned))] == [
        s.probabilities for s in after
    ]


@pytest.mark.parametrize("value", [{}, {"same": [0, 1], "area": [1, 0]}, {"same": [1], "area": [1, 0]}, [1]])
def test_a_calibration_that_is_none_is_refused(tmp_path: Path, value: object) -> None:
    with pytest.raises(BrokenArtefactError) as caught:
        open_cascade(open_pack(calibrated(tmp_path, value)), "onnx")
    assert caught.value.code == "pack_invalid"
