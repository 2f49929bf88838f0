"""The workbooks of the walk (docs/en/walk.md, docs/zh/walk.md, walk.ipynb): rows made up here, the same at each call.

`门店台账.xlsx` is what one gets: a title over the table, a head in two rows, 省 市 区 in columns of their own and not
everywhere, numbers stored as text and as numbers, one shop in several spellings, neighbours, and rows without an address.
`标准地址库.xlsx` is the list that holds.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter


class Shop(NamedTuple):
    """What is true: its number in the list that holds (none: it is not in it), name, divisions, address."""

    number: str | None
    name: str
    province: str
    city: str
    district: str
    address: str


SHOPS = (
    Shop("HZ001", "望江面馆", "浙江省", "杭州市", "西湖区", "文三路123号"),
    Shop("HZ002", "望湖面馆", "浙江省", "杭州市", "西湖区", "文三路125号"),
    Shop("HZ003", "青石咖啡", "浙江省", "杭州市", "西湖区", "文二西路808号3幢101室"),
    Shop("HZ004", "小满书店", "浙江省", "杭州市", "西湖区", "文二西路808号5幢101室"),
    Shop("HZ005", "百草药房", "浙江省", "杭州市", "滨江区", "江南大道588号恒鑫大厦1层"),
    Shop("SH001", "晨光文具", "上海市", "上海市", "静安区", "延平路123弄6号102室"),
    Shop("SH002", "阿福水果", "上海市", "上海市", "徐汇区", "宛平南路75号"),
    Shop("SH003", "南窗照相", "上海市", "上海市", "浦东新区", "张杨路500号2楼"),
    Shop("BJ001", "听风茶馆", "北京市", "北京市", "朝阳区", "建国路88号院6号楼"),
    Shop("BJ002", "北门五金", "北京市", "北京市", "海淀区", "中关村南大街5号"),
    Shop("CC001", "听风茶馆", "吉林省", "长春市", "朝阳区", "同志街88号"),
    Shop(None, "老街裁缝", "浙江省", "杭州市", "上城区", "中山中路211号"),
)
# What of the divisions stands in its columns, what before the address, and what is written otherwise (from, to).
SPELLINGS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("省市区", "", ()),
    ("", "省市区", (("路", "路 "), ("幢", "号楼"))),
    ("市区", "区", (("1", "１"), ("2", "２"), ("8", "８"))),
    ("", "短", (("室", ""), ("幢", "栋"), ("号院", "号"))),
)
ODD = (
    ("浙江省", "杭州市", "西湖区", "文三路12号", "老街裁缝（文三店）"),
    ("", "", "", "", "望江面馆"),
    ("浙江省", "", "", "", ""),
    ("", "", "", "待补", ""),
    ("上海市", "", "静安区", "延坪路123弄6栋102", "晨光文具"),
)
HEAD = (("序号", ""), ("门店", "店名"), ("门店", "电话"), ("收货信息", "省"), ("收货信息", "市"), ("收货信息", "区"),
        ("收货信息", "详细地址"), ("开业", ""), ("押金", ""))  # fmt: skip


def write(folder: str | Path = ".") -> None:
    """Both workbooks."""
    _ledger(Path(folder) / "门店台账.xlsx")
    with xlsxwriter.Workbook(Path(folder) / "标准地址库.xlsx") as book:
        sheet = book.add_worksheet("地址库")
        sheet.write_row(0, 0, ("编号", "名称", "地址"))
        listed = [shop for shop in SHOPS if shop.number]
        for row, shop in enumerate(listed, 1):
            sheet.write_row(row, 0, (shop.number, shop.name, _before(shop, "省市区") + shop.address))


def rows() -> list[tuple[str, str, str, str, str]]:
    """Province, city, district, address, name of each row, in the order of the sheet."""
    found = [_spelled(shop, *spelling) for spelling in SPELLINGS for shop in SHOPS]
    return sorted([*found, *ODD], key=lambda cells: (cells[4][1:], cells[3][::-1]))


def _spelled(
    shop: Shop, columns: str, before: str, changes: tuple[tuple[str, str], ...]
) -> tuple[str, str, str, str, str]:
    address = shop.address
    for wanted, written in changes:
        address = address.replace(wanted, written)
    province, city, district = (
        value if each in columns else "" for each, value in zip("省市区", shop[2:5], strict=True)
    )
    return province, city, district, _before(shop, before) + address, shop.name


def _before(shop: Shop, what: str) -> str:
    if what == "短":
        return shop.city.removesuffix("市") + shop.district.removesuffix("新区").removesuffix("区")
    divisions = {"省": shop.province, "市": shop.city, "区": shop.district}
    return "".join(dict.fromkeys(divisions[each] for each in what))


def _ledger(path: Path) -> None:
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("台账")
        date = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.merge_range(0, 0, 0, len(HEAD) - 1, "门店台账（2024 年汇总，内部）")
        for at, (upper, lower) in enumerate(HEAD):
            if lower:
                sheet.write(2, at, lower)
            else:
                sheet.merge_range(1, at, 2, at, upper)
        sheet.merge_range(1, 1, 1, 2, "门店")
        sheet.merge_range(1, 3, 1, 6, "收货信息")
        for row, cells in enumerate(rows(), 3):
            _row(sheet, row, cells, date)
        notes = book.add_worksheet("说明")
        notes.write_column(0, 0, ("省、市、区可以不填", "电话、押金有的是数字，有的是文本"))


def _row(sheet: Any, row: int, cells: tuple[str, str, str, str, str], date: Any) -> None:
    *place, name = cells
    number, deposit = row - 2, 500 * (row % 7)
    sheet.write(row, 0, number if row % 3 else f"{number:04d}")
    sheet.write(row, 1, name)
    sheet.write_row(row, 3, place)
    sheet.write_datetime(row, 7, datetime.datetime(2024, 1 + row % 12, 1 + row % 28), date)
    sheet.write(row, 8, deposit if row % 2 else f"{deposit:,} 元")
