"""What is done with a text, and what it costs: admission is in seconds, and a search is no normalizing.

A price is in microseconds for a character (20 more for the call), learned from what was done; a judged search costs a
hundred times a cleaned text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, NamedTuple

from menpai.errors import MenpaiError, Problem

CALL_CHARACTERS = 20  # what a call costs beside its characters
LEARNING = 0.1
# Measured with the demo library; the first that are done correct them.
FIRST = {"normalize": 0.1, "parse": 6.0, "suggest": 35.0, "nearby": 5.0, "search": 50.0, "judge": 240.0}


class Price:
    """Microseconds for a character."""

    def __init__(self, micros: float) -> None:
        self.micros = micros

    def learn(self, characters: float, seconds: float) -> None:
        """So many took so long; one measurement counts as double or half at most, for a thread may have waited."""
        found = min(2.0, max(0.5, seconds * 1e6 / (characters * self.micros)))
        self.micros *= 1 + LEARNING * (found - 1)


class Asked(NamedTuple):
    """A text, what is to be done with it, and what that will cost in microseconds, as it was known when it came."""

    task: Callable[[Any], Any]
    text: Any
    micros: float
    characters: float
    price: Price

    def done(self) -> Any:
        """What the task answers; a text that cannot be read is a Problem."""
        started = perf_counter()
        try:
            found = self.task(self.text)
        except MenpaiError as error:
            return Problem(error.code, error.details)
        self.price.learn(self.characters, perf_counter() - started)
        return found


class Prices:
    """One for each kind of task. Threads may read and learn at once: a lost step of learning is learned again."""

    def __init__(self) -> None:
        self._known = {kind: Price(micros) for kind, micros in FIRST.items()}

    def ask(self, kind: str, task: Callable[[Any], Any], text: Any, times: float = 1.0) -> Asked:
        """The task with its price; `times` is how much larger it is than a usual one of its kind."""
        price, characters = self._known[kind], times * (CALL_CHARACTERS + length_of(text))
        return Asked(task, text, characters * price.micros, characters, price)


def length_of(text: Any) -> int:
    """Characters of a text, or of all texts in an object; 1 for what is neither."""
    if isinstance(text, Mapping):
        return sum(len(part) for part in text.values() if isinstance(part, str)) or 1
    return len(text) if isinstance(text, str) else 1
