"""The registry of index parts: one module, one line. See `segment` for what a part is."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from menpai.search.segment import Segment

Progress = Callable[[float], None]

# Built in this order for each segment; the heaviest first, since they are built side by side.
PARTS: tuple[str, ...] = ("menpai.search.suggest.part", "menpai.search.ngrams", "menpai.search.grid")


class Part(Protocol):
    """What a module in PARTS has."""

    NAME: str
    VERSION: int

    def build(self, segment: Segment, folder: Path, progress: Progress) -> None:
        """Write the part's files into the empty folder."""

    def open(self, segment: Segment, folder: Path) -> Any:
        """What the part's queries work with; opens every file now."""


def load_parts() -> list[Part]:
    """The modules, imported."""
    return [cast(Part, import_module(name)) for name in PARTS]
