"""Excel as people make it: titles, heads in two rows, merged cells, dates, numbers as text; and as nobody should."""

from __future__ import annotations

import contextlib
import datetime
import io
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from menpai.errors import UsageError
from menpai.tables import archive, excel_writer
from menpai.tables.readers import is_table_name, open_table
from menpai.tables.table import ReadOptions, WriteOptions
from menpai.tables.writers import open_writer


def book(
    path: Path, *rows: list[Any], merged: tuple[str, ...] = (), sheet: str = "订单", before: str = ""
) -> str:
    """A workbook with these rows; `merged` ranges keep the text of their first cell; `before`: an empty sheet first."""
    with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd hh:mm"}) as made:
        if before:
            made.add_worksheet(before)
        page = made.add_worksheet(sheet)
        for at, row in enumerate(rows):
            page.write_row(at, 0, row)
        for area in merged:
            first = area.split(":")[0]
            cell = rows[int(first[1:]) - 1]["ABCDEFGH".index(first[0])]
            page.merge_range(area, cell)
    return str(path)


def read(path: str, **options: Any) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with open_table(path, ReadOptions(**options)) as table:
        return table.columns, [row.cells for row in table.rows]


def refused(path: str, **options: Any) -> str:
    with pytest.raises(UsageError) as caught:
        read(path, **options)
    assert caught.value.render("zh") != caught.value.render("en")
    return caught.value.code


def test_cells_are_the_texts_that_a_person_sees(tmp_path: Path) -> None:
    day, moment = datetime.date(2024, 5, 1), datetime.datetime(2024, 5, 1, 8, 30)
    path = book(
        tmp_path / "t.xlsx",
        ["编号", "地址", "数", "日期", "时刻", "是", "文本数字"],
        [1, " 文三路1号 ", 30.25, day, moment, True, "0571"],
        [12345678901, "", -2, day, moment, False, "1e3"],
    )
    columns, rows = read(path)
    assert columns == ("编号", "地址", "数", "日期", "时刻", "是", "文本数字")
    assert rows == [
        ("1", "文三路1号", "30.25", "2024-05-01", "2024-05-01 08:30:00", "TRUE", "0571"),
        ("12345678901", "", "-2", "2024-05-01", "2024-05-01 08:30:00", "FALSE", "1e3"),
    ]


def test_a_title_is_passed_over_and_a_head_in_two_rows_is_joined(tmp_path: Path) -> None:
    path = book(
        tmp_path / "t.xlsx",
        ["客户地址表", "", "", "", ""],
        ["", "", "", "", ""],
        ["编号", "收货信息", "", "寄件", ""],
        ["", "城市", "详细地址", "城市", "备注"],
        [1, "杭州市", "文三路1号", "上海市", ""],
        [2, "", "文三路2号", "北京市", "急"],
        merged=("A1:E1", "A3:A4", "B3:C3", "D3:E3", "B5:B6"),
    )
    columns, rows = read(path)
    assert columns == ("编号", "收货信息/城市", "详细地址", "寄件/城市", "备注")
    assert rows == [("1", "杭州市", "文三路1号", "上海市", ""), ("2", "杭州市", "文三路2号", "北京市", "急")]
    with open_table(path) as table:
        assert [row.line for row in table.rows] == [5, 6]


def test_a_merged_head_over_data_takes_no_row_of_it(tmp_path: Path) -> None:
    path = book(
        tmp_path / "t.xlsx",
        ["编号", "地址", ""],
        [1, "文三路1号", "2室"],
        [2, "文三路2号", ""],
        merged=("B1:C1",),
    )
    columns, rows = read(path)
    assert columns == ("编号", "地址", "地址")
    assert len(rows) == 2


def test_a_table_of_one_column_has_no_title(tmp_path: Path) -> None:
    assert read(book(tmp_path / "t.xlsx", ["地址"], ["文三路1号"])) == (("地址",), [("文三路1号",)])


