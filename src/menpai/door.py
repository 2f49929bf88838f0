"""The functions at the door: match with the pack of the settings, normalize and parse without any pack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from menpai.address import Address, Normalized, Place
from menpai.errors import Language, Problem, UsageError
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


def normalize(text: str | Place, *, skip: str | Collection[str] | None = ()) -> Normalized:
    """The cleaned text with offsets into the original; raises UsageError for a text that cannot be read.

    `skip` names steps to leave out, such as ("contacts", "notes").
    """
    return normalizer(_settings(), skip)(text)


def parse(
    text: str | Place,
    *,
    default_city: str | None = None,
    near: tuple[float, float] | None = None,
    as_of: AsOf | None = None,
) -> Address:
    """The elements and divisions of an address; raises UsageError for a text that cannot be read.

    `default_city` (name or code) and `near` (latitude, longitude in degrees) settle what the text leaves open:
    which 朝阳区, which city. They never override what is written. An address with coordinates of its own is near
    those. `as_of` (a year or date) reads with the divisions of that time.
    """
    (answer,) = parse_many([text], default_city=default_city, near=near, as_of=as_of)
    if isinstance(answer, Problem):
        raise UsageError(answer.code, **answer.details)
    return answer


def parse_many(
    texts: Iterable[str | Place],
    *,
    default_city: str | None = None,
    near: tuple[float, float] | None = None,
    as_of: AsOf | None = None,
) -> list[Address | Problem]:
    """The reading of each text in order, or what was wrong with it; hints as in `parse`.

    With the setting `tagger` this is several times as fast as one call for each text.
    """
    if isinstance(texts, str | bytes | Mapping):
        raise UsageError("texts_not_list", type=type(texts).__name__)
    return reader(_settings(), default_city, near, as_of)(texts)


def normalizer(
    settings: Settings, skip: str | Collection[str] | None = ()
) -> Callable[[str | Place], Normalized]:
    """`normalize` under these settings; an unknown step raises at once."""
    steps = (skip,) if isinstance(skip, str) else tuple(skip or ())
    normalize_text("", steps)

    def read(address: str | Place) -> Normalized:
        text, problem = _text_of(address, settings)
        if problem:
            raise UsageError(problem.code, **problem.details)
        return normalize_text(text, steps)

    return read


def reader(
    settings: Settings,
    default_city: str | None = None,
    near: Sequence[float] | None = None,
    as_of: AsOf | None = None,
) -> Callable[[Iterable[str | Place]], list[Address | Problem]]:
    """`parse_many` under these settings and hints; a bad hint raises at once."""
    gazetteer = gazetteer_as_of(as_of, settings.overrides)
    hints = make_hints(gazetteer, default_city, near)
    settle = _settler(settings)

    def one(address: str | Place) -> Address | Problem:
        text, problem = _text_of(address, settings)
        if problem:
            return problem
        cleaned = normalize_text(text)
        if not any(map(str.isalnum, cleaned.text)):
            return Problem("address_unreadable", {"side": ""})
        if not isinstance(address, Mapping):
            return parse_normalized(cleaned, gazetteer, hints)
        own = _point_of(address)
        found = parse_normalized(cleaned, gazetteer, hints._replace(near=own) if own else hints)
        return replace(found, place=address)

    def read(addresses: Iterable[str | Place]) -> list[Address | Problem]:
        answers = list(map(one, addresses))
        settled = iter(settle([answer for answer in answers if isinstance(answer, Address)]))
        return [next(settled) if isinstance(answer, Address) else answer for answer in answers]

    return read


def _text_of(address: str | Place, settings: Settings) -> tuple[Any, Problem | None]:
    """The text of an address, and why it cannot be read, if so."""
    if not isinstance(address, Mapping):
        return address, find_problem(address, "", settings.max_length)
    from menpai.evidence.coordinates import find_coordinate_problem  # noqa: PLC0415 (its room needs numpy)

    text = address.get("text", address)
    return text, find_problem(text, "", settings.max_length) or find_coordinate_problem(address, "")


def _point_of(place: Place) -> tuple[float, float] | None:
    """Where a place is, in WGS-84 degrees; None for one without coordinates."""
    from menpai.evidence.coordinates import point_of  # noqa: PLC0415 (its room needs numpy)

    return point_of(place)


def language_of_settings() -> Language:
    """The language in which people are spoken to."""
    return _settings().lang


@cache
def _settings() -> Settings:
    return Settings.load()


@cache
def _settler(settings: Settings) -> Callable[[Sequence[Address]], list[Address]]:
    return settler(settings)


@cache
def _matcher() -> Matcher:
    from menpai.matcher import Matcher  # noqa: PLC0415 (numpy and ONNX Runtime, which normalize and parse do without)

    return Matcher.open(settings=_settings())
