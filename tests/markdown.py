"""Fenced blocks of a Markdown page, with the comment that stands before them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# ```python, ```console, or ```csv name=pairs.csv; the line before may say <!-- not run: reason --> or
# <!-- exit code 1: reason -->, which holds for each command of the block.
_BLOCK = re.compile(
    r"^(?:<!-- (?:not run: (?P<reason>.+?)|exit code (?P<code>\d): .+?) -->\n)?"
    r"^```(?P<language>\w+)(?: name=(?P<name>\S+))?\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, the line it starts on, the file it stands for, why it is not run, how commands end."""

    language: str
    body: str
    line: int
    name: str | None
    reason: str | None
    code: int = 0

    @property
    def commands(self) -> list[str]:
        """The `$ menpai …` lines of a console block; a line that ends in a backslash goes on in the next."""
        joined = self.body.replace("\\\n", " ")
        return [line[2:] for line in joined.splitlines() if line.startswith("$ menpai ")]


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page that name their language, in order."""
    text = page.read_text("utf-8")
    return [
        Block(
            m["language"],
            m["body"],
            text.count("\n", 0, m.start("language")) + 1,
            m["name"],
            m["reason"],
            int(m["code"] or 0),
        )
        for m in _BLOCK.finditer(text)
    ]