def test_without_a_head_columns_are_numbered(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", ["文三路1号", "文三路2号"])
    assert read(path, header=False) == (("1", "2"), [("文三路1号", "文三路2号")])


def test_sheets_by_name_or_number_else_the_first_that_holds_something(tmp_path: Path) -> None:
    path = book(tmp_path / "t.xlsx", ["地址"], ["文三路1号"], before="说明")
    assert read(path) == read(path, sheet="订单") == read(path, sheet="2")
    assert refused(path, sheet="定单") == "sheet_unknown"
    assert refused(path, sheet="3") == "sheet_unknown"
    assert refused(path, sheet="说明") == "table_empty"
    assert refused(book(tmp_path / "e.xlsx")) == "table_empty"


def test_it_is_known_by_its_content_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = book(tmp_path / "t.xlsx", ["地址"], ["文三路1号"])
    wanted = read(path)
    disguised = tmp_path / "t.csv"
    disguised.write_bytes(Path(path).read_bytes())
    assert read(str(disguised)) == wanted

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.left = Path(path).read_bytes()

        def readable(self) -> bool:
            return True

        def readinto(self, room: Any) -> int:
            given, self.left = self.left[: len(room)], self.left[len(room) :]
            room[: len(given)] = given
            return len(given)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe())))
    assert read("-") == wanted
    assert is_table_name("名单.XLSX")


def zipped(path: Path, **parts: bytes) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return str(path)


def test_a_bomb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    assert refused(zipped(tmp_path / "t.xlsx", sheet=bytes(60_000_000))) == "archive_refused"


def test_a_bomb_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = Path(zipped(tmp_path / "t.xlsx", sheet=bytes(60_000_000)))
    data = path.read_bytes().replace((60_000_000).to_bytes(4, "little"), (1000).to_bytes(4, "little"))
    path.write_bytes(data)
    assert refused(str(path)) == "table_broken"


def test_together_parts_may_not_be_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    assert refused(zipped(tmp_path / "t.xlsx", a=b"x" * 600, b=b"x" * 600)) == "archive_refused"
    monkeypatch.setattr(archive, "MOST_PARTS", 1)
    assert refused(zipped(tmp_path / "t.xlsx", a=b"x", b=b"x")) == "archive_refused"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_external_entities_are_refused(tmp_path: Path, encoding: str) -> None:
    path = book(tmp_path / "t.xlsx", ["地址"], ["文三路1号"])
    evil = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><sst>&e;</sst>'
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "evil.xlsx", "w") as new:
        for name in old.namelist():
            new.writestr(name, evil.encode(encoding) if "sharedStrings" in name else old.read(name))
    assert refused(str(tmp_path / "evil.xlsx")) == "archive_refused"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    folder = tmp_path_factory.mktemp("damage")
    return Path(book(folder / "t.xlsx", ["地址"], ["文三路1号"])).read_bytes(), folder / "d.xlsx"


@given(st.binary(min_size=1, max_size=400), st.integers(0, 10_000))
@settings(max_examples=60)
def test_damage_is_told_and_never_crashes(whole: tuple[bytes, Path], noise: bytes, at: int) -> None:
    content, path = whole
    at %= len(content)
    path.write_bytes(content[:at] + noise + content[at + len(noise) :])
    with contextlib.suppress(UsageError):
        read(str(path))


def written(path: Path, *rows: tuple[Any, ...], columns: tuple[str, ...] = ("a", "b")) -> CalamineWorkbook:
    with open_writer(str(path), columns, WriteOptions()) as writer:
        for row in rows:
            writer.write(row)
    return CalamineWorkbook.from_path(path)


def test_what_is_written_is_text_and_never_a_formula(tmp_path: Path) -> None:
    evil = [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "@SUM(A1)",
        "-2+3",
        "{=1}",
        "https://evil.example",
        "0571",
        "\x01控制",
    ]
    path = tmp_path / "o.xlsx"
    sheet = written(path, *((text, 1) for text in evil)).get_sheet_by_index(0)
    assert [row[0] for row in sheet.iter_rows()][1:-1] == evil[:-1]
    with zipfile.ZipFile(path) as parts:
        xml = parts.read("xl/worksheets/sheet1.xml").decode()
        assert "<f>" not in xml
        assert "hyperlink" not in xml
        assert 'state="frozen"' in xml
        assert "<autoFilter" in xml


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "o.xlsx"
    written(path, ("文三路1号", 0.5), ("", None), (True, ["x", "y"]), (10**20, 3))
    assert read(str(path))[1] == [
        ("文三路1号", "0.5"), ("true", "x;y"), ("100000000000000000000", "3")
    ]  # fmt: skip


def test_a_table_without_rows_and_one_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(written(tmp_path / "o.xlsx").get_sheet_by_index(0).iter_rows()) == [["a", "b"]]
    monkeypatch.setattr(excel_writer, "MOST_ROWS", 3)
    with pytest.raises(UsageError) as caught:
        written(tmp_path / "p.xlsx", *[("a", "b")] * 3)
    assert caught.value.code == "sheet_full"
    assert [file.name for file in tmp_path.iterdir()] == ["o.xlsx"]
