"""The stages of a run as a named list: what came in, what went out, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Stage(NamedTuple):
    """One stage: rows or pairs that came in, rows or pairs that went out, seconds."""

    name: str
    rows_in: int
    pairs_out: int
    seconds: float


class Stages(list[Stage]):
    """Stages in the order in which they ended."""

    @contextmanager
    def stage(self, name: str, rows_in: int) -> Iterator[list[int]]:
        """Time a block; it puts what goes out into the list that it gets."""
        out: list[int] = []
        start = time.perf_counter()
        yield out
        self.append(Stage(name, rows_in, sum(out), time.perf_counter() - start))
