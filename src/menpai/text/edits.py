"""Edits: what a step wants changed in a text, and how they are carried out with the way back kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# (start, end, replacement): text[start:end] gives way to the replacement. Sorted, without overlaps.
Edit = tuple[int, int, str]
Step = Callable[[str], list[Edit]]


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
