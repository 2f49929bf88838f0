"""Villages and communities tell homonyms apart: of two 新城区 the one is meant that has a 公主府社区."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from menpai.address import Address
from menpai.parsing import values
from menpai.parsing.gazetteer import Codes, Gazetteer
from menpai.parsing.villages import villages

# Of more units the villages are not looked up: their lists are read city by city.
_MOST = 12
# So many units of a city are an answer.
_FEW = 3
_VILLAGE = ("村", "屯", "庄", "嘎查")


def home_of_villages(gazetteer: Gazetteer, address: Address) -> Codes:
    """Those of the possible units that have a village or community which the address names; () if that settles
    nothing."""
    codes = tuple(division.code for division in address.divisions)
    if len(codes) > _MOST:
        return ()
    named = {
        values.community(e.text)
        for e in address.elements
        if e.kind == "community" or (e.kind == "poi" and e.text.endswith(_VILLAGE))
    }
    if not named:
        return ()
    kept = tuple(code for code in codes if not named.isdisjoint(_villages(gazetteer, code)))
    return kept if len(kept) < len(codes) else ()


def without_guess(gazetteer: Gazetteer, address: Address) -> Address:
    """The address with its city as the unit where more than a few towns of that city bear the name: 渭南市城关街道.

    The towns are an alternative of the same penalty.
    """
    cities = {division.code[:4] for division in address.divisions}
    if len(address.divisions) <= _FEW or len(cities) > 1 or (city := cities.pop()) not in gazetteer:
        return address
    return replace(
        address, divisions=(gazetteer.division(city),), alternatives=(address, *address.alternatives)
    )


@lru_cache(512)
def _villages(gazetteer: Gazetteer, code: str) -> frozenset[str]:
    """The bare names of the villages and communities of a town or district."""
    towns: Iterable[str] = (code,) if len(code) == 9 else gazetteer.towns(code).values()
    return frozenset(values.community(name) for town in towns for name in villages(town))
