"""`menpai link`: every left row, in order, with the right row that it is; any format; the stages."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import menpai
from tests.cli.conftest import Run

LEFT = "id,address\n1,杭州市西湖区文三路123号\n2,\n3,海月花园3栋2单元\n4,文三路123号,多\n"
RIGHT = "shop_id\taddress\na\t西湖区文三路123号\nb\t海月花园3幢5单元\nc\t\n"
SHOPS = "编号,名称,省,市,地址,lat,lon,crs,电话\n1,望江面馆,浙江省,杭州市,文三路123号,30.27,120.13,gcj02,0571-1234\n"
OTHERS = "uid,店名,纬度,经度,手机\nq,望江面馆(文三店),30.2701,120.1301,138****1234\n"


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path) -> None:
    (tmp_path / "left.csv").write_text(LEFT, "utf-8")
    (tmp_path / "right.tsv").write_text(RIGHT, "gb18030")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def test_rows_keep_their_order_and_problems_are_told(run: Run, tmp_path: Path) -> None:
    done = run("link", "left.csv", "right.tsv", "-o", "out.csv", "--json", "--pairs-out", "pairs.csv")
    assert done.code == 1
    rows = read(tmp_path / "out.csv")
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["matched_id"] for row in rows] == ["a", "", "", ""]
    assert [row["problem"].partition(":")[0] for row in rows] == ["", "row_without_address", "", "row_ragged"]
    summary = done.json
    assert (summary["left_rows"], summary["linked"], summary["problems"], summary["right_problems"]) == (
        4,
        1,
        2,
        1,
    )
    assert [stage["name"] for stage in summary["stages"]][:2] == ["same", "candidates"]
    pairs = read(tmp_path / "pairs.csv")
    assert ("1", "a", "exact_match") in [(p["left_id"], p["right_id"], p["label"]) for p in pairs]


def test_accept_partial(run: Run) -> None:
    run("link", "left.csv", "right.tsv", "-o", "out.jsonl", "--accept", "partial")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text("utf-8").splitlines()]
    assert [row["matched_id"] for row in rows] == ["a", None, "b", None]
    assert rows[2]["conflicts"][0]["element"] == "unit"


def test_columns_are_found_by_their_names(run: Run, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text(SHOPS, "utf-8")
    (tmp_path / "r.csv").write_text(OTHERS, "utf-8")
    done = run("link", "l.csv", "r.csv", "-o", "-", "--right-crs", "gcj02")
    assert done.code == 0
    assert next(csv.DictReader(done.out.splitlines()))["matched_id"] == "q"
    assert "1 of 1 rows linked" in done.err


def test_a_column_of_one_table_is_meant_for_that_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("k,p,q\n1,文三路,123号\n", "utf-8")
    done = run("link", "l.csv", "right.tsv", "--address", "p,q", "--id", "k")
    assert next(csv.DictReader(done.out.splitlines()))["matched_id"] == "a"
    assert run("link", "l.csv", "right.tsv", "--address", "nowhere").code == 2


def test_excel_and_parquet(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("xlsxwriter")
    assert run("link", "left.csv", "right.tsv", "-o", "客户.xlsx").code == 1
    assert run("link", "客户.xlsx", "right.tsv", "-o", "out.parquet").code == 1
    assert (
        run("link", "out.parquet", "right.tsv", "--address", "address", "--id", "id", "-o", "again.csv").code
        == 1
    )
    rows = read(tmp_path / "again.csv")
    assert [(row["matched_id"], row["menpai_matched_id"]) for row in rows] == [
        ("a", "a"),
        ("", ""),
        ("", ""),
        ("", "a"),
    ]


def test_plan_only_tells(run: Run, tmp_path: Path) -> None:
    done = run("link", "left.csv", "right.tsv", "-o", "out.csv", "--plan", "--json")
    assert (done.code, done.json["left_rows"]) == (0, 4)
    assert not (tmp_path / "out.csv").exists()
    assert "seconds" in run("link", "left.csv", "right.tsv", "--plan").out


@pytest.mark.parametrize("target", ["left.csv", "right.tsv"])
def test_no_table_is_written_over(run: Run, target: str) -> None:
    assert run("link", "left.csv", "right.tsv", "-o", target).code == 2


def test_bad_coordinates_are_a_problem_of_their_row(run: Run, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text(
        "address,lat,lon\n文三路123号,30.2,x\n文三路123号,,\n文三路123号,99,120\n", "utf-8"
    )
    done = run("link", "l.csv", "right.tsv", "--crs", "wgs84")
    rows = list(csv.DictReader(done.out.splitlines()))
    assert ["coordinates" in row["problem"] for row in rows] == [True, False, True]
    assert rows[1]["matched_id"] == "a"
    assert run("link", "l.csv", "right.tsv", "--crs", "mars").code == 2


def test_the_library_gives_the_same(run: Run, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    (tmp_path / "left.csv").write_text(
        "id,address\n1,杭州市西湖区文三路123号\n2,\n3,海月花园3栋2单元\n", "utf-8"
    )
    run("link", "left.csv", "right.tsv", "-o", "out.csv")
    left = arrow.table(
        {"id": ["1", "2", "3"], "address": ["杭州市西湖区文三路123号", None, "海月花园3栋2单元"]}
    )
    right = arrow.table({"shop_id": ["a", "b"], "address": ["西湖区文三路123号", "海月花园3幢5单元"]})
    rows = menpai.link(left, right).to_pylist()
    for found, row in zip(read(tmp_path / "out.csv"), rows, strict=True):
        for name in ("matched_id", "label", "similarity", "level"):
            assert found[name] == ("" if row[name] is None else str(row[name]))


def test_decisions_that_cannot_be_used_are_told_before_the_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("id_a,id_b,decision\n1,a,Same\n", "utf-8")
    for name in ("bad.csv", "none.csv"):
        done = run("link", "left.csv", "right.tsv", "-o", "out.csv", "--decisions", name)
        assert (done.code, "kept" in done.err) == (2, False)
        assert not [path for path in tmp_path.iterdir() if path.name.endswith((".menpai", "out.csv"))]


def test_neither_labels_nor_another_output_are_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("address_a,address_b,label\n", "utf-8")
    for arguments in (
        ("-o", "labels.csv", "--max-error", "0.1", "--calibration", "labels.csv"),
        ("-o", "out.csv", "--pairs-out", "out.csv"),
        ("--pairs-out", "right.tsv"),
    ):
        assert run("link", "left.csv", "right.tsv", *arguments).code == 2
    assert (tmp_path / "labels.csv").stat().st_size < 40


def test_rows_whose_right_row_went_to_another_are_told(run: Run, tmp_path: Path) -> None:
    shops = (
        "门店编号,门店名称,地址\n1,望江面馆,杭州市西湖区文三路123号\n2,望江面馆(文三店),西湖区文三路123号\n"
    )
    (tmp_path / "l.csv").write_text(shops, "utf-8")
    (tmp_path / "r.csv").write_text("主数据编码,店名,地址\nM1,望江面馆,杭州市西湖区文三路123号\n", "utf-8")
    done = run("link", "l.csv", "r.csv", "-o", "out.csv")
    assert "l.csv: address 地址; name 门店名称; id 门店编号" in done.err
    assert "1 of 2 rows linked" in done.err
    assert "1 more rows would join a right row that went to another row" in done.err
    assert "--assign many" in done.err
    assert [row["matched_id"] for row in read(tmp_path / "out.csv")] == ["M1", ""]
    done = run("link", "l.csv", "r.csv", "-o", "out.csv", "--assign", "many", "--json")
    assert (done.json["linked"], done.json["given_away"]) == (2, 0)
