"""Normalize and parse under the settings of this run, without the weight of a matcher."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from menpai.address import Address, Normalized
from menpai.errors import UsageError
from menpai.parsing import parse
from menpai.parsing.gazetteer import default
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
    settings: Settings, default_city: str | None = None, near: Sequence[float] | None = None
) -> Callable[[str], Address]:
    """A function from a text to its reading; it raises UsageError for a text or a hint that cannot be read."""
    cleaned = normalizer(settings)
    gazetteer = default()
    hints = make_hints(gazetteer, default_city, near)
    settle = settler(settings)
    return lambda text: settle([parse(cleaned(text), gazetteer, hints)])[0]
