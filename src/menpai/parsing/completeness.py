"""How far an address goes, and what a courier would have to ask."""

from __future__ import annotations

from typing import NamedTuple

from menpai.address import Address, Element
from menpai.parsing.gazetteer import Gazetteer, default
from menpai.parsing.styles import ESTATE, code_of

# Finest first: what an address of this grade names.
GRADES: dict[str, tuple[str, ...]] = {
    "room": ("room",),
    "door": ("roadno", "building", "unit", "floor", "village_group"),
    "place": ("road", "poi", "estate", "subpoi", "intersection", "community"),
    "area": ("town", "district", "city", "province", "devzone"),
}


class Completeness(NamedTuple):
    """The finest grade named ("none" if nothing is), whether the division is settled, what a delivery lacks.

    `missing` holds kinds: city, district or town to settle the division, "place", "roadno" on a road or in a village,
    "building" in an estate, "room" in a building that has units or floors.
    """

    grade: str
    settled: bool
    missing: tuple[str, ...]


def completeness(address: Address, gazetteer: Gazetteer | None = None) -> Completeness:
    """The grade of a reading."""
    kinds = {"estate" if _is_estate(e) else e.kind for e in address.elements}
    grade = next((name for name, members in GRADES.items() if kinds & set(members)), "none")
    open_levels = _open_levels(address, gazetteer or default())
    return Completeness(
        grade, not open_levels and not address.conflicts, (*open_levels, *_open_places(kinds))
    )


def _open_levels(address: Address, units: Gazetteer) -> tuple[str, ...]:
    """The division levels that would have to be known: none once there is a county, or a town where none is."""
    code = code_of(address)
    if len(code) >= 6:
        return ()
    if len(code) == 4:
        return ("town",) if units.towns(code) else ("district",)
    return ("district",) if code in ("11", "12", "31", "50", "81", "82") else ("city", "district")


def _open_places(kinds: set[str]) -> tuple[str, ...]:
    """What is missing below the divisions."""
    if not kinds & {*GRADES["place"], *GRADES["door"], "room"}:
        return ("place",)
    if kinds & {"room", "village_group", "intersection"}:
        return ()
    if kinds & {"unit", "floor"}:
        return ("room",)
    if kinds & {"roadno", "building"}:
        return ()
    if "estate" in kinds:
        return ("building",)
    return () if "poi" in kinds else ("roadno",)


def _is_estate(element: Element) -> bool:
    return element.kind == "poi" and ESTATE.search(element.text) is not None
