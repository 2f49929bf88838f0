"""One side of a comparison: what the comparison asks of a reading, worked out once however many pairs it stands in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from menpai.address import DIVISION_LEVELS, Address
from menpai.evidence.homes import homes_of
from menpai.evidence.names import grams
from menpai.evidence.posts import with_posts

_DIRECTIONS = frozenset("东西南北内外上下前后")
_NUMBER = re.compile(r"[0-9]+|[A-Z]+")
_PLACES = ("road", "poi", "community")
_DIVISIONS = frozenset(DIVISION_LEVELS)


class Divided(NamedTuple):
    """The divisions of a side: the codes of its possible units, and (kind, name) of those it writes."""

    codes: tuple[str, ...]
    written: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """A reading, and what is compared of it."""

    address: Address
    divided: Divided
    values: dict[str, dict[str, str]]
    "Kind → value → the text it was read from, in the order of the text; a crossing's roads count as roads."
    given: dict[str, tuple[str, ...]]
    "Kind → its values."
    names: tuple[str, ...]
    "Roads, places, communities."
    detail: str
    "The text behind the divisions; the whole text where nothing stands behind them."
    grams: frozenset[str]
    detail_grams: frozenset[str]
    numbers: frozenset[str]
    "Numbers and Latin words of the text."
    directions: frozenset[str]
    "Direction words of the detail; none where the text is nothing but divisions."
    ending: str
    "The last two characters of the longest named place."
    relative: bool
    "It is a place relative to another (对面, 往北200米)."
    homes: frozenset[str]
    "The names of its divisions, also without 市, 区, 镇."


def side_of(address: Address) -> Side:
    """What comparisons ask of this reading."""
    values: dict[str, dict[str, str]] = {}
    written: list[tuple[str, str]] = []
    homes: list[tuple[str, str]] = []
    for element in with_posts(address.elements):
        kind = element.kind
        if kind in _DIVISIONS:
            written.append((kind, element.value))
            homes.append((element.value, element.text))
        values.setdefault("road" if kind == "intersection" else kind, {})[element.value] = element.text
    detail = detail_of(address)
    poi = values.get("poi")
    return Side(
        address,
        Divided(tuple([division.code for division in address.divisions]), tuple(written)),
        values,
        {kind: tuple(found) for kind, found in values.items()},
        tuple([value for kind in _PLACES for value in values.get(kind, ())]),
        detail,
        grams(address.text),
        grams(detail),
        frozenset(_NUMBER.findall(address.text)),
        frozenset() if _DIVISIONS.issuperset(values) else _DIRECTIONS.intersection(detail),
        max(poi, key=len)[-2:] if poi else "",
        "distance" in values or "assist" in values,
        homes_of(homes),
    )


def detail_of(address: Address) -> str:
    """The text without the divisions in front and, where the place stands in front, behind; the whole text if nothing
    else is left."""
    start, end = 0, len(address.text)
    for element in address.elements:
        if element.kind not in _DIVISIONS:
            break
        start = element.end
    for element in reversed(address.elements):
        if element.kind not in _DIVISIONS or element.end < end or element.start <= start:
            break
        end = element.start
    return address.text[start:end] or address.text
