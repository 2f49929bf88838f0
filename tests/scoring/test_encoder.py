from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from menpai.engines import open_engine
from menpai.scoring.encoder import TOKEN_BUDGET, Encoder, encoder_texts
from menpai.scoring.tokens import BUCKETS, SPECIAL, Vocabulary
from tests import graphs
from tests.judging import case_pairs, comparison

VOCABULARY = Vocabulary([*SPECIAL, *"文三路海月花园号幢0123456789"])


@pytest.fixture
def encoder(tmp_path: Path) -> Encoder:
    """An encoder whose logits are the sums of its ids, types and positions."""
    path = tmp_path / "graph.onnx"
    path.write_bytes(graphs.pair_graph())
    return Encoder(open_engine("onnx", path, threads=1), VOCABULARY, range(3))


def test_each_pair_has_its_logits_in_the_given_order(encoder: Encoder) -> None:
    pairs = case_pairs()
    together = encoder.logits(pairs)
    assert together.shape == (len(pairs), 3)
    for pair, row in zip(pairs, together, strict=True):
        assert (encoder.logits([pair])[0] == row).all()
        assert (encoder.logits([pair[::-1]])[0] == row).all()


def test_more_pairs_than_one_run_takes(encoder: Encoder) -> None:
    pairs = [("文三路", f"文三路{n}号") for n in range(TOKEN_BUDGET // 16 * 2 + 3)]
    assert (encoder.logits(pairs)[::-1] == encoder.logits(pairs[::-1])).all()


def test_no_pairs_no_logits(encoder: Encoder) -> None:
    assert encoder.logits([]).shape == (0, 3)


def test_the_labels_of_the_pack_are_put_into_our_order(tmp_path: Path) -> None:
    path = tmp_path / "graph.onnx"
    path.write_bytes(graphs.pair_graph())
    engine = open_engine("onnx", path, threads=1)
    given = Encoder(engine, VOCABULARY, range(3)).logits(case_pairs())
    turned = Encoder(engine, VOCABULARY, [2, 0, 1]).logits(case_pairs())
    assert (turned == given[:, [2, 0, 1]]).all()
    assert not np.array_equal(turned, given)


def test_the_encoder_reads_what_stands_behind_agreed_divisions() -> None:
    assert encoder_texts(comparison("杭州市西湖区文三路1号", "文三路1号")) == ("文三路1号", "文三路1号")
    apart = ("杭州市文三路1号", "南京市文三路1号")
    assert encoder_texts(comparison(*apart)) == apart


@pytest.mark.parametrize(("device", "rows"), [("cpu", 1), ("cuda", TOKEN_BUDGET // BUCKETS[-1])])
def test_warming_runs_every_bucket(
    encoder: Encoder, device: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[tuple[int, ...]] = []
    run = encoder._engine.run

    def noted(inputs: Any) -> Any:
        shapes.append(inputs["ids"].shape)
        return run(inputs)

    monkeypatch.setattr(encoder, "_engine", SimpleNamespace(run=noted, device=device))
    encoder.warm()
    assert {width for _, width in shapes} == set(BUCKETS)
    assert max(shapes)[0] == rows
