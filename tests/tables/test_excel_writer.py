"""A workbook that a person reads: head, widths, colours, the summary, what goes along; and nothing that runs."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from openpyxl import load_workbook

from menpai.cli import main
from menpai.errors import Problem
from menpai.tables.cells import Shown
from menpai.tables.excel_style import sheet_name, wide
from menpai.tables.readers import open_table
from menpai.tables.table import Sheet, WriteOptions
from menpai.tables.writers import open_writer

EXACT, PARTIAL, NOT = "FFC6EFCE", "FFFFEB9C", "FFFFC7CE"


def written(path: Path, columns: tuple[str, ...], *rows: tuple[Any, ...], **options: Any) -> Any:
    with open_writer(str(path), columns, WriteOptions(**options)) as writer:
        for row in rows:
            writer.write(row)
    return load_workbook(path)


def fills(sheet: Any, column: str) -> list[str | None]:
    cells = sheet[column][1:]
    return [cell.fill.fgColor.rgb if cell.fill.fill_type else None for cell in cells]


def test_verdicts_and_problems_have_colours(tmp_path: Path) -> None:
    problem = Problem("address_empty", {"side": " a"})
    labels = ["exact_match", "partial_match", "not_match", None]
    rows = [("exact_match", label, None if label else problem) for label in labels]
    sheet = written(tmp_path / "o.xlsx", ("label", "menpai_label", "problem"), *rows, added=2)["menpai"]
    assert fills(sheet, "B") == [EXACT, PARTIAL, NOT, None]
    assert fills(sheet, "A") == [None] * 4
    assert [bool(fill) for fill in fills(sheet, "C")] == [False, False, False, True]
    assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A2", "A1:C5")


def test_the_rows_of_a_cluster_have_one_colour_and_its_golden_row_is_bold(tmp_path: Path) -> None:
    rows = [("p", 2, True, None), ("q", 1, True, None), ("p", 2, False, None)]
    columns = ("cluster_id", "cluster_size", "is_golden", "problem")
    sheet = written(tmp_path / "o.xlsx", columns, *rows, added=4)["menpai"]
    first, alone, second = fills(sheet, "A")
    assert first == second != alone is None
    assert [sheet[f"C{at}"].font.bold for at in (2, 3, 4)] == [True, False, False]


def test_columns_are_as_wide_as_their_texts(tmp_path: Path) -> None:
    sheet = written(tmp_path / "o.xlsx", ("a", "b", "c"), ("路" * 10, "x" * 500, 1))["menpai"]
    widths = [sheet.column_dimensions[column].width for column in "ABC"]
    assert widths[0] == pytest.approx(22.7, abs=1)
    assert widths[1] == pytest.approx(60.7, abs=1)
    assert widths[2] < 8


def test_the_second_sheet_sums_up(tmp_path: Path) -> None:
    bad = Problem("address_empty", {"side": " a"})
    rows = [("exact_match", None), ("exact_match", None), ("not_match", None), (None, bad)]
    about = {"pack": "menpai-mini@1", "thresholds": 0.5, "own": "x"}
    book = written(
        tmp_path / "o.xlsx", ("label", "problem"), *rows, added=2, about=about, language="zh", sheet="结果"
    )
    assert book.sheetnames == ["结果", "概要"]
    lines = {name.value: value.value for name, value in book["概要"].iter_rows()}
    assert lines == {
        "行数": 4, "结论: exact_match": 2, "结论: not_match": 1, "问题: address_empty": 1,
        "模型包": "menpai-mini@1", "阈值": 0.5, "own": "x",
    }  # fmt: skip


def test_a_cell_that_is_too_long_is_told(tmp_path: Path) -> None:
    book = written(tmp_path / "o.xlsx", ("a", "problem"), ("x" * 40_000, None), ("x" * 32_767, None), added=1)
    assert len(book["menpai"]["A2"].value) == 32_767
    lines = {name.value: value.value for name, value in book["summary"].iter_rows()}
    assert lines["cells cut to 32767 characters"] == 1


def test_long_digits_stay_texts_and_numbers_numbers(tmp_path: Path) -> None:
    row = ("12345678901234567890", "0571", Shown("138123456789012", 138123456789012.0), Shown("0.5", 0.5))
    sheet = written(tmp_path / "o.xlsx", ("a", "b", "c", "d"), row)["menpai"]
    assert [cell.value for cell in sheet[2]] == ["12345678901234567890", "0571", 138123456789012, 0.5]
    assert sheet["C2"].number_format == "0"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "＝", "\n"])
def test_no_cell_starts_a_formula_even_when_it_is_edited(tmp_path: Path, start: str) -> None:
    evil = f"{start}cmd|' /C calc'!A0"
    others = (Sheet("s", [[evil]]),)
    book = written(tmp_path / "o.xlsx", (evil, "b"), (evil, evil), others=lambda: others)
    for cell in (book["menpai"]["A1"], *book["menpai"][2], book["s"]["A1"]):
        assert cell.data_type == "s"
    assert all(cell.quotePrefix for cell in (*book["menpai"][2], book["s"]["A1"]))


def test_a_workbook_keeps_its_dates_its_numbers_and_its_other_sheets(tmp_path: Path) -> None:
    day, moment = datetime.date(2024, 5, 1), datetime.datetime(2024, 5, 1, 8, 30)
    with xlsxwriter.Workbook(tmp_path / "订单 五月.xlsx", {"default_date_format": "yyyy/m/d"}) as made:
        for name, rows in (
            ("订单", [["编号", "日期", "时刻", "金额", "发货", "地址1", "地址2"],
                      [1, day, moment, 9.5, True, "文三路1号", "文三路1号"]]),
            ("说明", [["一", 2, day], ["=1+1"]]), ("menpai", [["x"]]), ("空", []),
        ):  # fmt: skip
            page = made.add_worksheet(name)
            for at, row in enumerate(rows):
                for place, cell in enumerate(row):
                    page.write_string(at, place, cell) if isinstance(cell, str) else page.write(
                        at, place, cell
                    )
    source, output = tmp_path / "订单 五月.xlsx", tmp_path / "结果 五月.xlsx"
    assert main(["match", str(source), "-o", str(output), "--language", "en"]) == 0
    book = load_workbook(output)
    assert book.sheetnames == ["订单", "summary", "说明", "menpai", "空"]
    cells = [cell.value for cell in book["订单"][2]][:8]
    midnight = datetime.datetime(2024, 5, 1)
    assert cells == [1, midnight, moment, 9.5, True, "文三路1号", "文三路1号", "exact_match"]
    assert [cell.value for cell in book["说明"][1]] == ["一", 2, midnight]
    with open_table(str(output)) as table:
        (again,) = table.rows
    with open_table(str(source)) as table:
        (first,) = table.rows
    assert again.cells[:7] == first.cells


@pytest.mark.parametrize(
    ("wanted", "taken", "name"),
    [("订单", (), "订单"), ("a/b:c", (), "a_b_c"), ("A", ("a",), "A (2)"), ("x" * 40, ("x" * 31,), "x" * 27 + " (2)"),
     ("'", (), "sheet")],
)  # fmt: skip
def test_names_that_excel_takes(wanted: str, taken: tuple[str, ...], name: str) -> None:
    assert sheet_name(wanted, taken) == name


def test_width_is_that_of_the_longest_line() -> None:
    assert [wide(text) for text in ("", "ab", "路a", "a\n路路")] == [0, 2, 3, 4]
