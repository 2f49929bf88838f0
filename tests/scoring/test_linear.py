from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.evidence import FEATURES
from menpai.packs import open_pack
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import softmax

WIDTH = 4
weights = st.lists(st.floats(-8, 8), min_size=WIDTH + 1, max_size=WIDTH + 1)
tables = st.lists(st.lists(st.floats(0, 1, width=32), min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=5)


def plain_logits(exact: list[float], lean: list[float], row: list[float]) -> list[float]:
    """The formula of the module, for one row."""
    same = sum(x * w for x, w in zip(row, exact, strict=False)) + exact[-1]
    side = sum(x * w for x, w in zip(row, lean, strict=False)) + lean[-1]
    return [same, side / 2, -side / 2]


@given(weights, weights, tables)
def test_logits_equal_their_plain_twin(
    exact: list[float], lean: list[float], rows: list[list[float]]
) -> None:
    found = LinearModel(exact, lean).logits(np.array(rows, dtype=np.float32))
    plain = [plain_logits(exact, lean, row) for row in rows]
    np.testing.assert_allclose(found, plain, atol=1e-9)


@given(weights, weights, tables)
def test_a_row_is_the_same_alone(exact: list[float], lean: list[float], rows: list[list[float]]) -> None:
    model = LinearModel(exact, lean, 0.7)
    features = np.array(rows, dtype=np.float32)
    encoder = features[:, :3] * 3
    together = softmax(model.logits(features, encoder))
    alone = [softmax(model.logits(features[i : i + 1], encoder[i : i + 1]))[0] for i in range(len(rows))]
    assert together == alone


def test_the_encoder_is_added_by_its_scale() -> None:
    features = np.zeros((1, WIDTH), dtype=np.float32)
    model = LinearModel([0.0] * (WIDTH + 1), [0.0] * (WIDTH + 1), 2.0)
    assert model.logits(features, np.array([[1, 2, 3]], dtype=np.float32)).tolist() == [[2.0, 4.0, 6.0]]


def test_json_there_and_back() -> None:
    names = [f.name for f in FEATURES]
    model = LinearModel(list(range(len(names) + 1)), [0.5] * (len(names) + 1), 1.5)
    again = LinearModel.from_json(model.to_json(), names, "here")
    assert again.exact.tolist() == model.exact.tolist()
    assert again.lean.tolist() == model.lean.tolist()
    assert again.encoder == 1.5


@pytest.mark.parametrize("key", ["fast", "blend"])
def test_the_weights_of_the_built_in_pack_have_the_signs_of_their_evidence(key: str) -> None:
    exact = open_pack("menpai-mini").read_json("weights")[key]["exact"]
    wrong = [f.name for f, weight in zip(FEATURES, exact, strict=False) if f.sign * weight < 0]
    assert not wrong


@given(st.lists(st.lists(st.floats(-700, 700), min_size=3, max_size=3), max_size=4))
def test_softmax_gives_probabilities(rows: list[list[float]]) -> None:
    found = softmax(np.array(rows, dtype=np.float64).reshape(-1, 3))
    assert len(found) == len(rows)
    for row, probabilities in zip(rows, found, strict=True):
        assert abs(sum(probabilities) - 1) < 1e-9
        assert min(probabilities) >= 0
        assert max(probabilities) == probabilities[row.index(max(row))]


@given(weights, weights, weights, tables)
def test_how_sure_it_is_moves_no_label_and_leaves_a_row_alone(
    exact: list[float], lean: list[float], sure: list[float], rows: list[list[float]]
) -> None:
    features = np.array(rows, dtype=np.float32)
    plain, sharp = LinearModel(exact, lean), LinearModel(exact, lean, 0.0, sure)
    found, wanted = sharp.logits(features), plain.logits(features)
    assert (np.sign(found) == np.sign(wanted)).all()
    np.testing.assert_allclose(
        found.max(1) * wanted.min(1), found.min(1) * wanted.max(1), rtol=1e-6, atol=1e-9
    )
    assert [sharp.logits(features[i : i + 1]).tolist()[0] for i in range(len(rows))] == found.tolist()


def test_how_sure_it_is_goes_there_and_back_and_is_refused_at_another_length() -> None:
    names = [f.name for f in FEATURES]
    zeros = [0.0] * (len(names) + 1)
    again = LinearModel.from_json(LinearModel(zeros, zeros, 1.0, [*zeros[1:], 0.25]).to_json(), names, "here")
    assert again.sure is not None
    assert again.sure[-1] == 0.25
    with pytest.raises(ValueError, match="inhomogeneous"):
        LinearModel.from_json({"exact": zeros, "lean": zeros, "sure": [0.0]}, names, "here")
