"""The notebook of the walk runs, and what it shows is what it showed."""

from __future__ import annotations

import os
import re
import sysconfig
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "docs/notebooks"


def _shown(notebook: Any) -> list[str]:
    """The texts of cells that show the same in every run: those that print no seconds."""
    return [
        output["text"]
        for cell in notebook.cells
        if cell.cell_type == "code" and "!" not in cell.source
        for output in cell.outputs
        if output.output_type == "stream"
    ]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_the_walk_runs_and_shows_what_it_showed(monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    monkeypatch.setenv("PATH", os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]))
    committed = nbformat.read(NOTEBOOKS / "walk.ipynb", as_version=4)
    ran = nbformat.read(NOTEBOOKS / "walk.ipynb", as_version=4)
    nbclient.NotebookClient(ran, timeout=120, resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    assert _shown(ran) == _shown(committed)
    assert len(_shown(ran)) >= 3


def test_the_notebook_is_light_and_knows_no_machine() -> None:
    text = (NOTEBOOKS / "walk.ipynb").read_text("utf-8")
    assert len(text) < 40_000
    assert not re.search(r"/(home|root|tmp|work|Users)/|\\x1b|\\u001b", text)
