"""A person with a table: a workbook with a Chinese name up, its columns corrected, progress watched, the result down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from menpai.load.service import service
from menpai.load.target import Target
from tests.browser.conftest import PICTURES
from tests.browser.test_page import axe
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow
Visit = Callable[..., Visitor]
HEADS = ("编号", "店名", "详细地址", "备注")
ROWS = [
    ("1", "望江面馆", "杭州市西湖区文三路123号", "a"),
    ("2", "望江面馆", "西湖区文三路１２３号", "b"),
    ("3", "海月花店", "杭州市滨江区海月花园3幢", "<b>c</b>"),
    ("4", "", "", "d"),
]


@pytest.fixture(scope="module")
def taking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MENPAI_JOBS_FOLDER", str(tmp_path_factory.mktemp("jobs") / "here"))
        with service(["--language", "en"], "") as target:
            yield target


def workbook(folder: Path, name: str = "客户 名单.xlsx", count: int = 1) -> Path:
    import xlsxwriter  # noqa: PLC0415

    with xlsxwriter.Workbook(folder / name) as book:
        sheet = book.add_worksheet("客户")
        for at, row in enumerate([HEADS, *ROWS * count]):
            sheet.write_row(at, 0, row)
    return folder / name


def upload(visitor: Visitor, path: Path, side: str = "file") -> None:
    with visitor.page.expect_response("**/v1/jobs/table*"):
        visitor.page.set_input_files(f"#table-{side}", path)


def saved(visitor: Visitor, button: str, folder: Path) -> Path:
    with visitor.page.expect_download() as caught:
        visitor.page.click(button)
    path = folder / caught.value.suggested_filename
    caught.value.save_as(path)
    return path


@pytest.mark.parametrize(("language", "width", "scheme"), [("zh", 1200, "light"), ("en", 375, "dark")])
def test_a_workbook_comes_back_with_its_clusters(
    visit: Visit, taking: Target, tmp_path: Path, language: str, width: int, scheme: str
) -> None:
    from python_calamine import CalamineWorkbook  # noqa: PLC0415

    visitor = visit(language, width, scheme, taking.url)
    page = visitor.page
    upload(visitor, workbook(tmp_path))
    page.wait_for_selector("#table-start:not([disabled])")
    assert "客户 名单.xlsx" in visitor.text("#table-body")
    assert page.input_value("#file-address") == "详细地址"
    assert page.input_value("#file-name") == "店名"
    page.select_option("#file-name", "")  # so that 望江面馆 is not compared with 海月花店
    visitor.photograph(PICTURES / f"table-{language}-{width}-form.png")
    assert not axe(visitor)
    page.click("#table-start")
    page.wait_for_selector("#table-result", timeout=60_000)
    visitor.photograph(PICTURES / f"table-{language}-{width}-done.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not axe(visitor)
    result = saved(visitor, "#table-result", tmp_path)
    assert result.name == "客户 名单.menpai.xlsx"
    rows = CalamineWorkbook.from_path(str(result)).get_sheet_by_index(0).to_python()
    assert [row[:4] for row in rows[1:]] == [list(row) for row in ROWS]
    clusters = [row[rows[0].index("cluster_id")] for row in rows[1:]]
    assert clusters[0] == clusters[1] != clusters[2]
    report = saved(visitor, "#table-report", tmp_path)
    assert report.read_text("utf-8").startswith("<!doctype html>")
    page.click("#table-delete")
    page.wait_for_selector("#table-start")
    assert page.evaluate("sessionStorage.length + localStorage.length") <= 1


def test_two_tables_are_linked_and_progress_is_seen(visit: Visit, taking: Target, tmp_path: Path) -> None:
    visitor = visit("en", 1200, "light", taking.url)
    page = visitor.page
    page.check("#kind-link")
    upload(visitor, workbook(tmp_path, "左表.xlsx", 4_000), "left")
    upload(visitor, workbook(tmp_path, "右表.xlsx"), "right")
    page.wait_for_selector("#table-start:not([disabled])")
    page.click("#table-start")
    page.wait_for_selector("#table-stage", timeout=20_000)
    page.reload()  # a job goes on, and its tab finds it again
    page.wait_for_selector("#table-result", timeout=60_000)
    assert "Linked" in visitor.text("#table-body dl")
    page.click("#table-delete")
    page.wait_for_selector("#table-start")


def test_the_system_of_coordinates_is_asked_for(visit: Visit, taking: Target, tmp_path: Path) -> None:
    (tmp_path / "坐标.csv").write_text(
        "地址,纬度,经度\n文三路1号,30.27,120.13\n文三路2号,30.27,120.13\n", "utf-8"
    )
    visitor = visit("zh", 1200, "light", taking.url)
    page = visitor.page
    upload(visitor, tmp_path / "坐标.csv")
    page.select_option("#file-crs", "gcj02")
    page.click("#table-start")
    page.wait_for_selector("#table-result", timeout=60_000)
    assert "--crs" not in visitor.text("#table-body")  # nothing had to be assumed
    assert "<path" in saved(visitor, "#table-report", tmp_path).read_text("utf-8")
    page.click("#table-delete")
    page.wait_for_selector("#table-start")


def test_what_is_no_table_is_told_with_its_cure(visit: Visit, taking: Target, tmp_path: Path) -> None:
    (tmp_path / "坏.xlsx").write_bytes(b"PK\x03\x04<script>alert(1)</script>")
    visitor = visit("zh", 375, "light", taking.url, expected={422})
    upload(visitor, tmp_path / "坏.xlsx")
    visitor.page.wait_for_selector("#table-body [role=alert]")
    assert "坏.xlsx" in visitor.text("#table-body [role=alert]")
    assert visitor.page.locator("main script").count() == 0
    assert visitor.page.is_disabled("#table-start")


def test_columns_of_divisions_go_before_the_address(visit: Visit, taking: Target, tmp_path: Path) -> None:
    rows = "店名,市,区,详细地址\n老王面馆,南京市,鼓楼区,中山北路28号\n老王面馆,南京市,玄武区,中山北路28号\n"
    (tmp_path / "shops.csv").write_text(rows + "老王面馆,,,南京鼓楼区中山北路28号\n", "utf-8")
    visitor = visit("en", 1200, "light", taking.url)
    upload(visitor, tmp_path / "shops.csv")
    visitor.page.wait_for_selector("#table-start:not([disabled])")
    assert "Before the address go: 市 区." in visitor.text("#table-body")
    visitor.page.click("#table-start")
    visitor.page.wait_for_selector("#table-result", timeout=60_000)
    lines = saved(visitor, "#table-result", tmp_path).read_text("utf-8-sig").splitlines()
    assert [line.split(",")[5] for line in lines[1:]] == ["2", "1", "2"]
