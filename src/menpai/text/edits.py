"""Edits: what a step wants changed in a text, and how they are carried out with the way back kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

# (start, end, replacement): text[start:end] gives way to the replacement. Sorted, without overlaps.
Edit = tuple[int, int, str]
Step = Callable[[str], list[Edit]]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled when it is first needed: a large one takes milliseconds."""
    return re.compile(pattern)


class Sign(NamedTuple):
    """What a text must hold for a step to matter: a pattern, and the characters that a match of it begins with."""

    first: str
    pattern: str

    def finder(self) -> Callable[[str], re.Match[str] | None]:
        """A quick search: a class of characters at the head lets the engine skip what cannot begin a match."""
        return re.compile(rf"[{self.first}](?<=(?={self.pattern})[{self.first}])").search

    def __or__(self, other: Sign) -> Sign:
        """One of the two."""
        return Sign(self.first + other.first, f"{self.pattern}|{other.pattern}")


def apply(text: str, offsets: Sequence[int], edits: list[Edit]) -> tuple[str, list[int]]:
    """Text and offsets after the edits; a replacement points into what it replaced, its end to the end."""
    pieces: list[str] = []
    kept: list[int] = []
    at = 0
    for start, end, new in edits:
        pieces += (text[at:start], new)
        kept += offsets[at:start]
        if new:
            kept += [offsets[min(start + i, end - 1)] for i in range(len(new) - 1)]
            kept.append(offsets[end - 1])
        at = end
    pieces.append(text[at:])
    kept += offsets[at:]
    return "".join(pieces), kept
