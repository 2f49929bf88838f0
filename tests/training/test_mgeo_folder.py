"""The small trained BERT: what it learns from, and that its folder imports as the model it is. Second tier: torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

TEXTS = [
    "杭州市西湖区文三路123号",
    "上海市浦东新区张江镇科苑路88号",
    "北京市朝阳区望京街道阳光花园",
    "文三路",
]


def test_plain_pairs_are_what_their_labels_say() -> None:
    from training.mgeo_folder import LABELS, plain_pairs  # noqa: PLC0415 (torch)

    pairs = plain_pairs(TEXTS, 0)
    assert len(pairs) == 3 * len(TEXTS)
    assert plain_pairs(TEXTS, 0) == pairs
    for a, b, label in pairs:
        if LABELS[label] == "exact_match":
            assert set(b) <= set(a)
            assert [c for c in b if c.isdigit()] == [c for c in a if c.isdigit()]
        if LABELS[label] == "partial_match":
            assert a != b
        if LABELS[label] == "not_match":
            assert b in TEXTS


def test_the_folder_imports_as_the_model_that_was_trained(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415

    from menpai.engines import open_engine  # noqa: PLC0415
    from menpai.packs.importing import import_folder  # noqa: PLC0415
    from menpai.packs.wordpiece import WordPiece  # noqa: PLC0415
    from tools.random_mgeo import TASKS, vocabulary, write_folder  # noqa: PLC0415
    from training import mgeo_folder as module  # noqa: PLC0415

    torch.manual_seed(0)
    model, words = module.SmallBert(module.SHAPE), WordPiece(vocabulary(module.SHAPE.vocabulary))
    pairs = module.plain_pairs(TEXTS, 0)
    module.fit(model, words, pairs, 2, 1e-4, 0)
    names = vocabulary(module.SHAPE.vocabulary)
    write_folder(tmp_path / "folder", TASKS["pair"], module.SHAPE, module.named_tensors(model), names)
    pack, _ = import_folder(tmp_path / "folder", tmp_path / "pack")
    engine = open_engine("onnx", pack.file("graph"), 1)
    for rows in module._rows(words, pairs):
        with torch.no_grad():
            expected = module._logits(model, rows).numpy()
        assert np.abs(engine.run(rows.inputs) - expected).max() < 1e-4
