"""Which column of a table is what: by its usual names in both languages, or as a person gave it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from menpai.errors import Problem, UsageError
from menpai.tables.columns import (
    ADDRESSES,
    LIKE_IDS,
    LIKE_NAMES,
    find_address,
    find_column,
    find_given,
    find_like,
    find_optional,
)
from menpai.tables.points import Places, find_places
from menpai.tables.table import ReadOptions, Table

NAMES = ("name", "名称", "店名", "地点名称", "单位名称", "公司名称", "企业名称", "poi", "poiname", "title")
IDS = (
    "id",
    "编号",
    "编码",
    "代码",
    "序号",
    "uid",
    "uuid",
    "code",
    "addressid",
    "addrid",
    "poiid",
    "recordid",
)
WEIGHTS = ("weight", "权重", "热度", "popularity")
DIVISIONS = (
    ("province", "pname", "省", "省份", "所在省", "所在省份", "省名称", "省市", "省市区", "所在省市", "所在省市区"),
    ("city", "cityname", "市", "城市", "地市", "所在市", "所在城市", "城市名称"),
    ("district", "county", "adname", "区", "县", "区县", "区/县", "县区", "所在区", "所在区县", "区县名称"),
    ("town", "township", "街道", "乡镇", "镇街", "街道/乡镇", "所在街道"),
)  # fmt: skip
"Columns that stand before the address, where there are such."
ROLES = {
    "address": ("地址", "address"), "name": ("名称", "name"), "id": ("编号", "id"), "lat": ("纬度", "latitude"),
    "lon": ("经度", "longitude"), "point": ("经纬度", "coordinates"), "crs": ("坐标系", "coordinate system"),
    "weight": ("权重", "weight"), "phone": ("电话", "phone"),
}  # fmt: skip
"What a column is taken for, in words."
NONE = "-"
"Given in place of a column's name: there is none."


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns and coordinate system as a person gave them; what is not given is found. `address` may be several
    names with commas between: their texts are joined. `point`: the column that holds latitude and longitude both.
    `payload`: the columns to keep beside (None: all others). NONE is not looked for, whatever columns are called."""

    address: str | None = None
    name: str | None = None
    id: str | None = None
    lat: str | None = None
    lon: str | None = None
    point: str | None = None
    weight: str | None = None
    crs: str | None = None
    payload: tuple[str, ...] | None = None
    reading: ReadOptions = field(default_factory=ReadOptions)


@dataclass(frozen=True, slots=True)
class Found:
    """The positions of columns in a table. `before`: of divisions, which go before the address."""

    address: tuple[int, ...]
    name: int | None
    id: int | None
    places: Places
    weight: int | None
    payload: tuple[int, ...]
    before: tuple[int, ...] = ()


def find_columns(table: Table, columns: Columns) -> Found:
    """Which column is what; a table needs one for the address or one for the name."""

    name = _one(table, columns.name, NAMES, LIKE_NAMES)
    if columns.address:
        address = tuple(find_given(table, part) for part in columns.address.split(","))
    else:
        usual = find_address(table)
        if usual is None and name is None:
            usual = find_column(table, None, ADDRESSES, "address")
        address = () if usual is None else (usual,)
    places = _places(table, columns, address)
    id_ = _one(table, columns.id, IDS, LIKE_IDS)
    if id_ is None and columns.id != NONE:
        others = [at for at, column in enumerate(table.columns) if column.lower().endswith("_id")]
        id_ = others[0] if len(others) == 1 else None
    weight = _one(table, columns.weight, WEIGHTS)
    before = () if columns.address else _divisions(table, address)
    used = {*before, *address, name, id_, weight, *places[:4]}
    if columns.payload is None:
        payload = tuple(at for at in range(len(table.columns)) if at not in used)
    else:
        payload = tuple(find_given(table, column) for column in columns.payload)
    return Found(address, name, id_, places, weight, payload, before)


def _one(
    table: Table, given: str | None, usual: Sequence[str], like: re.Pattern[str] | None = None
) -> int | None:
    """The column that was given, or else is found; None where there is none, or is said to be none."""
    if given:
        return None if given == NONE else find_given(table, given)
    found = find_optional(table, usual)
    return find_like(table, like) if found is None and like is not None else found


def taken_columns(table: Table, found: Found) -> dict[str, str]:
    """What each column is taken for, for a person to check: by role, columns that are joined with + between."""
    at = {
        "address": (*found.before, *found.address),
        "name": (found.name,),
        "id": (found.id,),
        "weight": (found.weight,),
    }
    at |= {
        role: (place,) for role, place in zip(("lat", "lon", "point", "crs"), found.places[:4], strict=True)
    }
    names = {
        role: [table.columns[each] for each in places if each is not None] for role, places in at.items()
    }
    return {role: "+".join(columns) for role, columns in names.items() if columns}


def tell_columns(table: Table, found: Found, note: Callable[[Problem], None]) -> None:
    """Say which columns are taken: one that was overlooked is seen before the work."""
    taken = taken_columns(table, found)
    zh, en = ([f"{ROLES[role][at]} {name}" for role, name in taken.items()] for at in (0, 1))
    if "id" not in taken:
        zh, en = [*zh, "没有编号列，编为 #1、#2……"], [*en, "no ids: numbered #1, #2, …"]
    note(Problem("columns_taken", {"path": table.name, "taken_zh": "；".join(zh), "taken_en": "; ".join(en)}))


def division_columns(table: Table) -> list[str]:
    """The names of the columns of divisions, which go before an address."""
    with suppress(UsageError):
        at = [find_optional(table, names) for names in DIVISIONS]
        return [table.columns[each] for each in at if each is not None]
    return []


def _divisions(table: Table, address: Sequence[int]) -> tuple[int, ...]:
    """The columns of divisions, where the address has the one column that is usual for it."""
    if not address or find_address(table) is None:
        return ()
    at = [find_optional(table, names) for names in DIVISIONS]
    return tuple(each for each in at if each is not None and each not in address)


def _places(table: Table, columns: Columns, address: Sequence[int]) -> Places:
    """The columns of coordinates."""
    given = (columns.lat, columns.lon, columns.point)
    if NONE in given:
        return Places()
    lat, lon, both = (find_given(table, column) if column else None for column in given)
    places = find_places(table, lat, lon, both, columns.crs)
    if (columns.lat or columns.lon) and places.lat is None and both is None:
        raise _half(table, lat is None)
    return Places() if places.both is not None and places.both in address else places


def _half(table: Table, latitude: bool) -> UsageError:
    """That one of the two columns of coordinates was given and the other cannot be found."""
    zh, en, option = ("纬度", "latitude", "--lat") if latitude else ("经度", "longitude", "--lon")
    listed = ", ".join(table.columns[:20])
    return UsageError("column_not_found", path=table.name, what_zh=zh, what_en=en, columns=listed,
                      option=option, near_zh="", near_en="")  # fmt: skip
