"""CSV and TSV as people have them: delimiters, quotes, ragged rows, long lines, faults."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.tables import delimited, source
from menpai.tables.source import Source
from menpai.tables.table import ReadOptions, WriteOptions

Read = Callable[..., Any]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("a,b\n路1号,路2号\n", "t.csv"),
        ("a;b\n路1号;路2号\n", "t.csv"),
        ("a\tb\n路1号\t路2号\n", "t.tsv"),
        ("a\tb\n路1号\t路2号\n", "t.csv"),
        ("a|b\n路1号|路2号\n", "t.txt"),
        ("a,b\r\n路1号,路2号\r\n", "t.CSV"),
        ("a,b\r路1号,路2号", "t.csv"),
        ("\n\na,b\n\n路1号,路2号\n\n", "t.csv"),
        ('"a","b"\n"路1号","路2号"\n', "table"),
        (" a , b \n路1号,路2号\n", "t.dat"),
    ],
)
def test_the_same_table_in_many_dresses(read: Read, content: str, name: str) -> None:
    columns, rows = read(content, name)
    assert columns == ("a", "b")
    assert [(row.cells, row.problem) for row in rows] == [(("路1号", "路2号"), None)]


def test_a_given_delimiter_wins(read: Read) -> None:
    assert read("a,b;c\n1,2;3\n", delimiter=";")[0] == ("a,b", "c")


def test_without_a_header_columns_are_numbers(read: Read) -> None:
    columns, rows = read("路1号,路2号\n路3号,路4号\n", header=False)
    assert columns == ("1", "2")
    assert [row.cells for row in rows] == [("路1号", "路2号"), ("路3号", "路4号")]


def test_quotes_hold_delimiters_and_line_ends(read: Read) -> None:
    _, rows = read('a,b\n"一,二","三""四""\n五"\nx,y\n')
    assert [(row.line, row.cells) for row in rows] == [(3, ("一,二", '三"四"\n五')), (4, ("x", "y"))]


def test_ragged_rows_keep_all_their_text_and_carry_a_problem(read: Read) -> None:
    _, rows = read("id,a,b\n1,路1号\n2,路1号,杭州,西湖,1号\n3,x,y\n4,x,y,,\n")
    assert [row.cells for row in rows] == [
        ("1", "路1号", ""), ("2", "路1号", "杭州,西湖,1号"), ("3", "x", "y"), ("4", "x", "y"),
    ]  # fmt: skip
    assert [row.problem and row.problem.details for row in rows] == [
        {"expected": 3, "found": 2}, {"expected": 3, "found": 5}, None, None,
    ]  # fmt: skip


def test_nul_bytes_stay_in_their_cell(read: Read) -> None:
    _, rows = read("a,b\n路\x001号,y\nx,y\n")
    assert [row.cells for row in rows] == [("路\x001号", "y"), ("x", "y")]


def test_a_line_of_ten_megabytes_is_a_row(read: Read) -> None:
    _, rows = read("a,b\n" + "路" * 3_400_000 + ",y\nx,y\n")
    assert [len(row.cells[0]) for row in rows] == [3_400_000, 1]


@pytest.fixture
def short_lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lines and cells may be 64 thousand characters long: what is too long need not be 16 million."""
    for module in (delimited, source):
        monkeypatch.setattr(module, "LINE_LIMIT", 1 << 16)
    before = csv.field_size_limit(1 << 16)
    yield
    csv.field_size_limit(before)


