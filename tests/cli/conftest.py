"""Commands run inside the test, with what they printed."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from menpai.cli import main
from menpai.matcher import Matcher
from menpai.settings import Settings


class Result(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON value."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Result]
_open = Matcher.open


@cache
def _built_in(settings: Settings) -> Matcher:
    """The built-in pack, opened once for all commands of the same settings: that is most of what a small command costs."""
    return _open(settings=settings)


def _shared(settings: Settings | None = None, **given: Any) -> Matcher:
    """`Matcher.open` for commands; what is not the built-in pack is opened each time."""
    plain = settings is not None and not given and settings.pack == Settings().pack and not settings.overrides
    return _built_in(settings) if plain else _open(settings=settings, **given)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run `menpai` with these arguments in an empty folder, in English unless --language is given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Matcher, "open", _shared)

    def run_(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin)), "utf-8"))
        code = main(arguments)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run_
