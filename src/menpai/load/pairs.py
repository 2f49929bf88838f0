"""Pairs of addresses without end that look like real ones: divisions from the gazetteer, the rest from `names`.

The same seed gives the same pairs. About a third is the same place in other words; the others differ in number,
building, room, road, estate or city, or one contains the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from menpai.load.names import (
    ESTATE_ENDINGS,
    ESTATE_HEADS,
    OFFICES,
    REMARKS,
    ROAD_ENDINGS,
    ROADS,
    VILLAGES,
)  # fmt: skip
from menpai.parsing.gazetteer import Gazetteer, default

Pair = tuple[str, str]
REMEMBERED = 1000  # the pairs of which one is repeated


class Area(NamedTuple):
    """A district: the names above it, and its towns ("" where it has none)."""

    province: str
    city: str
    district: str
    towns: tuple[str, ...]


class Home(NamedTuple):
    """An address in parts; a part that it does not have is empty."""

    area: Area
    town: str
    road: str
    number: int
    place: str
    building: int
    unit: int
    room: int


def generated(seed: int, repeat: float = 0.0) -> Iterator[Pair]:
    """Pairs without end; a share of `repeat` is one of the last thousand again, as a cache would meet it."""
    random, areas = Random(seed), _areas(default())
    recent: list[Pair] = []
    while True:
        if recent and random.random() < repeat:
            yield recent[int(random.random() * len(recent))]
            continue
        pair = _pair(random, areas)
        if len(recent) < REMEMBERED:
            recent.append(pair)
        else:
            recent[int(random.random() * REMEMBERED)] = pair
        yield pair


def repeated(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """The pairs of a file, again and again in their order."""
    listed = tuple(pairs)
    while True:
        yield from listed


def _areas(gazetteer: Gazetteer) -> list[Area]:
    found = []
    for code in gazetteer:
        unit, parent = gazetteer.unit(code), gazetteer.parent(code)
        if len(code) != 6 or unit is None:
            continue
        towns = tuple(town[3:] for town in unit.towns.split(",")) if unit.towns else ("",)
        city = _name(gazetteer, parent) if len(parent) == 4 else ""
        found.append(Area(_name(gazetteer, code[:2]), city, unit.name, towns))
    return found


def _name(gazetteer: Gazetteer, code: str) -> str:
    unit = gazetteer.unit(code)
    return unit.name if unit else ""


def _pair(random: Random, areas: list[Area]) -> Pair:
    home = _home(random, areas)
    if random.random() < 0.15:
        return _village_pair(random, home)
    other = _MOVES[int(random.random() * len(_MOVES))](random, home, areas)
    return _in_full(home), _as_people_write(random, other)


def _home(random: Random, areas: list[Area]) -> Home:
    pick = random.random
    area = areas[int(pick() * len(areas))]
    road = ROADS[int(pick() * len(ROADS))] + ROAD_ENDINGS[int(pick() * len(ROAD_ENDINGS))]
    place = ESTATE_HEADS[int(pick() * len(ESTATE_HEADS))]
    if pick() < 0.7:
        place += ESTATE_ENDINGS[int(pick() * len(ESTATE_ENDINGS))]
        unit = 1 + int(pick() * 4)
    else:
        place, unit = place + OFFICES[int(pick() * len(OFFICES))], 0
    town = area.towns[int(pick() * len(area.towns))]
    room = (1 + int(pick() * 30)) * 100 + 1 + int(pick() * 6)
    return Home(area, town, road, 1 + int(pick() * 900), place, 1 + int(pick() * 40), unit, room)


def _in_full(home: Home) -> str:
    area = home.area
    unit = f"{home.unit}单元" if home.unit else ""
    return (
        f"{area.province}{area.city}{area.district}{home.town}{home.road}{home.number}号"
        f"{home.place}{home.building}幢{unit}{home.room}室"
    )


def _as_people_write(random: Random, home: Home) -> str:
    """Shorter, with 栋 or # for 幢, without divisions that go without saying, sometimes with a remark."""
    area, pick = home.area, random.random
    city = area.city or area.province
    head = (
        city + area.district,
        _short(city) + _short(area.district),
        area.district,
        area.district + home.town,
    )
    door = f"{home.road}{home.number}号" if home.number and pick() < 0.7 else ""
    building = f"{home.building}{('栋', '号楼', '#')[int(pick() * 3)]}" if home.building else ""
    room = f"{home.room}" if home.room and pick() < 0.6 else ""
    unit = f"{home.unit}单元" if home.unit and pick() < 0.6 else ""
    remark = REMARKS[int(pick() * len(REMARKS))] if pick() < 0.15 else ""
    return f"{head[int(pick() * 4)]}{door}{home.place}{building}{unit}{room}{remark}"


def _short(name: str) -> str:
    return name[:-1] if len(name) > 2 and name[-1] in "市区县" else name


def _village_pair(random: Random, home: Home) -> Pair:
    area, village = home.area, VILLAGES[int(random.random() * len(VILLAGES))]
    group = 1 + int(random.random() * 12)
    other = group if random.random() < 0.5 else group + 1
    head = f"{area.province}{area.city}{area.district}{home.town}"
    return (
        f"{head}{village}村{group}组{home.building}号",
        f"{area.district}{home.town}{village}村委会{other}组",
    )


def _stay(random: Random, home: Home, areas: list[Area]) -> Home:
    return home


def _next_number(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(number=home.number + 2)


def _next_building(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(building=home.building + 1)


def _other_room(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(room=home.room + 100)


def _whole_estate(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(building=0, unit=0, room=0)


def _other_road(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(road=ROADS[int(random.random() * len(ROADS))] + "路", number=home.number + 1)


def _other_estate(random: Random, home: Home, areas: list[Area]) -> Home:
    return home._replace(place=ESTATE_HEADS[int(random.random() * len(ESTATE_HEADS))] + "花园")


def _namesake(random: Random, home: Home, areas: list[Area]) -> Home:
    area = areas[int(random.random() * len(areas))]
    return home._replace(area=area, town=area.towns[0])


_MOVES: tuple[Callable[[Random, Home, list[Area]], Home], ...] = (
    _stay, _stay, _stay, _next_number, _next_building, _other_room, _whole_estate, _other_road, _other_estate,
    _namesake,
)  # fmt: skip
