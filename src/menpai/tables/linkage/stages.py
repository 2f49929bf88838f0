"""The stages of a run as a named list: what came in, what went out, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Stage(NamedTuple):
    """One stage: rows or pairs that came in, rows or pairs that went out, seconds."""

    name: str
    rows_in: int
    pairs_out: int
    seconds: float


class Stages:
    """Stages in the order in which they began; one that comes again, for another chunk, is added up."""

    def __init__(self) -> None:
        self._stages: dict[str, Stage] = {}

    def __iter__(self) -> Iterator[Stage]:
        return iter(self._stages.values())

    @contextmanager
    def stage(self, name: str, rows_in: int) -> Iterator[list[int]]:
        """Time a block; it puts what goes out into the list that it gets."""
        out: list[int] = []
        before = self._stages.setdefault(name, Stage(name, 0, 0, 0.0))
        start = time.perf_counter()
        yield out
        seconds = before.seconds + time.perf_counter() - start
        self._stages[name] = Stage(name, before.rows_in + rows_in, before.pairs_out + sum(out), seconds)

    def add(self, stages: Iterable[Stage]) -> None:
        """Stages that ran elsewhere; their seconds are those of the work, of which some ran at the same time."""
        for stage in stages:
            before = self._stages.setdefault(stage.name, Stage(stage.name, 0, 0, 0.0))
            self._stages[stage.name] = Stage(
                stage.name,
                before.rows_in + stage.rows_in,
                before.pairs_out + stage.pairs_out,
                before.seconds + stage.seconds,
            )

    def total(self) -> float:
        """Seconds of all stages."""
        return sum(stage.seconds for stage in self)
