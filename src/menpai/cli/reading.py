"""One text at a time for the command line, without the weight of a matcher."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from menpai.address import Address, Place
from menpai.door import normalizer
from menpai.door import reader as parser
from menpai.errors import Problem, UsageError

__all__ = ["alone", "normalizer", "parser"]


def alone(read: Callable[[Iterable[str | Place]], list[Address | Problem]]) -> Callable[[str], Address]:
    """A function for one text, which raises UsageError if it cannot be read."""

    def one(text: str) -> Address:
        (answer,) = read([text])
        if isinstance(answer, Problem):
            raise UsageError(answer.code, **answer.details)
        return answer

    return one
