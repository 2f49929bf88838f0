"""Every command tells its options, in both languages."""

from __future__ import annotations

import pytest

from menpai.cli import main
from menpai.cli.commands import COMMANDS


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_printed(command: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "--language", language, "--help"])
    assert left.value.code == 0
    assert f"menpai {command}" in capsys.readouterr().out
