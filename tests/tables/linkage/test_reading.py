"""Which column is what: by its name, as given, or none although its name says so."""

from __future__ import annotations

from menpai.tables.linkage.reading import NONE, Chosen, read_raw
from menpai.tables.linkage.records import Raw
from menpai.tables.table import Row, Table

COLUMNS = ("编号", "名称", "地址", "lat", "lon", "电话")
CELLS = ("7", "望江面馆", "文三路1号", "30.1", "120.1", "1234567")


def raw(**chosen: str) -> Raw:
    ((_, found),) = read_raw(
        Table("t", ".csv", COLUMNS, iter([Row(2, CELLS)])), Chosen(crs="wgs84", **chosen)
    )
    return found


def test_columns_are_found_by_their_names() -> None:
    assert raw() == Raw("7", "文三路1号", "望江面馆", "1234567", (30.1, 120.1))


def test_a_dash_means_that_there_is_none() -> None:
    assert raw(name=NONE) == Raw("7", "文三路1号", "", "1234567", (30.1, 120.1))
    assert raw(name=NONE, id=NONE, lat=NONE, lon=NONE, phone=NONE) == Raw("", "文三路1号")
    assert raw(lat=NONE).point is None
