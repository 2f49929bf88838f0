"""The index part of search: postings over the keys of address and name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from menpai.search.keys import Postings, build_postings, open_postings
from menpai.search.segment import Segment

NAME = "ngrams"
VERSION = 1


def build(segment: Segment, folder: Path, progress: Callable[[float], None]) -> None:
    """Write the postings of a segment."""

    def texts(start: int, end: int) -> list[str]:
        keys, names = segment.keys.all_bytes(start, end), segment.name_keys.all_bytes(start, end)
        return [(key + b"\n" + name).decode() for key, name in zip(keys, names, strict=True)]

    build_postings(texts, len(segment), folder, progress)


def open(segment: Segment, folder: Path) -> Postings:
    """The postings."""
    return open_postings(folder)
