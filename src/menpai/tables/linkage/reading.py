"""Tables as records: which columns hold what, by their usual names or as given, and rows made of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, fields, replace

from menpai.errors import Problem, UsageError
from menpai.evidence.coordinates import CRS, find_coordinate_problem, to_wgs84
from menpai.tables.columns import find_given, find_optional
from menpai.tables.entries import address_in, cell_text, id_in
from menpai.tables.linkage.records import Raw
from menpai.tables.points import coordinate_system, place_in
from menpai.tables.roles import NONE, Columns, Found, find_columns, taken_columns
from menpai.tables.table import Row, Table
from menpai.text.readable import find_problem

PHONES = ("phone", "tel", "telephone", "mobile", "phonetail", "电话", "联系电话", "电话号码", "手机", "手机号",
          "手机号码", "手机尾号", "电话尾号", "尾号")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Chosen:
    """Columns as a person gave them; what is not given is found, and NONE is not looked for. `address`: one, or several with
    commas between."""

    address: str | None = None
    name: str | None = None
    id: str | None = None
    lat: str | None = None
    lon: str | None = None
    point: str | None = None
    phone: str | None = None
    crs: str | None = None

    def over(self, other: Chosen) -> Chosen:
        """These, and the other's where nothing was given here."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return replace(other, **{name: value for name, value in given.items() if value is not None})


def shared_columns(chosen: Chosen, table: Table, other: Table) -> Chosen:
    """What of `chosen` holds for this table: a column that only the other table has was meant for that one."""
    dropped: dict[str, None] = {}
    for role in ("address", "name", "id", "lat", "lon", "point", "phone"):
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
    found, phone = _found(table, chosen)
    crs = coordinate_system(table, found.places, note)
    return ((row, _raw(row, found, phone, crs)) for row in table.rows)


def told_columns(table: Table, chosen: Chosen) -> dict[str, str]:
    """What each column is taken for, for a person to check: by role, columns that are joined with + between."""
    found, phone = _found(table, chosen)
    taken = taken_columns(table, replace(found, weight=None))
    if phone is not None:
        taken["phone"] = table.columns[phone]
    return taken


def without(table: Table, names: Collection[str]) -> Table:
    """The table as it was before menpai added columns of these names: none of them is found as an id or an address."""
    hidden = [f"{name}\0" if name.removeprefix("menpai_") in names else name for name in table.columns]
    return replace(table, columns=tuple(hidden))


def _found(table: Table, chosen: Chosen) -> tuple[Found, int | None]:
    """The columns, and that of the phone."""
    given = {role: getattr(chosen, role) for role in ("address", "name", "id", "lat", "lon", "point", "crs")}
    found = find_columns(table, Columns(**given))
    if chosen.phone == NONE:
        return found, None
    return found, find_given(table, chosen.phone) if chosen.phone else find_optional(table, PHONES)


def _has(table: Table, given: str) -> bool:
    try:
        for part in given.split(","):
            find_given(table, part)
    except UsageError:
        return False
    return True


def _raw(row: Row, found: Found, phone: int | None, crs: str) -> Raw:
    if row.problem is not None:
        return Raw(id_in(row, found), problem=row.problem)
    cells = row.cells
    name = "" if found.name is None else cell_text(cells[found.name])
    address = address_in(cells, found, name)
    lat, lon, misread = place_in(cells, found.places)
    odd = [cells[at] for at in found.address if isinstance(cells[at], bool | list | dict)]
    point, problem = None, find_problem(odd[0], "", 0) if odd else misread
    if problem is None and lat is not None and lon is not None:
        problem = find_coordinate_problem({"lat": lat, "lon": lon}, "")
        point = None if problem else to_wgs84(lat, lon, crs)
    return Raw(
        id_in(row, found),
        address,
        name,
        "" if phone is None else cell_text(cells[phone]),
        point,
        problem,
    )
