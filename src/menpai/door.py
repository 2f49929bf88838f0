"""The functions at the door: match with the pack of the settings, normalize and parse without any pack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from menpai.address import Address, Normalized, Place
from menpai.errors import Problem, UsageError
from menpai.parsing import parse as parse_normalized
from menpai.parsing.dated import AsOf, gazetteer_as_of
from menpai.parsing.hints import make_hints
from menpai.parsing.settle import settler
from menpai.settings import Settings
from menpai.text import normalize as normalize_text
from menpai.text.readable import find_problem
from menpai.verdict import Verdict

if TYPE_CHECKING:
    from menpai.matcher import Matcher


def match(a: str | Place, b: str | Place) -> Verdict:
    """The verdict on two addresses, by the pack of the settings (the built-in one), opened once."""
    return _matcher().match(a, b)


def normalize(text: str, *, skip: Collection[str] = ()) -> Normalized:
    """The cleaned text with offsets into the original; raises UsageError for a text that cannot be read.

    `skip` names steps to leave out, such as ("contacts", "notes").
    """
    if problem := find_problem(text, "", _settings().max_length):
        raise UsageError(problem.code, **problem.details)
    return normalize_text(text, skip)


def parse(
    text: str,
    *,
    default_city: str | None = None,
    near: tuple[float, float] | None = None,
    as_of: AsOf | None = None,
) -> Address:
    """The elements and divisions of an address; raises UsageError for a text that cannot be read.

    `default_city` (name or code) and `near` (latitude, longitude in degrees) settle what the text leaves open:
    which 朝阳区, which city. They never override what is written. `as_of` (a year or date) reads with the
    divisions of that time.
    """
    (answer,) = parse_many([text], default_city=default_city, near=near, as_of=as_of)
    if isinstance(answer, Problem):
        raise UsageError(answer.code, **answer.details)
    return answer


def parse_many(
    texts: Iterable[str],
    *,
    default_city: str | None = None,
    near: tuple[float, float] | None = None,
    as_of: AsOf | None = None,
) -> list[Address | Problem]:
    """The reading of each text in order, or what was wrong with it; hints as in `parse`.

    With the setting `tagger` this is several times as fast as one call for each text.
    """
    gazetteer = gazetteer_as_of(as_of, _settings().overrides)
    hints = make_hints(gazetteer, default_city, near)
    answers = [
        find_problem(text, "", _settings().max_length)
        or parse_normalized(normalize_text(text), gazetteer, hints)
        for text in texts
    ]
    read = [answer for answer in answers if isinstance(answer, Address)]
    settled = iter(_settler()(read))
    return [next(settled) if isinstance(answer, Address) else answer for answer in answers]


@cache
def _settings() -> Settings:
    return Settings.load()


@cache
def _settler() -> Callable[[Sequence[Address]], list[Address]]:
    return settler(_settings())


@cache
def _matcher() -> Matcher:
    from menpai.matcher import Matcher  # noqa: PLC0415 (numpy and ONNX Runtime, which normalize and parse do without)

    return Matcher.open(settings=_settings())
