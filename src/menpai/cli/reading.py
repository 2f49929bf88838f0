"""Normalize and parse under the settings of this run, without the weight of a matcher."""

from __future__ import annotations

from collections.abc import Callable

from menpai.address import Address, Normalized
from menpai.errors import UsageError
from menpai.parsing import parse
from menpai.settings import Settings
from menpai.text import normalize
from menpai.text.readable import find_problem


def normalizer(settings: Settings) -> Callable[[str], Normalized]:
    """A function from a text to its cleaned form; it raises UsageError for a text that cannot be read."""

    def read(text: str) -> Normalized:
        if problem := find_problem(text, "", settings.max_length):
            raise UsageError(problem.code, **problem.details)
        return normalize(text)

    return read


def parser(settings: Settings) -> Callable[[str], Address]:
    """A function from a text to its reading; it raises UsageError for a text that cannot be read."""
    cleaned = normalizer(settings)
    return lambda text: parse(cleaned(text))
