"""Progress is shown on a terminal only, and wiped."""

from __future__ import annotations

import io
import sys

import pytest

from menpai.cli import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_rows_and_rate_and_then_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_EVERY_SECONDS", 0.0)
    assert list(progress.watched(range(1200))) == list(range(1200))
    shown = terminal.getvalue()
    assert "1,200 rows, " in shown
    assert shown.endswith("\r\x1b[K")


def test_where_the_number_of_rows_is_known_the_time_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_EVERY_SECONDS", 0.0)
    assert len(list(progress.watched(range(1000), 2000))) == 1000
    assert "of about 2,000, 0:00 left" in terminal.getvalue()
    assert [progress.time_left(seconds) for seconds in (-1, 65, 7389)] == ["0:00", "1:05", "2:03:09"]


def test_a_file_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    monkeypatch.setattr(progress, "_EVERY_SECONDS", 0.0)
    assert list(progress.watched("abc")) == ["a", "b", "c"]
    assert file.getvalue() == ""
