"""Functional zones (高新区, 经开区, 新区, 兵团): a layer beside the divisions, many to many with districts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from menpai.address import Division, Element
from menpai.address import Zone as ReadZone
from menpai.parsing import values
from menpai.parsing.tables import read_lines
from menpai.parsing.written import stem

Codes = tuple[str, ...]
_FULL = re.compile(r"(?:区|新城|委员会|管理局)$")
_ADMINISTRATION = re.compile(r"(?:管委会|管理委员会)$")
_GENERIC = {
    "htdz": re.compile(r"高新(?:技术)?(?:产业)?(?:开发)?(?:园)?区"),
    "etdz": re.compile(r"(?:经济)?(?:技术)?开发区|经开区"),
}
_CORPS = re.compile(
    r"(?:新疆)?(?:生产建设)?(?:兵团)?(?:(?:第|农)?(?P<division>[一二三四五六七八九十\d]{1,3})师)?(?P<rest>.*)"
)


class Zone(NamedTuple):
    """A zone: its name, kind (new_area, etdz, htdz, zone, corps), the cities it belongs to and the districts it spans."""

    name: str
    kind: str
    parents: Codes
    districts: Codes

    @property
    def codes(self) -> Codes:
        """The districts it lies in; where they are not known, its cities."""
        return self.districts or self.parents


def find(written: str, context: Codes = ()) -> tuple[Zone, ...]:
    """The zones that a text can mean behind these divisions: by name (西安高新区), or as the zone of the city (高新区).

    () for one that the tables do not have; a zone by its kind alone is known only behind its city.
    """
    written = _ADMINISTRATION.sub("", written)
    named = _by_name().get(written, ())
    near = tuple(zone for zone in named if _agrees(zone, context))
    if near or (named and not context):
        return near or named
    kind = next((kind for kind, pattern in _GENERIC.items() if pattern.fullmatch(written)), None)
    if kind is None or not context:
        return corps(written)
    provinces = {code[:2] for code in context}
    around = _zones() if len(provinces) > 1 else _zones_of(*provinces)
    return tuple(zone for zone in around if zone.kind == kind and _agrees(zone, context))


def names_at(code: str) -> Iterator[tuple[str, Codes]]:
    """Names of the zones in or around a division, with the codes they lie in; behind a city 高新区 alone too."""
    for name, known in _by_province().get(code[:2], {}).items():
        if near := [zone for zone in known if _agrees(zone, (code,))]:
            yield name, near[0].codes
    for name in ("高新区", "经开区", "经济技术开发区"):
        if len(code) == 4 and (zones := find(name, (code,))):
            yield name, zones[0].codes


def end_of(text: str, start: int) -> int | None:
    """Where the longest zone ends that begins here by a full name of its own (not 光谷, which 光谷大道 holds too)."""
    names = _beginnings().get(text[start : start + 2], ())
    return next((start + len(name) for name in names if text.startswith(name, start)), None)


def read_zones(elements: Iterable[Element], divisions: Sequence[Division]) -> tuple[ReadZone, ...]:
    """The zones that these elements name behind these divisions, each with the codes of its districts."""
    found: dict[ReadZone, None] = {}
    before = ""
    for element in elements:
        kind = element.kind
        if kind == "devzone" or (kind == "town" and element.text.endswith("团")):
            context = tuple(division.code for division in divisions)
            names = (before + element.text, stem(before) + element.text, element.text)
            zones = next(filter(None, (find(name, context) for name in names)), ())
            found.update((ReadZone(zone.name, zone.codes), None) for zone in zones)
        before = element.text
    return tuple(found)


def corps(written: str) -> tuple[Zone, ...]:
    """A division or regiment of the Xinjiang corps: 第八师, 农八师, 147团, 一四七团, 第八师一四七团, 芳草湖农场."""
    match = _CORPS.fullmatch(written)
    if match is None or not (match["division"] or match["rest"]):
        return ()
    wanted = values.digits(f"{match['division'] or ''}师").removesuffix("师")
    rest = values.digits(match["rest"])
    rows = [row for row in _corps() if wanted in ("", row[0])]
    found = [(number, city) for number, city, parts in rows if (rest in parts if rest else wanted)]
    return tuple(Zone(f"第{number}师{rest}", "corps", (city,), (city,)) for number, city in found)


def _agrees(zone: Zone, context: Codes) -> bool:
    """Whether the zone lies in one of these divisions or they in one of its districts or cities."""
    around = zone.districts or zone.parents
    return any(
        code.startswith(known) or known.startswith(code)
        for known in context
        for code in (around if len(known) >= 6 else (*zone.parents, *around))
    )


@cache
def _zones() -> tuple[Zone, ...]:
    return tuple(zone for zone, _ in _rows())


@cache
def _zones_of(province: str) -> tuple[Zone, ...]:
    return tuple(zone for zone in _zones() if any(code[:2] == province for code in _codes(zone)))


def _codes(zone: Zone) -> Codes:
    return (*zone.parents, *zone.districts)


@cache
def _by_province() -> dict[str, dict[str, list[Zone]]]:
    """First two digits of a code → name → the zones of that name there."""
    found: dict[str, dict[str, list[Zone]]] = {}
    for name, zones in _by_name().items():
        for zone in zones:
            for province in {code[:2] for code in _codes(zone)}:
                found.setdefault(province, {}).setdefault(name, []).append(zone)
    return found


def _rows() -> Iterator[tuple[Zone, Codes]]:
    """(zone, all its names)."""
    for line in read_lines("zones.tsv"):
        name, kind, parents, districts, aliases = line.split("\t")
        zone = Zone(name, kind, tuple(parents.split(",")), tuple(filter(None, districts.split(","))))
        yield zone, (name, *filter(None, aliases.split(",")))


@cache
def _by_name() -> dict[str, tuple[Zone, ...]]:
    found: dict[str, tuple[Zone, ...]] = {}
    for zone, names in _rows():
        for name in names:
            found[name] = (*found.get(name, ()), zone)
    return found


@cache
def _beginnings() -> dict[str, tuple[str, ...]]:
    """First two characters → names, longest first."""
    found: dict[str, tuple[str, ...]] = {}
    for name in sorted(filter(_FULL.search, _by_name()), key=lambda name: (-len(name), name)):
        found[name[:2]] = (*found.get(name[:2], ()), name)
    return found


@cache
def _corps() -> tuple[tuple[str, str, frozenset[str]], ...]:
    """(number of the division, code of its city, its regiments as 147团 and its farms)."""
    lines = (line.split("\t") for line in read_lines("corps.tsv"))
    return tuple(
        (
            number,
            city,
            frozenset((*(f"{one}团" for one in regiments.split()), *map(values.digits, farms.split()))),
        )
        for number, city, regiments, farms in lines
    )
