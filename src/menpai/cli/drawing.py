"""A reading drawn under its text: what each part was read as, who found it, and what was left unread."""

from __future__ import annotations

import shutil

from menpai.address import Address
from menpai.cli.console import pad, paint, width
from menpai.cli.language import say
from menpai.cli.words import KINDS, SOURCES, word
from menpai.explaining.segments import Segment, segments

__all__ = ["Segment", "draw", "segments"]


def draw(address: Address) -> None:
    """Text, brackets, kinds and sources in aligned columns, broken where the terminal ends."""
    room = max(40, shutil.get_terminal_size((100, 24)).columns)
    lines = ["", "", "", ""]
    for segment in segments(address):
        cells = _cells(segment)
        size = max(map(width, cells)) + 1
        if lines[0] and width(lines[0]) + size > room:
            _put(lines)
            lines = ["", "", "", ""]
        lines = [line + pad(cell, size) for line, cell in zip(lines, cells, strict=True)]
    _put(lines)
    left = say("未读出", "not read")
    print(
        paint(f"{say('来源', 'found by')}: {', '.join(word(SOURCES, s) for s in SOURCES)}; ·: {left}", "dim")
    )


def _cells(segment: Segment) -> list[str]:
    text, element = segment
    if element is None:
        return [text, "·" * width(text.rstrip()), "", ""]
    kind = word(KINDS, element.kind)
    sure = "" if element.confidence >= 0.995 else f" {element.confidence:.0%}"
    source = word(SOURCES, element.source) + sure
    inner = max(width(text), width(kind), width(source)) - 2
    return [text, f"╰{'─' * max(inner, 0)}╯", kind, source]


def _put(lines: list[str]) -> None:
    for line, colour in zip(lines, ("bold", "dim", "green", "dim"), strict=True):
        if line.strip():
            print(paint(line.rstrip(), colour))
