"""Normalize and parse under the settings of this run, without the weight of a matcher."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from menpai.address import Address, Normalized
from menpai.errors import Problem, UsageError
from menpai.parsing import parse
from menpai.parsing.dated import gazetteer_as_of
from menpai.parsing.hints import make_hints
from menpai.parsing.settle import settler
from menpai.settings import Settings
from menpai.text import normalize
from menpai.text.readable import find_problem


def normalizer(settings: Settings, skip: Collection[str] = ()) -> Callable[[str], Normalized]:
    """A function from a text to its cleaned form; it raises UsageError for a text that cannot be read."""

    def read(text: str) -> Normalized:
        if problem := find_problem(text, "", settings.max_length):
            raise UsageError(problem.code, **problem.details)
        return normalize(text, skip)

    return read


def parser(
    settings: Settings,
    default_city: str | None = None,
    near: Sequence[float] | None = None,
    as_of: str | None = None,
) -> Callable[[Sequence[str]], list[Address | Problem]]:
    """A function from texts to their readings or what is wrong with them, in order; a bad hint raises UsageError."""
    cleaned = normalizer(settings)
    gazetteer = gazetteer_as_of(as_of, settings.overrides)
    hints = make_hints(gazetteer, default_city, near)
    settle = settler(settings)

    def one(text: str) -> Address | Problem:
        try:
            return parse(cleaned(text), gazetteer, hints)
        except UsageError as error:
            return Problem(error.code, error.details)

    def read(texts: Sequence[str]) -> list[Address | Problem]:
        answers = list(map(one, texts))
        settled = iter(settle([answer for answer in answers if isinstance(answer, Address)]))
        return [next(settled) if isinstance(answer, Address) else answer for answer in answers]

    return read


def alone(read: Callable[[Sequence[str]], list[Address | Problem]]) -> Callable[[str], Address]:
    """The same for one text, which raises UsageError if it cannot be read."""

    def one(text: str) -> Address:
        (answer,) = read([text])
        if isinstance(answer, Problem):
            raise UsageError(answer.code, **answer.details)
        return answer

    return one
