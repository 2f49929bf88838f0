"""Processor time of a call, told apart from what a neighbour on the same core costs."""

from __future__ import annotations

import time
from collections.abc import Callable


def least_time(call: Callable[[], object], enough: float = 0.0, tries: int = 4) -> float:
    """The least of some tries in seconds; no more are made once one took no longer than `enough`."""
    best = float("inf")
    while tries and best > enough:
        start = time.process_time()
        call()
        best, tries = min(best, time.process_time() - start), tries - 1
    return best
