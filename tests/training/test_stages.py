"""Fits that go on, curves, and a teacher's distillation. Second tier: needs torch, imported when a test runs."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.test_fit import LABELS, PLAN, TEXTS
from tests.training.test_model import VOCABULARY, tiny

pytestmark = pytest.mark.slow
LABEL_NAMES = ("exact_match", "partial_match", "not_match")


def judged(labels: Any = LABELS) -> Any:
    """The texts of the fit as judged rows of three places."""
    data, folds = import_module("training.data"), np.arange(len(TEXTS)) % 3
    rows = [
        data.Labelled(a, b, int(label), f"place {fold}", "pairs", "road", "")
        for (a, b), label, fold in zip(TEXTS, labels, folds, strict=True)
    ]
    features, none = np.zeros((len(rows), 2), np.float32), np.zeros(len(rows), bool)
    return import_module("training.judged").Judged(rows, TEXTS, labels, features, folds, none)


def fits(work: Path, rows: Any, **plan: Any) -> Any:
    start = work / "start.pt"
    if not start.exists():
        import_module("training.model").save(tiny(), start)
    recipe = {"seed": 5, "fit": PLAN | {"passes": 2, "hints": 0.1} | plan}
    return import_module("training.fits").Fits(recipe, start, rows, VOCABULARY, work)


def test_fits_go_on_where_they_stopped_and_start_anew_where_anything_changed(tmp_path: Path) -> None:
    first = fits(tmp_path, judged())
    crossed = first.crossed()
    assert crossed.shape == (len(TEXTS), 3)
    kept = {path.name: path.stat().st_mtime_ns for path in first.folder.glob("*.pt")}
    assert len(kept) == 3
    (first.folder / "without fold 1.pt").unlink()
    again = fits(tmp_path, judged())
    assert (again.crossed() == crossed).all()  # the same seed fits the same weights
    changed = {name for name, at in kept.items() if (first.folder / name).stat().st_mtime_ns != at}
    assert changed == {"without fold 1.pt"}
    assert fits(tmp_path, judged(np.roll(LABELS, 1))).folder != first.folder
    assert fits(tmp_path, judged(), rate=1e-3).folder != first.folder


def test_curves_are_drawn_from_what_the_fits_wrote(tmp_path: Path) -> None:
    fits(tmp_path, judged(), passes=30).encoder()
    module = import_module("training.curves")
    curves = module.read_curves(tmp_path)
    assert [steps for _, steps, _ in curves["loss"]] == [[50, 100]]
    module.draw(curves, tmp_path / "curves.svg")
    assert (
        "on all seen rows" in (tmp_path / "curves.svg").read_text(encoding="utf-8")
        or (tmp_path / "curves.svg").stat().st_size > 5000
    )


def test_a_student_comes_nearer_to_its_teacher(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    lines = [
        f"{a}\t{b}\t{LABEL_NAMES[label]}\t\tpoint\n" for (a, b), label in zip(TEXTS, LABELS, strict=True)
    ]
    pairs.write_text("a\tb\tlabel\tops\tstyle\n" + "".join(lines), encoding="utf-8")
    teacher = fits(tmp_path, judged(), passes=12).encoder()
    plan = {"steps": 100, "batch": 20, "rate": 3e-3, "warmup": 5, "temperature": 2.0}
    distil = import_module("training.gpu.distil").distil
    student = distil(plan, tiny(2), teacher, pairs, VOCABULARY, 1, tmp_path / "distil.jsonl", "cpu")
    told = [json.loads(line)["distance"] for line in (tmp_path / "distil.jsonl").read_text().splitlines()]
    assert told[1] < told[0] / 2
    logits_of = import_module("training.fit").logits_of
    found = logits_of(student, TEXTS, VOCABULARY).argmax(1)
    assert (found == logits_of(teacher, TEXTS, VOCABULARY).argmax(1)).mean() > 0.9