@pytest.mark.usefixtures("short_lines")
def test_a_quote_that_never_closes_is_named(read: Read) -> None:
    with pytest.raises(UsageError) as caught:
        read('a,b\nx,y\n"' + "路1号\n" * 18_000)
    assert caught.value.code == "table_line_too_long"
    assert "quote" in caught.value.render("en")[1]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('a,b\n文三路1号,"文三路2号\n文三路1号,文三路3号\n', 2),
        ('a,b\nx,y\n文三路1号,"文三路2号', 3),
        ('a,b\nx,y\nx,"', 3),
        ('a,b\nx,"y\n"文三路1号","文三路3号"\n', 2),
        ('a,b\nx,"y\nx,"z"\n', 2),
        ('a,b\n"一\n二",y\nx,"y\nx,z\n', 4),
        ('a,"b\nx,y\n', 1),
        ('"', 1),
    ],
)
def test_an_open_quote_swallows_no_row(read: Read, content: str, line: int) -> None:
    with pytest.raises(UsageError, match=f"line {line} opens a quote") as caught:
        read(content)
    assert caught.value.code == "quote_open"


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ('"文三路\n1号",y\n', ("文三路\n1号", "y")),
        ('x,"文三路\r\n1号"', ("x", "文三路\r\n1号")),
        ('文三路"1号,12"\n', ('文三路"1号', '12"')),
        ('"文三路"1号,y\n', ("文三路1号", "y")),
        ('"",""\n', ("", "")),
        ('"\n\n",""""\n', ("\n\n", '"')),
    ],
)
def test_quotes_that_close_are_read(read: Read, row: str, cells: tuple[str, ...]) -> None:
    assert [found.cells for found in read("a,b\n" + row)[1]] == [cells]
    assert [found.cells for found in read("a,b\n" + row.rstrip() + "\nx,y\n")[1]] == [cells, ("x", "y")]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ('"文三路1号\ty\nx\ty\n', [(2, '"文三路1号', "y"), (3, "x", "y")]),
        ('x\t"文三路1号\nx\ty\n"q"\t"r"\n', [(2, "x", '"文三路1号'), (3, "x", "y"), (4, "q", "r")]),
        ('"一\t"二"\n三\t"四\n', [(2, '"一', "二"), (3, "三", '"四')]),
        ('"文三路"1号\t"y"\n', [(2, '"文三路"1号', "y")]),
        ('"一\n二"\ty\nx\t"y"\n', [(3, "一\n二", "y"), (4, "x", "y")]),
        ('x\t"', [(2, "x", '"')]),
    ],
)
def test_between_tabs_an_open_quote_is_text(read: Read, rows: str, expected: list[Any]) -> None:
    found = read("a\tb\n" + rows, "t.tsv")[1]
    assert [(row.line, *row.cells) for row in found] == expected
    assert not any(row.problem for row in found)


@pytest.mark.usefixtures("short_lines")
def test_between_tabs_an_open_quote_swallows_no_long_table(read: Read) -> None:
    rows = read('a\tb\n"x\ty\n' + "文三路1号\t文三路2号\n" * 6_000, "t.tsv")[1]
    assert len(rows) == 6_001
    assert rows[0].cells == ('"x', "y")


def test_a_line_that_never_ends_is_named(read: Read) -> None:
    with pytest.raises(UsageError) as caught:
        read(b"a,b\nx,y\n" + b"x" * (1 << 24))
    assert caught.value.details["line"] == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_bad_byte_among_the_names_is_told_by_its_position(read: Read, encoding: str) -> None:
    good = "地址一,".encode(encoding)
    with pytest.raises(UsageError) as caught:
        read(good + b"\xff\n" + "文三路1号,x\n".encode(encoding) * 3, encoding=encoding)
    assert caught.value.code == "table_undecodable"
    assert (caught.value.details["position"], caught.value.details["byte"]) == (len(good), 0xFF)


@pytest.mark.parametrize("before", [0, 10, 100_000])
def test_bytes_of_another_encoding_are_a_problem_of_their_row(read: Read, before: int) -> None:
    good = b"a,b\n" + "文三路1号,文三路2号\n".encode() * before
    other = "文三路3号,文三路4号\n".encode("gb18030")
    _, rows = read(good + other + b"\xff\xfe,x\n" + "文三路1号,x\n".encode() * 3, encoding="utf-8")
    assert len(rows) == before + 5
    faults = [(at, row) for at, row in enumerate(rows) if row.problem]
    assert [at for at, _ in faults] == [before, before + 1]
    assert {row.problem.code for _, row in faults if row.problem} == {"row_undecodable"}
    assert [row.cells for _, row in faults] == [("文三路3号", "文三路4号"), ("\\xff\\xfe", "x")]


def test_a_wrong_forced_encoding_is_named(read: Read) -> None:
    with pytest.raises(UsageError, match=r"byte 0 \(0xb5\) is not valid utf-8"):
        read("地址1,地址2\n".encode("gbk"), encoding="utf-8")


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "\r\n"])
def test_an_empty_table_is_named(read: Read, content: str) -> None:
    with pytest.raises(UsageError, match="is empty"):
        read(content)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6), st.sampled_from([".csv", ".tsv"]))
def test_what_is_written_raw_reads_back_the_same(pairs: list[tuple[str, str]], suffix: str) -> None:
    out = io.BytesIO()
    writer = delimited.Writer(out, ("a", "b"), WriteOptions(suffix, raw_cells=True))
    for pair in pairs:
        writer.write(pair)
    writer.finish()
    data = out.getvalue()
    delimiter = "," if suffix == ".csv" else "\t"
    plain = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))
    assert plain == [["a", "b"], *map(list, pairs)]
    file = Source("t", suffix, io.BufferedReader(io.BytesIO(data)), data)  # type: ignore[arg-type]
    assert [row.cells for row in delimited.read(file, ReadOptions()).rows] == pairs
