from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import BrokenArtefactError
from menpai.evidence import FEATURES, measure
from menpai.scoring import Score, open_cascade
from menpai.scoring.encoder import encoder_texts
from menpai.scoring.scorer import LEAST_EXACT, softmax, with_least
from menpai.verdict import Probabilities
from tests import graphs
from tests.judging import case_pairs, comparison, small_pack, small_weights

COMPARISONS = [comparison(a, b) for a, b in case_pairs()]


def scores(path: Path, early: bool = True, **weights: Any) -> list[Score]:
    cascade = open_cascade(small_pack(path, weights=small_weights(**weights)), "onnx", early=early)
    return cascade.score(COMPARISONS, measure(COMPARISONS))


def test_identical_texts_need_no_model(tmp_path: Path) -> None:
    found = scores(tmp_path / "p")
    identical = [c.identical for c in COMPARISONS]
    assert [score.decided_by == "exact" for score in found] == identical
    assert any(identical)
    assert {score.probabilities for score in found if score.decided_by == "exact"} == {(0.98, 0.01, 0.01)}


def test_early_off_leaves_all_others_to_the_encoder(tmp_path: Path) -> None:
    late = scores(tmp_path / "p", early=False)
    assert {score.decided_by for score in late} == {"exact", "encoder"}
    never = scores(tmp_path / "q", clear=1.1)
    assert late == never


def test_the_fast_scorer_decides_where_it_is_sure(tmp_path: Path) -> None:
    quick, late = scores(tmp_path / "p", clear=0.8), scores(tmp_path / "p", early=False)
    fast = [score for score in quick if score.decided_by == "fast"]
    assert 0 < len(fast) < len(quick)
    assert all(max(score.probabilities) >= 0.8 for score in fast)
    assert all(a == b for a, b in zip(quick, late, strict=True) if a.decided_by != "fast")
    assert {score.decided_by for score in scores(tmp_path / "q", clear=0.0)} == {"exact", "fast"}


def test_a_score_does_not_depend_on_its_neighbours(tmp_path: Path) -> None:
    cascade = open_cascade(small_pack(tmp_path / "p"), "onnx")
    together = cascade.score(COMPARISONS, measure(COMPARISONS))
    alone = [cascade.score([c], measure([c]))[0] for c in COMPARISONS]
    assert together == alone
    assert cascade.score([], np.empty((0, len(FEATURES)), dtype=np.float32)) == []


@given(st.lists(st.floats(1e-9, 1.0), min_size=3, max_size=3), st.floats(0, 1), st.floats(0, 1))
def test_exact_keeps_more_than_a_contradiction_leaves_and_its_order(
    parts: list[float], one: float, other: float
) -> None:
    given = Probabilities(*(part / sum(parts) for part in parts))
    kept = with_least(given)
    assert sum(kept) == pytest.approx(1)
    assert LEAST_EXACT <= kept.exact_match + 1e-12 <= given.exact_match + LEAST_EXACT + 2e-12
    assert kept.partial_match * given.not_match == pytest.approx(kept.not_match * given.partial_match)
    low, high = (with_least(Probabilities(p, 0, 1 - p)).exact_match for p in sorted((one, other)))
    assert low <= high


def test_the_encoder_reads_here_what_it_reads_in_training(tmp_path: Path) -> None:
    silent = {"exact": [0.0] * (len(FEATURES) + 1), "lean": [0.0] * (len(FEATURES) + 1)}
    weights = small_weights(blend={**silent, "encoder": 0.01}, clear=1.1)
    cascade = open_cascade(small_pack(tmp_path / "p", weights=weights), "onnx")
    found = cascade.score(COMPARISONS, measure(COMPARISONS))
    read = softmax(0.01 * cascade.encoder.logits([encoder_texts(c) for c in COMPARISONS]).astype(np.float64))
    for c, score, wanted in zip(COMPARISONS, found, read, strict=True):
        assert c.identical or score.probabilities == pytest.approx(with_least(wanted))


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in small_weights().items() if name != key}


_SHORT = {"exact": [0.0] * 3, "lean": [0.0] * 3}
_NAN = {**small_weights()["fast"], "exact": [float("nan")] * (len(FEATURES) + 1)}


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"weights": small_weights(features=["other"])}, "other evidence"),
        ({"weights": small_weights(features=[f.name for f in FEATURES][::-1])}, "other evidence"),
        ({"weights": small_weights(fast=_SHORT)}, "finite weights"),
        ({"weights": small_weights(blend=_NAN)}, "finite weights"),
        ({"weights": small_weights(blend={"exact": [0.0]})}, "lean"),
        ({"weights": small_weights(rules={})}, "identical"),
        ({"weights": small_weights(rules={"identical": [1.0]})}, "TypeError"),
        ({"weights": small_weights(clear="high")}, "high"),
        ({"weights": _without("features")}, "features"),
        ({"weights": _without("blend")}, "blend"),
        ({"weights": []}, "TypeError"),
        ({"vocabulary": "号\n路\n".encode()}, "vocabulary starts with"),
        ({"vocabulary": b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n"}, "TypeError"),
        ({"vocabulary": b"[PAD]\n\xff\n"}, "UnicodeDecodeError"),
        ({"graph": b"no graph"}, "graph.bin"),
        ({"graph": b""}, "graph.bin"),
        ({"graph": graphs.pair_graph()[:-200]}, "graph.bin"),
        ({"graph": graphs.reaching_graph("weights.bin")}, "another file"),
    ],
)
def test_a_pack_whose_content_is_wrong_is_refused_by_name(tmp_path: Path, files: Any, says: str) -> None:
    pack = small_pack(tmp_path / "p", **files)
    with pytest.raises(BrokenArtefactError, match=says) as caught:
        open_cascade(pack, "onnx")
    assert str(tmp_path / "p") in caught.value.render("zh")[0]


def test_weights_that_are_no_json(tmp_path: Path) -> None:
    pack = small_pack(tmp_path / "p")
    pack.file("weights").write_bytes(json.dumps(small_weights())[:-9].encode())
    with pytest.raises(BrokenArtefactError, match="JSONDecodeError"):
        open_cascade(pack, "onnx")
