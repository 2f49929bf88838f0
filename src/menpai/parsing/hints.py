"""Hints that a caller gives beside a text: a default city, a point nearby. They settle what the text leaves open,
and never contradict what it says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from menpai.errors import UsageError, near
from menpai.parsing.gazetteer import Codes, Gazetteer
from menpai.parsing.meaning import narrow

Point = tuple[float, float]

# A unit is the one nearby if its centre is at most this far away, and the next one at least twice as far.
_NEARBY_KM = 150.0
_KM_PER_DEGREE = 111.2


class Hints(NamedTuple):
    """Codes of the default city ("" for none: several only for a former name), and a point (lat, lon) nearby."""

    cities: Codes = ()
    near: Point | None = None


NO_HINTS = Hints()


def make_hints(gazetteer: Gazetteer, default_city: str | None, near_point: Sequence[float] | None) -> Hints:
    """The hints of a caller; raises UsageError for a city that is not known and a point that is none."""
    if default_city is None and near_point is None:
        return NO_HINTS
    cities = () if default_city is None else _city(gazetteer, default_city)
    return Hints(cities, None if near_point is None else _point(near_point))


def settle(gazetteer: Gazetteer, codes: Codes, hints: Hints) -> Codes:
    """Those of the possible units that the hints speak for; all of them if the hints speak for none."""
    if hints.cities:
        codes = narrow(hints.cities, codes) or codes
    if hints.near and len(codes) > 1:
        codes = _nearest(gazetteer, codes, hints.near)
    return codes


def _city(gazetteer: Gazetteer, name: str) -> Codes:
    """The codes of a city by its name or code; a province or district is taken where no city has the name."""
    if not isinstance(name, str):
        raise UsageError("hint_city", value=name, near_zh="", near_en="")
    if name.isascii() and name.isdigit():
        code = name.rstrip("0") if len(name) in (6, 12) else name
        code += "0" * (len(code) % 2)
        known: Codes = (code,) if code in gazetteer else ()
    else:
        form = gazetteer.form(name)
        codes = (*form.full, *form.short, *form.former) if form else ()
        known = next((kept for n in (4, 2, 6) if (kept := tuple(c for c in codes if len(c) == n))), ())
    if not known:
        raise UsageError("hint_city", value=name, **near(name, _city_names(gazetteer)))
    return tuple(dict.fromkeys(known))


def _city_names(gazetteer: Gazetteer) -> list[str]:
    names = [gazetteer.division(code).name for code in gazetteer if len(code) <= 4]
    return [*names, *(name.removesuffix("市") for name in names)]


def _point(value: Sequence[Any]) -> Point:
    """(lat, lon) in degrees."""
    try:
        lat, lon = (float(number) for number in value)
    except (TypeError, ValueError):
        raise UsageError("hint_near", value=value) from None
    if not (abs(lat) <= 90 and abs(lon) <= 180):
        raise UsageError("hint_near", value=value)
    return lat, lon


def _nearest(gazetteer: Gazetteer, codes: Codes, point: Point) -> Codes:
    """The unit nearby alone, or all of them, nearest first."""
    far = {code: _distance(gazetteer, code, point) for code in codes}
    ordered = tuple(sorted(codes, key=far.__getitem__))
    first, second = (far[code] for code in ordered[:2])
    return ordered[:1] if first <= _NEARBY_KM and second >= 2 * first else ordered


def _distance(gazetteer: Gazetteer, code: str, point: Point) -> float:
    """Kilometres from the point to the centre of the unit, as on a plane; infinite if the centre is unknown."""
    centre = gazetteer.centroid(code)
    if centre is None:
        return math.inf
    lat, lon = centre
    east = (lon - point[1]) * math.cos(math.radians(lat))
    return _KM_PER_DEGREE * math.hypot(lat - point[0], east)
