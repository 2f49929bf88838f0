"""Tables as records: which columns hold what, by their usual names or as given, and rows made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace

from menpai.errors import Problem, UsageError
from menpai.evidence.coordinates import CRS, find_coordinate_problem, to_wgs84
from menpai.tables.columns import find_address, find_given, find_optional
from menpai.tables.entries import (
    Columns,
    Found,
    cell_text,
    coordinate_system,
    find_columns,
    id_in,
    point_in,
)
from menpai.tables.linkage.records import Raw
from menpai.tables.table import Row, Table
from menpai.text.readable import find_problem

PHONES = ("phone", "tel", "telephone", "mobile", "phonetail", "电话", "联系电话", "电话号码", "手机", "手机号",
          "手机号码", "手机尾号", "电话尾号", "尾号")  # fmt: skip
DIVISIONS = (
    ("province", "pname", "省", "省份", "所在省", "所在省份", "省名称"),
    ("city", "cityname", "市", "城市", "地市", "所在市", "所在城市", "城市名称"),
    ("district", "county", "adname", "区", "县", "区县", "区/县", "县区", "所在区", "所在区县", "区县名称"),
    ("town", "township", "街道", "乡镇", "镇街", "街道/乡镇", "所在街道"),
)
"Columns that stand before the address, where there are such."
OPTIONAL = ("name", "id", "lat", "lon", "phone")
NONE = "-"
"Given in place of a column's name: there is none, whatever the columns are called."


@dataclass(frozen=True, slots=True)
class Chosen:
    """Columns as a person gave them; what is not given is found, and NONE is not looked for. `address`: one, or several with
    commas between."""

    address: str | None = None
    name: str | None = None
    id: str | None = None
    lat: str | None = None
    lon: str | None = None
    phone: str | None = None
    crs: str | None = None

    def over(self, other: Chosen) -> Chosen:
        """These, and the other's where nothing was given here."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(other, **{name: value for name, value in given.items() if value is not None})


def shared_columns(chosen: Chosen, table: Table, other: Table) -> Chosen:
    """What of `chosen` holds for this table: a column that only the other table has was meant for that one."""
    dropped: dict[str, None] = {}
    for role in ("address", "name", "id", "lat", "lon", "phone"):
        given = getattr(chosen, role)
        if given and not _has(table, given) and _has(other, given):
            dropped[role] = None
    return replace(chosen, **dropped)


def read_raw(
    table: Table, chosen: Chosen, note: Callable[[Problem], None] = lambda _: None
) -> Iterator[tuple[Row, Raw]]:
    """Each row with what it is compared by; bad columns raise at once, bad rows carry their problem."""
    if chosen.crs is not None and chosen.crs not in CRS:
        raise UsageError("crs_unknown", crs=chosen.crs, known=", ".join(CRS))
    absent = {role: None for role in OPTIONAL if getattr(chosen, role) == NONE}
    chosen = replace(chosen, **absent)
    columns = Columns(
        address=chosen.address, name=chosen.name, id=chosen.id, lat=chosen.lat, lon=chosen.lon, crs=chosen.crs
    )
    found = _less(find_columns(table, columns), absent)
    phone = None if "phone" in absent else _phone(table, chosen.phone)
    before = () if chosen.address else _divisions(table, found)
    crs = coordinate_system(table, columns, found, note)
    return ((row, _raw(row, found, before, phone, crs)) for row in table.rows)


def told_columns(table: Table, chosen: Chosen) -> dict[str, str]:
    """What each column is taken for, for a person to check: by role, columns that are joined with + between."""
    absent = [role for role in OPTIONAL if getattr(chosen, role) == NONE]
    chosen = replace(chosen, **dict.fromkeys(absent))
    given = {role: getattr(chosen, role) for role in ("address", "name", "id", "lat", "lon", "crs")}
    found = _less(find_columns(table, Columns(**given)), absent)
    before = () if chosen.address else _divisions(table, found)
    phone = None if "phone" in absent else _phone(table, chosen.phone)
    at = {"address": (*before, *found.address), "lat": (found.lat,), "lon": (found.lon,)}
    at |= {"name": (found.name,), "id": (found.id,), "phone": (phone,)}
    names = {
        role: [table.columns[each] for each in places if each is not None] for role, places in at.items()
    }
    return {role: "+".join(names[role]) for role in ("address", *OPTIONAL) if names[role]}


def without(table: Table, names: Collection[str]) -> Table:
    """The table as it was before menpai added columns of these names: none of them is found as an id or an address."""
    hidden = [f"{name}\0" if name.removeprefix("menpai_") in names else name for name in table.columns]
    return replace(table, columns=tuple(hidden))


def _less(found: Found, absent: Collection[str]) -> Found:
    """The columns that were found, without those that are said to be none."""
    at = {role: None if role in absent else getattr(found, role) for role in OPTIONAL[:4]}
    return replace(found, name=at["name"], id=at["id"], lat=at["lat"], lon=at["lon"])


def _phone(table: Table, given: str | None) -> int | None:
    return find_given(table, given) if given else find_optional(table, PHONES)


def _has(table: Table, given: str) -> bool:
    try:
        for part in given.split(","):
            find_given(table, part)
    except UsageError:
        return False
    return True


def _divisions(table: Table, found: Found) -> tuple[int, ...]:
    """The columns of divisions, where the address has the one column that is usual for it."""
    if not found.address or find_address(table) is None:
        return ()
    at = [find_optional(table, names) for names in DIVISIONS]
    return tuple(each for each in at if each is not None and each not in found.address)


def division_columns(table: Table) -> list[str]:
    """The names of the columns of divisions, which go before an address."""
    with suppress(UsageError):
        at = [find_optional(table, names) for names in DIVISIONS]
        return [table.columns[each] for each in at if each is not None]
    return []


def _raw(row: Row, found: Found, before: tuple[int, ...], phone: int | None, crs: str) -> Raw:
    if row.problem is not None:
        return Raw(id_in(row, found), problem=row.problem)
    cells = row.cells
    address = "".join(cell_text(cells[at]) for at in found.address)
    name = "" if found.name is None else cell_text(cells[found.name])
    for at in reversed(before):
        part = cell_text(cells[at])
        if (address or name) and part not in address:
            address = part + address
    lat, lon = point_in(cells, found)
    odd = [cells[at] for at in found.address if isinstance(cells[at], bool | list | dict)]
    point, problem = None, find_problem(odd[0], "", 0) if odd else None
    if problem is None and lat is not None and lon is not None:
        problem = find_coordinate_problem({"lat": _finite(lat), "lon": _finite(lon)}, "")
        point = None if problem else to_wgs84(lat, lon, crs)
    return Raw(
        id_in(row, found),
        address,
        name,
        "" if phone is None else cell_text(cells[phone]),
        point,
        problem,
    )


def _finite(number: float) -> float | str:
    """A number, or the word that a message shows in its place."""
    return number if math.isfinite(number) else "?"
