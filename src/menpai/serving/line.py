"""The line in which requests wait, and how a batch is cut from it. No threads and no clock of its own here.

Oldest first, a slice of each request at most. A long request is bulk: each of its slices steps back behind what comes
within the next AGEING_SECONDS, so that a single pair never waits behind ten thousand, and the ten thousand go on.
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
SLICE_ITEMS = 32  # a request of more is bulk
AGEING_SECONDS = 0.5


class Deadline(NamedTuple):
    """How long a request may wait; `strict` when the caller named it: a half-done list is given up too."""

    timeout_ms: int
    strict: bool = False

    @property
    def seconds(self) -> float:
        """The same in seconds."""
        return self.timeout_ms / 1000


@dataclass(slots=True, eq=False)
class Job(Generic[Item]):
    """One request: its items, how far it has come, and the future that answers it."""

    items: Sequence[Item]
    done: asyncio.Future[None]
    deadline: Deadline
    arrived: float
    results: list[Any] = field(default_factory=list)
    turn: float = 0.0  # whose turn is earlier is cut first
    cut: int = 0  # items taken out of the line
    begun: int = 0  # items in a worker's hands, or answered
    finished: int = 0
    characters: int = 0  # of the items that are not finished
    dropped: str = ""  # why what was not begun is never run
    queue_seconds: float = 0.0
    read_seconds: float = 0.0
    together: int = 0  # rows in the largest batch that one of its rows was run in
    infer_seconds: float = 0.0

    @property
    def bulk(self) -> bool:
        """Whether it gives way to short requests."""
        return len(self.items) > SLICE_ITEMS

    @property
    def waiting(self) -> int:
        """Items in the line."""
        return 0 if self.dropped else len(self.items) - self.cut

    @property
    def revocable(self) -> bool:
        """The deadline may still end it: nothing was begun; or not all, and the caller wants no late answer."""
        return self.begun == 0 or (self.deadline.strict and self.begun < len(self.items))

    def late(self, now: float) -> bool:
        """The deadline has passed and the rest is not to be run."""
        return self.revocable and now >= self.arrived + self.deadline.seconds


class Slice(NamedTuple):
    """Items start:stop of a job, cut for one batch when it was the job's turn."""

    job: Job[Any]
    start: int
    stop: int
    turn: float

    @property
    def items(self) -> Sequence[Any]:
        """The items."""
        return self.job.items[self.start : self.stop]


class Batch(NamedTuple):
    """Slices that are run together, and what ended it: "empty" (no more waits), "items" or "characters"."""

    slices: list[Slice]
    reason: str

    @property
    def size(self) -> int:
        """Items in all slices."""
        return sum(piece.stop - piece.start for piece in self.slices)


class Line(Generic[Item]):
    """Requests by their turn; `size` gives an item's characters. The owner locks around each call."""

    def __init__(self, size: Callable[[Item], int]) -> None:
        self._size = size
        self._short: deque[Job[Item]] = deque()
        self._bulk: deque[Job[Item]] = deque()
        self.waiting = 0

    def add(self, job: Job[Item]) -> None:
        """Put a request where its turn is."""
        self.waiting += job.waiting
        self._join(job, job.arrived)

    def drop(self, job: Job[Item], reason: str) -> None:
        """Take what waits of a request out."""
        self.waiting -= job.waiting
        job.dropped = reason

    def can_cut(self, *, bulk: bool = True) -> bool:
        """Whether there is something to cut; without `bulk`, from a short request."""
        return bool(self.waiting and (self._short or bulk))

    def cut(self, now: float, *, bulk: bool = True) -> Batch:
        """The next batch; empty when nothing waits. Late and dropped requests are passed over.

        Without `bulk` only short requests are cut.
        """
        slices: list[Slice] = []
        items, characters = BATCH_ITEMS, BATCH_CHARACTERS
        while items > 0 and characters > 0 and (job := self._pop(bulk)):
            if not job.waiting or job.late(now):
                continue  # the timer of a late one answers it
            piece, used = self._slice(job, min(items, SLICE_ITEMS), characters)
            slices.append(piece)
            items -= piece.stop - piece.start
            characters -= used
            if job.waiting:
                self._join(job, now)
        return Batch(slices, "items" if items <= 0 else "characters" if characters <= 0 else "empty")

    def _join(self, job: Job[Item], now: float) -> None:
        """At the end of its deque; each is in the order of turns."""
        job.turn = now + AGEING_SECONDS * job.bulk
        (self._bulk if job.bulk else self._short).append(job)

    def _pop(self, bulk: bool) -> Job[Item] | None:
        """The job whose turn it is."""
        first = self._short[0] if self._short else None
        if bulk and self._bulk and (first is None or self._bulk[0].turn < first.turn):
            return self._bulk.popleft()
        return self._short.popleft() if first else None

    def _slice(self, job: Job[Item], items: int, characters: int) -> tuple[Slice, int]:
        start, used = job.cut, 0
        while job.waiting and job.cut - start < items and used < characters:
            used += self._size(job.items[job.cut])
            job.cut += 1
        self.waiting -= job.cut - start
        job.begun += job.cut - start
        return Slice(job, start, job.cut, job.turn), used
