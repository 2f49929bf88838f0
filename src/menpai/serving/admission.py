"""Whether a request is let in: what it and those before it will cost, against the time that there is.

The queue is bounded in seconds, not in requests: seconds = rows · b + characters · a, as in Clockwork (OSDI '20) and
BentoML's CORK dispatcher, but used to refuse and never to wait. One rule for a pair, a list, and candidates.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from menpai.errors import NotReadyError
from menpai.serving.line import Deadline

LEARNING = 0.3
LEARN_SECONDS = 0.1  # of uninterrupted work, until it is compared with what was expected
LEARN_ROWS = 8  # in it, or a second
LENGTHS = (8, 40)  # characters of an address in the two samples that are measured
ROWS = (4, 12)  # pairs of a sample: so few, and these if they took no time; work corrects what they say
BRIEF_SECONDS = 0.03
_SAMPLE = "浙江省杭州市西湖区文三路一百二十三号海月花园三期12幢2单元1602室（北门进，靠近地铁口）"


class Costs:
    """What rows cost in seconds of the whole service; 0 until something is known."""

    def __init__(self, row: float = 0.0, character: float = 0.0) -> None:
        self.row = row
        self.character = character
        self._since: float | None = None
        self._done = (0, 0)

    def seconds(self, rows: int, characters: int) -> float:
        """How long so much takes."""
        return rows * self.row + characters * self.character

    def note(self, now: float, rows: int, characters: int, spent: float, *, busy: bool) -> None:
        """A batch has ended after `spent` seconds, and more waits (`busy`) or not.

        Work without a gap says how fast the service is. A lone batch says that it is no slower than that.
        """
        if not busy:
            self._since = None
            if spent < self.seconds(rows, characters):
                self.learn(rows, characters, spent)
        elif self._since is None:
            self._since, self._done = now, (0, 0)
        else:
            self._done = (self._done[0] + rows, self._done[1] + characters)
            seconds = now - self._since
            if seconds >= LEARN_SECONDS and (self._done[0] >= LEARN_ROWS or seconds >= 1):
                self.learn(*self._done, seconds)
                self._since, self._done = now, (0, 0)

    def learn(self, rows: int, characters: int, seconds: float) -> None:
        """Work of this size took so long: both coefficients follow, their proportion stays that of the warm-up.

        One measurement at most doubles or halves what it says, so that a stall of the machine does not close the door.
        """
        expected = self.seconds(rows, characters)
        if not rows:
            return
        if not expected:
            self.row = seconds / rows
            return
        change = 1 + LEARNING * (min(2.0, max(0.5, seconds / expected)) - 1)
        self.row *= change
        self.character *= change


class Backlog:
    """Rows and characters that were let in and are not answered, of short requests and of bulk."""

    def __init__(self) -> None:
        self.rows = [0, 0]
        self.characters = [0, 0]

    def add(self, bulk: bool, rows: int, characters: int) -> None:
        """So much came in; negative: it was answered or given up."""
        self.rows[bulk] += rows
        self.characters[bulk] += characters

    def before(self, bulk: bool) -> tuple[int, int]:
        """Rows and characters that stand before a new request: short ones pass bulk by."""
        if bulk:
            return sum(self.rows), sum(self.characters)
        return self.rows[0], self.characters[0]


def check(wait: float, own: float, queue_seconds: float, deadline: Deadline) -> None:
    """Let in a request that will wait so long and then take `own` seconds, or raise `service_full`.

    A deadline that the caller named must hold the whole of it; one that its own work exceeds is for the caller to
    learn, not for the queue. Retry-After is drawn at random, lest all come back at once.
    """
    rest = own if deadline.strict and own <= deadline.seconds else 0.0
    bound = max(0.0, min(queue_seconds, deadline.seconds - rest))
    if wait <= bound:
        return
    raise refusal(wait, bound)


def refusal(wait: float, bound: float) -> NotReadyError:
    """That what waits takes longer than it may, and when to ask again."""
    excess = max(0.5, wait - bound)
    retry_after = math.ceil(random.uniform(excess, 2 * excess))
    return NotReadyError("service_full", wait=wait, retry_after=retry_after)


def measure_costs(work: Callable[[list[tuple[str, str]]], Sequence[Any]]) -> Costs:
    """The costs of pairs, from short and long ones; brief also where a pair takes long."""
    short, long = (_pair_seconds(work, length) for length in LENGTHS)
    width = 2 * (LENGTHS[1] - LENGTHS[0])
    character = max(0.0, (long - short) / width)
    return Costs(max(short / 10, short - character * 2 * LENGTHS[0]), character)


def _pair_seconds(work: Callable[[list[tuple[str, str]]], Sequence[Any]], length: int) -> float:
    """Seconds for a pair of addresses of so many characters, all different."""
    seconds = 0.0
    for rows in ROWS:
        pairs = [(f"{_SAMPLE[:length]}{rows}{n}", f"{n}{_SAMPLE[:length]}") for n in range(rows)]
        started = perf_counter()
        work(pairs)
        seconds = perf_counter() - started
        if seconds > BRIEF_SECONDS:
            return seconds / rows
    return seconds / ROWS[-1]
