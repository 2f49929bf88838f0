"""Who judges the batches: one matcher for all threads, a matcher for each GPU stream, or processes of their own.

The queue, the caches and the metrics stay in the one process that listens, whatever is chosen: batches are handed
out, not connections, so that no caller waits behind a busy instance while another is free.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from menpai.matcher import Doubt, Matcher
from menpai.settings import Settings

GPU_STREAMS = 2
Tell = Callable[..., None]  # an event's name and its facts, for the log and the metrics


class Instances(Protocol):
    """Judges batches, up to `count` at once: whole, or in the two halves of a matcher, so that rows queue in between."""

    count: int
    readers: int  # how many may `begin` at once
    runs: int  # how many may `finish` at once; 0 where `begin` leaves nothing open

    def begin(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """A verdict, a problem or a Doubt for each pair, in order."""

    def finish(self, doubts: Sequence[Doubt]) -> Sequence[Any]:
        """The verdicts on doubts, in order."""

    def match_many(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """A verdict or a problem for each pair, in order; called by several threads."""

    @property
    def alive(self) -> int:
        """How many can take a batch now."""

    def close(self) -> None:
        """Give everything back; no batch is under way any more."""


class Threads:
    """One matcher, shared: one thread reads, since Python's lock lets no two, and several run the engine."""

    readers = 1

    def __init__(self, matcher: Matcher, count: int) -> None:
        self.count = self.runs = self.alive = count
        self.match_many, self.begin, self.finish = matcher.match_many, matcher.begin, matcher.finish

    def close(self) -> None:
        """Nothing to give back."""


class Streams:
    """A matcher for each: sessions of their own on one device are streams that run beside each other."""

    readers = 1

    def __init__(self, matchers: Sequence[Matcher]) -> None:
        self.count = self.runs = self.alive = len(matchers)
        self.begin = matchers[0].begin
        self._free: queue.SimpleQueue[Matcher] = queue.SimpleQueue()
        for matcher in matchers:
            self._free.put(matcher)

    def match_many(self, pairs: Sequence[Any]) -> Sequence[Any]:
        """By a matcher that is free."""
        with self._taken() as matcher:
            return matcher.match_many(pairs)

    def finish(self, doubts: Sequence[Doubt]) -> Sequence[Any]:
        """By a matcher that is free."""
        with self._taken() as matcher:
            return matcher.finish(doubts)

    @contextlib.contextmanager
    def _taken(self) -> Iterator[Matcher]:
        matcher = self._free.get()
        try:
            yield matcher
        finally:
            self._free.put(matcher)

    def close(self) -> None:
        """Nothing to give back."""


def open_instances(matcher: Matcher, open_matcher: Callable[[], Matcher], tell: Tell) -> Instances:
    """The instances that the matcher's settings ask for; `matcher` is warmed and is the first of them."""
    settings = matcher.settings
    count = instances_of(settings, matcher)
    if settings.instance_kind == "processes":
        from menpai.serving.processes import Processes  # noqa: PLC0415 (seldom asked for)

        return Processes(matcher, count, tell)
    if matcher.device == "cpu" or count == 1:
        return Threads(matcher, count)
    others = [open_matcher() for _ in range(count - 1)]
    for other in others:
        other.warm()
    return Streams([matcher, *others])


def instances_of(settings: Settings, matcher: Matcher) -> int:
    """How many batches are judged at once: the setting, else one for each core that may be used; on a GPU two, so that
    one is at hand when the other ends; one thread for an encoder so small that Python's lock is what a second waits for.
    """
    if settings.instances or settings.instance_kind == "processes":
        return settings.instances or settings.cores
    return matcher.lanes if matcher.device == "cpu" else GPU_STREAMS
