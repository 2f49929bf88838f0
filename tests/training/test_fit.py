"""Fitting on judged pairs. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.test_model import VOCABULARY, tiny

pytestmark = pytest.mark.slow
PLAN = {"passes": 12, "batch": 16, "rate": 3e-3, "warmup": 4, "dropout": 0.0, "smoothing": 0.0, "mean": 0.1}
# The same number, another number, another place.
TEXTS = [
    (f"文三路{n}号", other) for n in range(20, 40) for other in (f"文三路{n}号", "文三路99号", "海月花园7幢")
]
LABELS = np.array([0, 1, 2] * 20)


@pytest.fixture
def start(tmp_path: Path) -> Path:
    import_module("training.model").save(tiny(), tmp_path / "start.pt")
    return tmp_path / "start.pt"


def fitted(start: Path, seed: int = 3, **plan: Any) -> Any:
    model = import_module("training.fit").fit(PLAN | plan, start, TEXTS, LABELS, VOCABULARY, seed)
    return import_module("training.fit").logits_of(model, TEXTS, VOCABULARY)


def test_fitting_learns_the_labels(start: Path) -> None:
    assert (fitted(start).argmax(1) == LABELS).mean() > 0.95


def test_the_same_seed_gives_the_same_weights(start: Path) -> None:
    one, two, other = (fitted(start, seed, passes=1, dropout=0.2) for seed in (1, 1, 2))
    assert (one == two).all()
    assert not (one == other).all()


def test_level_and_conflict_help_and_leave_the_encoder_its_shape(start: Path) -> None:
    fit = import_module("training.fit").fit
    hints = np.stack([LABELS, np.array([8, 6, 0] * 20), np.array([0, 8, -100] * 20)], 1)
    one, two = (
        fit(PLAN | {"passes": 2, "hints": weight}, start, TEXTS, hints, VOCABULARY, 3)
        for weight in (0.5, 0.0)
    )
    names = [name for name, _ in tiny().named_parameters()]
    assert [name for name, _ in one.named_parameters()] == names
    assert any((a != b).any() for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_an_adversarial_step_leaves_the_character_table_where_it_was(start: Path) -> None:
    module, torch = import_module("training.fit"), import_module("torch")
    table = torch.nn.Parameter(torch.ones(4, 2))
    table.grad = torch.arange(8.0).reshape(4, 2)
    with module._worse(table, 0.5):
        moved = table.detach() - 1
    assert abs(float(moved.norm()) - 0.5) < 1e-6
    assert (table == 1).all()
    assert (fitted(start, adversarial=0.5).argmax(1) == LABELS).mean() > 0.95
