"""Words in the docs are run: python blocks and `$ menpai …` lines of README* and docs/**, page by page.

A line that needs a shell gets one; the others run in this process, since a start of Python each would take a minute.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from menpai.cli import main
from tests.markdown import Block, blocks

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("README*.md")), ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))
]  # fmt: skip
MENPAI = Path(sysconfig.get_path("scripts"))
NEEDS_SHELL = re.compile(r"[|&;<>()$`*~{}]|\s#")


def _where(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _run_python(block: Block, page: Path, names: dict[str, object]) -> None:
    padding = "\n" * block.line  # so that a traceback names the line of the page
    exec(compile(padding + block.body, str(page), "exec"), names)


def _run_in_shell(command: str, code: int) -> None:
    done = subprocess.run(
        ["bash", "-c", f'PATH="{MENPAI}:$PATH"; {command}'],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    assert done.returncode == code, f"$ {command}\n{done.stdout}{done.stderr}"


def _run_command(command: str, code: int) -> None:
    if NEEDS_SHELL.search(command):
        _run_in_shell(command, code)
    else:
        assert main(shlex.split(command)[1:]) == code, f"$ {command}"


@pytest.mark.parametrize("page", PAGES, ids=_where)
def test_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a page run in order in an empty folder; the python ones share their names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks(page):
        if block.reason:
            continue
        if block.name:
            (tmp_path / block.name).write_text(block.body, "utf-8")
        elif block.language == "python":
            _run_python(block, page, names)
        for command in block.commands:
            _run_command(command, block.code)


@pytest.mark.parametrize("page", PAGES, ids=_where)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text("utf-8"))
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing


def test_each_page_exists_in_both_languages() -> None:
    english = {p.relative_to(ROOT / "docs/en") for p in (ROOT / "docs/en").rglob("*.md")}
    chinese = {p.relative_to(ROOT / "docs/zh") for p in (ROOT / "docs/zh").rglob("*.md")}
    assert english == chinese
