"""A newcomer's way: the README's lines, and the wheel in an environment that has never seen the checkout."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import menpai
from menpai.cli import main
from tests.markdown import blocks

ROOT = Path(__file__).parents[2]
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]
A_WHEEL_MAY_WEIGH = 30 * 1024 * 1024


def _python_block(page: Path) -> str:
    return next(block.body for block in blocks(page) if block.language == "python")


def _first_command(page: Path) -> list[str]:
    """The words of the README's `menpai match A B`."""
    line = next(b.body for b in blocks(page) if b.language == "bash").strip()
    install, _, command = line.partition(" && ")
    assert install == "pip install ."
    return shlex.split(command)


def test_ten_lines_print_labels_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    code = _python_block(READMES[0])
    assert len(code.strip().splitlines()) <= 10
    exec(compile(code, "README.md", "exec"), {})
    label, conflict, *pairs = capsys.readouterr().out.splitlines()
    assert label.split()[0] == "partial_match"
    assert conflict.startswith("['roadno_differs: ")
    assert [line.split()[2] for line in pairs] == ["partial_match", "not_match"]


def test_both_readmes_give_the_same_code_and_commands() -> None:
    english, chinese = (
        [b.commands if b.language == "console" else b.body for b in blocks(page)] for page in READMES
    )
    assert english == chinese


@pytest.mark.parametrize(("page", "language"), [(READMES[0], "en"), (READMES[1], "zh")], ids=["en", "zh"])
def test_the_output_shown_is_what_is_printed(
    page: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Label, level and conflict; the numbers and the order of reasons move with the pack."""
    block = next(block for block in blocks(page) if block.language == "console")
    command, *shown = block.body.splitlines()[:3]
    assert main([*shlex.split(command)[2:], "--language", language]) == 0
    printed = capsys.readouterr().out.splitlines()[:2]
    assert [re.sub(r"0\.\d+", "#", line) for line in printed] == [
        re.sub(r"0\.\d+", "#", line) for line in shown
    ]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_wheel_alone_gives_the_verdict_of_the_checkout(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(tmp_path / "dist"), str(ROOT)], check=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.stat().st_size < A_WHEEL_MAY_WEIGH
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"menpai"}
    assert {"menpai/py.typed", "menpai/data/packs/menpai-mini/manifest.json"} <= set(names)

    home = tmp_path / "venv"
    venv.create(home, with_pip=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "-q", wheel], check=True)
    _, *words = _first_command(READMES[0])
    done = subprocess.run(
        [scripts / "menpai", *words, "--json"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == menpai.match(*words[1:]).to_dict()
