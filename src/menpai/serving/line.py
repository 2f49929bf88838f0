"""The line in which requests wait, and how a batch is cut from it. No threads and no clock of its own here.

Oldest first, a slice of each request at most; the rest of a long one goes to the back of the line, so that a
single pair never waits behind ten thousand.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

Item = TypeVar("Item")

BATCH_ITEMS = 64
BATCH_CHARACTERS = 8192
SLICE_ITEMS = 32


class Deadline(NamedTuple):
    """How long a request may wait; `strict` when the caller named it: a half-done list is given up too."""

    timeout_ms: int
    strict: bool = False


@dataclass(slots=True, eq=False)
class Job(Generic[Item]):
    """One request in the line: its items, how far it was cut, and the future that answers it."""

    items: Sequence[Item]
    done: asyncio.Future[None]
    deadline: Deadline
    arrived: float
    results: list[Any] = field(default_factory=list)
    cut: int = 0
    finished: int = 0
    dropped: bool = False
    queue_seconds: float = 0.0
    infer_seconds: float = 0.0

    @property
    def waiting(self) -> int:
        """Items that no worker has taken yet."""
        return 0 if self.dropped else len(self.items) - self.cut

    @property
    def revocable(self) -> bool:
        """The deadline may still end it: nothing was begun, or the caller wants no late answer."""
        return self.cut == 0 or self.deadline.strict

    def late(self, now: float) -> bool:
        """The deadline has passed and the rest is not to be run."""
        return self.revocable and now >= self.arrived + self.deadline.timeout_ms / 1000


class Slice(NamedTuple):
    """Items start:stop of a job, cut for one batch."""

    job: Job[Any]
    start: int
    stop: int

    @property
    def items(self) -> Sequence[Any]:
        """The items."""
        return self.job.items[self.start : self.stop]


class Batch(NamedTuple):
    """Slices that are run together; `full` when the budget, not the line, ended it."""

    slices: list[Slice]
    full: bool

    @property
    def size(self) -> int:
        """Items in all slices."""
        return sum(piece.stop - piece.start for piece in self.slices)


class Line(Generic[Item]):
    """Requests in order of arrival; `size` gives an item's characters. The owner locks around each call."""

    def __init__(self, size: Callable[[Item], int]) -> None:
        self._size = size
        self._jobs: deque[Job[Item]] = deque()
        self.waiting = 0
        self.front = (
            0  # waiting items, at most a slice of each job: what stands before a newcomer's first slice
        )

    def add(self, job: Job[Item]) -> None:
        """Put a request at the end."""
        self._jobs.append(job)
        self._count(job, 0)

    def drop(self, job: Job[Item]) -> int:
        """Take what waits of a request out; the number of items that will never be run."""
        waiting = job.waiting
        job.dropped = True
        self._count(job, waiting)
        return waiting

    def cut(self, now: float) -> Batch:
        """The next batch; empty when nothing waits. Late and dropped requests are passed over."""
        slices: list[Slice] = []
        items, characters = BATCH_ITEMS, BATCH_CHARACTERS
        while self._jobs and items > 0 and characters > 0:
            job = self._jobs.popleft()
            if not job.waiting or job.late(now):
                continue  # the timer of a late one answers it
            piece, used = self._slice(job, min(items, SLICE_ITEMS), characters)
            slices.append(piece)
            items -= piece.stop - piece.start
            characters -= used
            if job.waiting:
                self._jobs.append(job)
        return Batch(slices, items <= 0 or characters <= 0)

    def _slice(self, job: Job[Item], items: int, characters: int) -> tuple[Slice, int]:
        before, start, used = job.waiting, job.cut, 0
        while job.waiting and job.cut - start < items and used < characters:
            used += self._size(job.items[job.cut])
            job.cut += 1
        self._count(job, before)
        return Slice(job, start, job.cut), used

    def _count(self, job: Job[Item], before: int) -> None:
        """Keep both sums after a job's waiting items changed from `before`."""
        after = job.waiting
        self.waiting += after - before
        self.front += min(after, SLICE_ITEMS) - min(before, SLICE_ITEMS)
