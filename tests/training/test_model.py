"""The encoder as trained. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from menpai.scoring.tokens import SIDE, SPECIAL, TYPES, Vocabulary, encode

pytestmark = pytest.mark.slow
VOCABULARY = Vocabulary([*SPECIAL, *"文三路海月花园号幢0123456789"])
PAIRS = [("文三路1号", "文三路2号"), ("文三路", "海月花园3幢"), ("海月花园", "海月花园")]


def tiny(seed: int = 1) -> Any:
    """An encoder of a few thousand weights."""
    torch, model = import_module("torch"), import_module("training.model")
    torch.manual_seed(seed)
    shape = model.Shape(len(VOCABULARY), TYPES, SIDE + 2, width=16, layers=1, heads=2, feedforward=32)
    return model.PairEncoder(shape).eval()


def inputs(width: int | None = None) -> list[Any]:
    """The pairs as tensors, all in one bucket or padded to a width."""
    torch = import_module("torch")
    (rows,) = encode(PAIRS, VOCABULARY)
    wide = 0 if width is None else width - rows.ids.shape[1]
    return [torch.from_numpy(np.pad(x, ((0, 0), (0, wide)))) for x in (rows.ids, rows.types, rows.positions)]


def test_logits_for_each_pair() -> None:
    assert tuple(tiny()(*inputs()).shape) == (len(PAIRS), 3)


def test_padding_does_not_count() -> None:
    torch, encoder = import_module("torch"), tiny()
    torch.testing.assert_close(encoder(*inputs(64)), encoder(*inputs()), atol=1e-5, rtol=0)


def test_a_character_is_asked_back_from_the_whole_vocabulary() -> None:
    encoder = tiny()
    hidden, mask = encoder.encode(*inputs())
    assert encoder.characters_at(hidden[mask > 0]).shape[1] == len(VOCABULARY)


def test_a_checkpoint_there_and_back(tmp_path: Path) -> None:
    torch, model = import_module("torch"), import_module("training.model")
    encoder = tiny()
    model.save(encoder, tmp_path / "m.pt", step=7)
    again, stored = model.load(tmp_path / "m.pt")
    assert stored == {"step": 7}
    assert torch.equal(again.eval()(*inputs()), encoder(*inputs()))
    assert [path.name for path in tmp_path.iterdir()] == ["m.pt"]


def test_a_checkpoint_runs_no_code(tmp_path: Path) -> None:
    torch, model = import_module("torch"), import_module("training.model")
    torch.save({"shape": Path("x"), "state": {}}, tmp_path / "m.pt")
    with pytest.raises(Exception, match=r"[Ww]eights"):
        model.load(tmp_path / "m.pt")
