"""Which column is what: by its name, as given, or none although its name says so."""

from __future__ import annotations

from menpai.tables.linkage.reading import Chosen, read_raw, told_columns
from menpai.tables.linkage.records import Raw
from menpai.tables.roles import NONE, division_columns
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


def shop(*cells: str) -> Raw:
    columns = ("门店编号", "门店名称", "省", "市", "详细地址")
    ((_, found),) = read_raw(Table("t", ".csv", columns, iter([Row(2, cells)])), Chosen())
    return found


def test_a_name_without_an_address_keeps_its_city() -> None:
    assert shop("M7", "望江面馆", "浙江省", "杭州市", "") == Raw("M7", "浙江省杭州市", "望江面馆")
    assert shop("M7", "", "浙江省", "杭州市", "") == Raw("M7")


def test_one_column_holds_both_coordinates() -> None:
    columns = ("地址", "经纬度", "坐标系")
    table = Table("t", ".csv", columns, iter([Row(2, ("文三路1号", "120.1,30.2", "GPS"))]))
    assert told_columns(table, Chosen()) == {"address": "地址", "point": "经纬度", "crs": "坐标系"}
    ((_, found),) = read_raw(table, Chosen(point="经纬度"))
    assert found.point == (30.2, 120.1)
    table = Table("t", ".csv", columns[:2], iter([Row(2, ("文三路1号", "120.1;x"))]))
    ((_, found),) = read_raw(table, Chosen())
    assert found.problem is not None
    assert found.problem.code == "point_unread"


def test_what_is_taken_is_told() -> None:
    table = Table("t", ".csv", ("主数据编码", "门店名", "省份", "城市", "门店地址", "手机"), iter(()))
    assert told_columns(table, Chosen()) == {
        "address": "省份+城市+门店地址", "name": "门店名", "id": "主数据编码", "phone": "手机",
    }  # fmt: skip
    assert told_columns(table, Chosen(name=NONE, address="门店地址")) == {
        "address": "门店地址", "id": "主数据编码", "phone": "手机",
    }  # fmt: skip
    assert division_columns(table) == ["省份", "城市"]
