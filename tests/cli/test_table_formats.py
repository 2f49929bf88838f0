"""The same rows, good and bad, give the same answers from every format; none is lost, none stops the others."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

from tests.cli.conftest import Result, Run

A, B = "杭州市西湖区文三路123号", "西湖区文三路125号"
# id, name, a, b: an address lacks, is a bare number, a formula, in two lines; digits with a zero in front; NULL as a word.
ROWS: list[tuple[str, str, Any, Any]] = [
    ("1", "甲", A, B), ("2", "乙", None, B), ("3", "丙", "", A), ("4", "丁", 123, A), ("5", "=1+1", A, A),
    ("0006", "@戊", "=1+1", A), ("7", "己", f"{A}\n1栋", f"{A} 1幢"), ("8", "庚", A, "NULL"), ("9", "辛", B, B),
]  # fmt: skip
COLUMNS = ("id", "name", "address_a", "address_b")
SOURCES = ["t.csv", "gb.csv", "t.tsv", "t.jsonl", "t.parquet", "t.xlsx", "sqlite:///t.db#t"]


@pytest.fixture(autouse=True)
def tables(tmp_path: Path) -> None:
    def lines(mark: str) -> str:
        rows = [COLUMNS, *(["" if cell is None else f'"{cell}"' for cell in row] for row in ROWS)]
        return "\n".join(map(mark.join, rows)) + "\n"

    (tmp_path / "t.csv").write_text(lines(","), "utf-8")
    (tmp_path / "gb.csv").write_text(lines(","), "gb18030")
    (tmp_path / "t.tsv").write_text(lines("\t"), "utf-8")
    objects = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in objects), "utf-8")
    texts = [[None if row[at] is None else str(row[at]) for row in ROWS] for at in range(4)]
    pq.write_table(pa.table(texts, names=list(COLUMNS)), tmp_path / "t.parquet")
    base = sqlite3.connect(tmp_path / "t.db")
    base.execute("create table t (id, name, address_a, address_b)")
    base.executemany("insert into t values (?, ?, ?, ?)", ROWS)
    base.commit()
    base.close()
    plain = {"strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(tmp_path / "t.xlsx", plain) as book:
        page = book.add_worksheet("订单")
        for at, row in enumerate([COLUMNS, *ROWS]):
            page.write_row(at, 0, row)


def answers(done: Result, *names: str) -> list[tuple[Any, ...]]:
    assert done.code in (0, 1)
    return [
        tuple(line["problem"]["code"] if name == "problem" and line[name] else line[name] for name in names)
        for line in done.lines
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_match(run: Run, source: str) -> None:
    names = ("label", "similarity", "level", "problem")
    found = answers(run("match", source, "--json"), *names)
    assert found == answers(run("match", "t.csv", "--json"), *names)
    empty, unreadable = "address_empty", "address_unreadable"
    assert [problem for *_, problem in found] == [
        None, empty, empty, unreadable, None, unreadable, None, empty, None,
    ]  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_dedupe_and_link(run: Run, source: str) -> None:
    chosen = ("--address", "address_a", "--json")
    names = ("cluster_id", "cluster_size", "is_golden", "problem")
    assert answers(run("dedupe", source, *chosen), *names) == answers(run("dedupe", "t.csv", *chosen), *names)
    names = ("matched_id", "label", "similarity", "problem")
    other = (*chosen, "--right-address", "address_b")
    linked = [answers(run("link", left, "t.csv", *other), *names) for left in (source, "t.csv")]
    assert linked[0] == linked[1]


@pytest.mark.parametrize("output", ["o.csv", "o.jsonl", "o.parquet", "o.xlsx", "sqlite:///o.db#o"])
def test_what_is_written_is_read_as_the_same_rows(run: Run, output: str) -> None:
    run("match", "t.jsonl", "-o", output)
    names = ("label", "similarity", "level")
    again = answers(run("match", output, "--json", "--a", "address_a", "--b", "address_b"), *names)
    whole = [tuple(f"menpai_{name}" for name in names), names]
    first = run("match", "t.jsonl", "--json").lines
    assert len(again) == len(ROWS)
    kept = run("match", output, "--json", "--a", "address_a", "--b", "address_b").lines
    for line, wanted in zip(kept, first, strict=True):
        if not str(line["address_a"]).startswith("'"):  # CSV says so where a formula was
            assert [line[name] for name in whole[0]] == [wanted[name] for name in names]
        assert line["name"].lstrip("'") == wanted["name"]
        assert line["id"] == wanted["id"]


def test_two_hundred_columns_and_two_of_one_name(run: Run, tmp_path: Path) -> None:
    head = ["address_a", "address_b", "备注", "备注", *(f"列{at}" for at in range(200))]
    lines = [",".join(head), *[",".join([A, B, "x", "y", *map(str, range(200))])] * 3]
    (tmp_path / "wide.csv").write_text("\n".join(lines), "utf-8")
    for output in ("o.jsonl", "o.parquet", "o.xlsx", "sqlite:///o.db#o"):
        assert run("match", "wide.csv", "-o", output).code == 0
        (line, *_), count = (
            (lines := run("parse", output, "--column", "address_a", "--json").lines),
            len(lines),
        )
        assert count == 3
        assert [str(line[name]) for name in ("备注", "列199", "label")] == ["x", "199", "partial_match"]
        assert str(line.get("备注_2", "y")) == "y"


@pytest.mark.parametrize(
    "output",
    [
        "o.csv",
        "o.xlsx",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("o.parquet", "sqlite:///o.db#o")),
    ],
)
def test_a_cell_of_ten_megabytes_is_a_problem_of_its_row(run: Run, tmp_path: Path, output: str) -> None:
    (tmp_path / "big.csv").write_text(f"a,b\n{'路' * 3_400_000},{B}\n{A},{A}\n", "utf-8")
    assert run("match", "big.csv", "-o", output).code == 1
    done = run("match", "big.csv", "--json")
    assert [line["problem"] and line["problem"]["code"] for line in done.lines] == ["address_too_long", None]


def test_a_head_in_two_rows_with_merged_cells(run: Run, tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "m.xlsx") as book:
        page = book.add_worksheet("地址对照")
        page.merge_range("A1:D1", "五月对账")
        page.merge_range("A2:A3", "编号")
        page.merge_range("B2:C2", "地址")
        page.write_row("B3", ["地址1", "地址2"])
        page.write_row("A4", [1, A, B])
        page.write_row("A5", [2, A, A])
    done = run("match", "m.xlsx", "--json")
    assert [line["label"] for line in done.lines] == ["partial_match", "exact_match"]


def test_columns_that_are_not_there_are_answered_with_those_that_are(run: Run) -> None:
    for command in (("match", "t.csv", "--a", "adress_a"), ("dedupe", "t.csv", "--address", "adress_a")):
        done = run(*command)
        assert done.code == 2
        assert "id, name, address_a, address_b" in done.err
