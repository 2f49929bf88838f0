"""How far long work has come: on standard error if that is a terminal, or told to a program that watches."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from menpai.cli.language import say

T = TypeVar("T")
Heard = Callable[[Mapping[str, Any]], None]
_EVERY_SECONDS = 0.2
_SAMPLES = 50  # over which the rate is taken: rows of a journal pass faster than those that are judged
_heard: Heard | None = None


def tell_to(heard: Heard) -> None:
    """From now on steps go to this function: `stage`, `share` of it that is done and `seconds_left`, None where unknown."""
    global _heard  # as standard error, there is one in a process
    _heard = heard


def watched(items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """The items; meanwhile one line tells how many have passed, how fast, and, if there are `total`, how long it will
    take; it is wiped at the end."""
    if _heard is not None:
        yield from _told(items, total, _heard)
        return
    if not sys.stderr.isatty():
        yield from items
        return
    seen = deque([(time.monotonic(), 0)], maxlen=_SAMPLES)
    try:
        for count, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - seen[-1][0] >= _EVERY_SECONDS:
                then, before = seen[0]
                seen.append((now, count))
                rate = (count - before) / (now - then)
                text = say(f"{count:,} 行，每秒 {rate:,.0f} 行", f"{count:,} rows, {rate:,.0f} a second")
                if total:
                    left = time_left((total - count) / rate)
                    text += say(f"，共约 {total:,} 行，还要 {left}", f" of about {total:,}, {left} left")
                print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def time_left(seconds: float) -> str:
    """Seconds as `1:05` or `2:03:09`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def shares() -> Iterator[Callable[[str, float], None]]:
    """A function that is told a stage and how much of it is done; one line shows it, and is wiped at the end."""
    if _heard is not None:
        yield _Stages(_heard)
        return
    if not sys.stderr.isatty():
        yield lambda name, share: None
        return
    shown = 0.0

    def told(name: str, share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= _EVERY_SECONDS:
            shown = now
            print(f"\r\x1b[K{name} {share:.0%}", end="", file=sys.stderr, flush=True)

    try:
        yield told
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Stages:
    """Takes a stage and the share of it that is done, and tells it with the time that is left for it."""

    def __init__(self, heard: Heard) -> None:
        self._heard, self._stage, self._began = heard, "", 0.0

    def __call__(self, name: str, share: float) -> None:
        now = time.monotonic()
        if name != self._stage:
            self._stage, self._began = name, now
        left = (now - self._began) * (1 - share) / share if share else None
        self._heard({"stage": name, "share": share, "seconds_left": left})


def _told(items: Iterable[T], total: int | None, heard: Heard) -> Iterator[T]:
    start = time.monotonic()
    for count, item in enumerate(items, 1):
        yield item
        share = min(1.0, count / total) if total else None
        left = (time.monotonic() - start) * (1 - share) / share if share else None
        heard({"stage": "rows", "rows": count, "share": share, "seconds_left": left})
