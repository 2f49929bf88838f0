"""Printing: streams that never fail on a character, JSON, columns of wide characters, colour, errors."""

from __future__ import annotations

import json
import os
import sys
import unicodedata
import warnings
from pathlib import Path
from typing import Any, TextIO

from menpai.cli.language import say, spoken
from menpai.errors import MenpaiError, Problem
from menpai.settings import wants_colour

_format_warning = warnings.formatwarning
_COLOURS = {"green": "32", "yellow": "33", "red": "31", "bold": "1", "dim": "2"}


def prepare_streams() -> None:
    """A character that the console's encoding lacks (GBK on Windows) is printed as an escape."""
    if sys.stderr is None:  # closed: what is said there must not go to standard output instead
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (open to the end)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def silence(stream: TextIO) -> None:
    """Drop what is still to be printed: the reader of the pipe has gone, or the disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def note(text: str) -> None:
    """A line on standard error; where it cannot be written, the work and its exit code stand without it."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def print_error(error: MenpaiError | Problem, where: str = "") -> None:
    """One line with what is wrong and one with the cure, on standard error."""
    message, hint = error.render(spoken())
    note(f"menpai: {where}{message}\n  {say('提示：', 'hint: ')}{hint}")


def warn_in_a_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning of ours as a line for a person, without the place in our code; any other as Python has it."""
    if category.__module__.startswith("menpai."):
        return f"menpai: {message}\n"
    return _format_warning(message, category, filename, lineno, line)


def print_json(value: Any, indent: int | None = None) -> None:
    """JSON in the characters themselves where the console can show all of them, in escapes otherwise."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    print(json.dumps(value, ensure_ascii=not unicode, indent=indent))


def paint(text: str, colour: str) -> str:
    """The text in a colour, if standard output is a terminal that wants it."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if wants_colour(sys.stdout) else text


def width(text: str) -> int:
    """Columns that a text takes on a terminal: a wide character takes two."""
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)


def pad(text: str, columns: int) -> str:
    """The text filled with blanks to this many columns."""
    return text + " " * max(0, columns - width(text))


def print_grid(rows: list[list[str]], right: bool = False) -> None:
    """Rows in aligned columns; with `right`, all but the first column are aligned to the right."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            " " * (size - width(text)) + text if right and at else pad(text, size)
            for at, (text, size) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())
