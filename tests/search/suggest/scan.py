"""The slow twin of suggest: every path of every row against every way to cut the typed text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from menpai.search.rows import read_rows, write_segment
from menpai.search.segment import Segment
from menpai.search.suggest import part
from menpai.search.suggest.letters import other_readings, short_length, sounds
from menpai.search.suggest.paths import row_ends
from menpai.search.values import Entry
from menpai.search.view import Shard

NUMBER = re.compile(r"(\d+)(?:号楼|号院|单元|号|弄|幢|栋|座|楼|室|层|房|#)")


def shard_of(folder: Path, texts: Sequence[str | Entry]) -> Shard:
    """A shard with its suggest part, of addresses or entries."""
    entries = [Entry(f"r{at}", text) if isinstance(text, str) else text for at, text in enumerate(texts)]
    segment = write_segment(folder / "segment", read_rows(entries)[0])
    (folder / "suggest").mkdir()
    part.build(segment, folder / "suggest", lambda share: None)
    return Shard(segment, None, {"suggest": part.open(segment, folder / "suggest")})


def path_of(segment: Segment, row: int) -> list[str]:
    """The elements of a row, its name last if it stands apart."""
    key, name = segment.keys.bytes_at(row), segment.name_keys[row]
    texts = [key[start:end].decode() for start, end in pairwise([0, *row_ends(segment, row)[1]])]
    return [*texts, name] if name and not key.decode().endswith(name) else texts


def paths_of(segment: Segment) -> set[tuple[str, ...]]:
    """Every path and its beginnings."""
    rows = (path_of(segment, row) for row in range(len(segment)))
    return {tuple(path[:end]) for path in rows for end in range(1, len(path) + 1)}


def fitting(segment: Segment, typed: str) -> set[tuple[str, ...]]:
    """The paths whose last element the typed text ends in, and whose earlier ones say the rest in their order."""
    return {path for path in paths_of(segment) if _fits(path, typed)}


def _fits(path: Sequence[str], typed: str) -> bool:
    said = {0}
    for element in path[:-1]:
        ends = range(1, len(typed) + 1)
        said |= {
            end
            for start in list(said)
            for end in ends
            if start < end < len(typed)
            and not typed[end - 1 : end + 1].isdecimal()
            and _says(element, typed[start:end], first=start == 0)
        }
    rests = ((start, typed[start:]) for start in said)
    return any(_begins(path[-1], rest) or _says(path[-1], rest, first=not start) for start, rest in rests)


@cache
def _says(element: str, piece: str, *, first: bool) -> bool:
    """Whether a piece says an element to its end, generic ending or not."""
    short = short_length(element)
    number = NUMBER.fullmatch(piece)
    if number and number[1] in (element, element[:short]):
        return True
    if piece.endswith("新") and len(piece) > 2 and piece + "区" in (element, element[:short]):
        return True
    lone = len(piece) == 1 and not piece.isdecimal() and (first or not piece.isascii())
    if piece in (element, element[:short]) and not lone:
        return True
    if not _in_letters(piece) or len(piece) < 2:
        return False
    spelled = [("".join(reading), "".join(reading[:short])) for reading in _readings(element)]
    first_letters = [(_heads(reading), _heads(reading[:short])) for reading in _readings(element)]
    return any(piece.lower() in both for both in (*spelled, *first_letters))


@cache
def _begins(element: str, piece: str) -> bool:
    if element.startswith(piece):
        return True
    if not _in_letters(piece) or piece.isdecimal():
        return False
    typed = piece.lower()
    return any("".join(r).startswith(typed) or _heads(r).startswith(typed) for r in _readings(element))


def _in_letters(piece: str) -> bool:
    return piece.isascii() and piece.isalnum()


def _readings(element: str) -> list[list[str]]:
    return [sounds(element), *other_readings(element)]


def _heads(reading: Sequence[str]) -> str:
    return "".join(sound[:1] or "~" for sound in reading)
