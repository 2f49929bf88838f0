"""`menpai train` in the default tier: what is refused before anything is learned. The rest: tests/training/test_train.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.labels import as_csv, written


def test_a_missing_package_is_named_with_its_extra(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pairs.csv").write_bytes(as_csv(written(30)))
    for name in [name for name in sys.modules if name.startswith("menpai.training.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    done = run("train", "pairs.csv", "-o", "mine")
    assert (done.code, Path("mine").exists()) == (3, False)
    assert "menpai[train]" in done.err
