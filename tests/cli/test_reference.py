"""The pages of the command line are what the parsers say today, and name everything there is."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from menpai.cli.commands import COMMANDS
from tools.build_cli_reference import page

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_page_is_current(language: Literal["en", "zh"]) -> None:
    assert (ROOT / "docs" / language / "cli.md").read_text("utf-8") == page(language), "run: make docs"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_is_there_in_its_language(language: Literal["en", "zh"]) -> None:
    text = page(language)
    for name, (zh, en) in COMMANDS.items():
        assert f"## menpai {name}" in text
        summary = zh if language == "zh" else en
        assert summary in text or f"menpai {name} " in text  # which itself only holds its actions
