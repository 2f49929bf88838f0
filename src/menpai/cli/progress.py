"""How far long work has come, on standard error if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from menpai.cli.language import say

T = TypeVar("T")
_EVERY_SECONDS = 0.2


def watched(items: Iterable[T], total: int | None = None) -> Iterator[T]:
    """The items; meanwhile one line tells how many have passed, how fast, and, if there are `total`, how long it will
    take; it is wiped at the end."""
    if not sys.stderr.isatty():
        yield from items
        return
    start = shown = time.monotonic()
    try:
        for count, item in enumerate(items, 1):
            yield item
            now = time.monotonic()
            if now - shown >= _EVERY_SECONDS:
                shown = now
                rate = count / (now - start)
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
