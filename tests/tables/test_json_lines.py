"""JSON Lines: columns are the fields of the first lines; a bad line is a row with a problem."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import Problem, UsageError
from menpai.tables.json_lines import SAMPLED, Writer
from menpai.tables.table import WriteOptions
from menpai.tables.writers import open_writer
from menpai.verdict import Conflict

Read = Callable[..., Any]


def test_objects_become_rows_in_the_order_of_fields(read: Read) -> None:
    columns, rows = read('{"a": "路1号", "b": "路2号"}\n\n{"b": "x", "c": 1}\n', "t.jsonl")
    assert columns == ("a", "b", "c")
    assert [(row.line, row.cells) for row in rows] == [(1, ("路1号", "路2号", None)), (3, (None, "x", 1))]


def test_json_is_found_without_an_ending(read: Read) -> None:
    assert read('\ufeff{"a": "x"}', "lines")[0] == ("a",)


@pytest.mark.parametrize("line", ["{", "[1]", '"text"', "{'a': 1}", "[" * 100_000, "nul"])
def test_a_bad_line_is_a_problem_in_its_place(read: Read, line: str) -> None:
    _, rows = read('{"a": 1}\n' + line + '\n{"a": 2}\n', "t.jsonl")
    assert [row.cells for row in rows] == [(1,), (None,), (2,)]
    assert [row.problem and row.problem.code for row in rows] == [None, "row_not_json", None]
    assert rows[1].problem.message.startswith("the line is not a JSON object")


def test_a_field_that_comes_late_is_a_problem(read: Read) -> None:
    _, rows = read('{"a": 1}\n' * SAMPLED + '{"a": 2, "z": 3}\n', "t.jsonl")
    assert rows[-1].problem == Problem("row_late_field", {"field": "z", "sampled": SAMPLED})


def test_no_object_at_all_is_an_empty_table(read: Read) -> None:
    with pytest.raises(UsageError, match="is empty"):
        read("1\n2\n", "t.jsonl")


def test_written_lines_keep_the_shapes_of_verdicts() -> None:
    out = io.BytesIO()
    writer = Writer(out, ("a", "n", "conflicts", "problem"), WriteOptions(".jsonl", language="zh"))
    writer.write(
        ("\ud800路", 0.5, (Conflict("road", "甲路", "乙路"),), Problem("address_empty", {"side": ""}))
    )
    writer.finish()
    assert json.loads(out.getvalue()) == {
        "a": "\ud800路",
        "n": 0.5,
        "conflicts": [{"name": "road_differs", "element": "road", "a": "甲路", "b": "乙路"}],
        "problem": {"code": "address_empty", "message": "地址是空的", "hint": "请填入地址文本"},
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gbk", "big5", "gb18030", "ascii"])
def test_lines_are_json_in_every_encoding(encoding: str) -> None:
    out = io.BytesIO()
    writer = Writer(out, ("a",), WriteOptions(".jsonl", encoding=encoding))
    writer.write(("文三路1号𠮷店é",))
    writer.finish()
    assert json.loads(out.getvalue().decode(encoding)) == {"a": "文三路1号𠮷店é"}


def test_numbers_that_json_lacks_are_texts(tmp_path: Path) -> None:
    with open_writer(str(tmp_path / "o.jsonl"), ["a", "b"], WriteOptions()) as writer:
        writer.write((float("inf"), {"x": [float("nan"), 1.5]}))
    assert (tmp_path / "o.jsonl").read_text("utf-8") == '{"a": "inf", "b": {"x": ["nan", 1.5]}}\n'
