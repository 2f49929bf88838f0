"""A batch that fails is split until the rows that break it stand alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Row = TypeVar("Row")

MOST_FAILURES = 24  # then the engine is broken, not a row: the rest is not tried


def isolated(work: Callable[[list[Row]], Sequence[Any]], rows: Sequence[Row]) -> list[Any]:
    """The answer to each row; an exception for each that `work` cannot do, alone or at all."""
    return _run(work, list(rows), [])


def _run(work: Callable[[list[Row]], Sequence[Any]], part: list[Row], failures: list[Exception]) -> list[Any]:
    if len(failures) >= MOST_FAILURES:
        return [failures[-1]] * len(part)
    try:
        answers = list(work(part))
        if len(answers) != len(part):
            raise RuntimeError(f"{len(answers)} answers to {len(part)} rows")
    except Exception as error:
        failures.append(error)
        if len(part) == 1:
            return [error]
        middle = len(part) // 2
        return _run(work, part[:middle], failures) + _run(work, part[middle:], failures)
    return answers
