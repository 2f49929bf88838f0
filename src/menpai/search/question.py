"""A query as search takes it: a text, or an object with name, address and coordinates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from menpai.errors import UsageError, near
from menpai.evidence.coordinates import Point, find_coordinate_problem, to_wgs84
from menpai.search.ranking import Text
from menpai.text import normalize
from menpai.text.readable import find_problem

FIELDS = ("text", "address", "name", "lat", "lon", "crs")
LONGEST = 512


class Question(NamedTuple):
    """What is looked for: normalized address and name, what a judge reads, and the point (WGS-84 degrees) if given."""

    text: Text
    written: str
    point: Point | None


def read_question(query: str | Mapping[str, Any], longest: int = LONGEST) -> Question:
    """The question that a caller asks; raises UsageError for what cannot be read as one.

    `address` (or `text`) and `name` may stand apart; one of them is enough. Coordinates are of `crs` (wgs84).
    """
    if not isinstance(query, Mapping):
        _check(query, longest)
        query = {"text": query}
    if unknown := sorted(map(str, set(query) - set(FIELDS))):
        raise UsageError("search_field", field=unknown[0], **near(unknown[0], FIELDS))
    address, name = query.get("address", query.get("text")), query.get("name")
    if address is None and name is None:
        raise UsageError("address_empty", side="")
    for text in (address, name):
        if text is not None:
            _check(text, longest)
    address, name = address or "", name or ""
    text = Text(normalize(address).text, normalize(name).text)
    return Question(text, address + name, read_point(query.get("lat"), query.get("lon"), query.get("crs")))


def read_point(lat: Any, lon: Any, crs: Any = None) -> Point | None:
    """A point in WGS-84 degrees, None where neither is given; raises UsageError for what is no point."""
    place = {"lat": lat, "lon": lon, "crs": "wgs84" if crs is None else crs}
    if problem := find_coordinate_problem(place, ""):
        raise UsageError(problem.code, **problem.details)
    return None if lat is None else to_wgs84(lat, lon, str(place["crs"]))


def read_radius(radius: Any) -> float | None:
    """A distance in metres; raises UsageError for what is none."""
    if radius is None:
        return None
    if isinstance(radius, bool) or not isinstance(radius, int | float) or not (0 < radius < math.inf):
        raise UsageError("search_radius", value=str(radius)[:40])
    return float(radius)


def _check(text: Any, longest: int) -> None:
    if problem := find_problem(text, "", longest):
        raise UsageError(problem.code, **problem.details)
