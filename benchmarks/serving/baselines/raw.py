"""Prints how many pairs a second `match_many` judges, in lists of 256, on all cores."""

from __future__ import annotations

import itertools
import sys
import time

from benchmarks.serving.client import written
from menpai import Matcher


def main(seconds: float) -> None:
    """Judge for so long."""
    matcher = Matcher.open()
    matcher.warm()
    pairs, count, started = written(), 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        count += len(matcher.match_many(list(itertools.islice(pairs, 256))))
    print(count / (time.perf_counter() - started))


if __name__ == "__main__":
    main(float(sys.argv[1]))
