"""Pre-training in cycles. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.training.test_fit import LABELS, TEXTS

pytestmark = pytest.mark.slow
NAMES = ("exact_match", "partial_match", "not_match")
RECIPE = {
    "seed": 3,
    "shape": {"width": 16, "layers": 1, "heads": 2, "feedforward": 32},
    "pretrain": {
        "steps": 20, "batch": 10, "rate": 1e-3, "warmup": 2, "dropout": 0.0, "masked_rows": 0.3,
        "masked_characters": 0.2, "checkpoint_steps": 5,
    },
}  # fmt: skip


def table(path: Path, label: str | None = None) -> Path:
    """The texts of the fit as a file of pairs, all with one label if it is given."""
    lines = [f"{a}\t{b}\t{label or NAMES[at]}\t\tpoint\n" for (a, b), at in zip(TEXTS, LABELS, strict=True)]
    path.write_text("a\tb\tlabel\tops\tstyle\n" + "".join(lines), encoding="utf-8")
    return path


def test_each_cycle_reads_its_own_pairs_and_the_rate_rises_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module("training.pretrain")
    seen: list[tuple[set[int], float]] = []
    real = module.train_step

    def watched(model: Any, optimizer: Any, batch: Any, *rest: Any) -> Any:
        seen.append((set(batch.labels.tolist()), optimizer.param_groups[0]["lr"]))
        return real(model, optimizer, batch, *rest)

    monkeypatch.setattr(module, "train_step", watched)
    cycles = [
        table(tmp_path / "pairs.tsv", "exact_match"),
        table(tmp_path / "pairs_2.tsv", "not_match"),
    ]
    done = module.pretrain(RECIPE, cycles, tmp_path)
    assert [labels for labels, _ in seen] == [{0}] * 10 + [{2}] * 10
    rates = [rate for _, rate in seen]
    assert rates[:10] == rates[10:]
    assert rates[9] < rates[1] / 10
    assert (done, (tmp_path / "pretrained_1.pt").exists()) == (tmp_path / "pretrained.pt", True)


def test_a_stopped_run_goes_on_in_its_cycle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("training.pretrain")
    steps: list[int] = []
    real = module.Watch.log

    def stops(self: Any, step: int, **values: float) -> None:
        steps.append(step)
        real(self, step, **values)
        if step == 13 and len(steps) == 13:
            raise KeyboardInterrupt

    monkeypatch.setattr(module.Watch, "log", stops)
    cycles = [table(tmp_path / "pairs.tsv"), table(tmp_path / "pairs_2.tsv")]
    with pytest.raises(KeyboardInterrupt):
        module.pretrain(RECIPE, cycles, tmp_path)
    module.pretrain(RECIPE, cycles, tmp_path)
    assert steps == [*range(1, 14), *range(11, 21)]
    assert (tmp_path / "pretrained.pt").exists()
