"""`menpai parse`: what is a table and what a text, and options that would change nothing."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from menpai.cli.console import warn_in_a_line
from menpai.parsing.overrides import OverrideWarning
from tests.cli.conftest import Run
from tests.parsing.test_tagger import pack as tagging_pack

TABLE = "id,地址\n1,文三路赛格广场对面\n2,上海市闸北区共和新路1号\n"


@pytest.mark.parametrize("arguments", [("-o", "-"), (), ("--column", "2")])
def test_standard_input_is_a_table_where_it_looks_like_one_or_is_said_to(
    run: Run, arguments: tuple[str, ...]
) -> None:
    done = run("parse", "-", *arguments, stdin=TABLE.encode())
    first, second = csv.DictReader(done.out.splitlines())
    assert done.code == 0
    assert (first["poi"], first["assist"], first["intersection"], first["problem"]) == (
        "赛格广场",
        "对面",
        "",
        "",
    )
    assert second["former"] == "闸北区 → 310106"


def test_json_lines_on_standard_input_are_a_table(run: Run) -> None:
    done = run("parse", "-", stdin='{"address": "G312国道3公里+200米"}\n'.encode())
    assert done.json["distance"] == "3公里+200米"


def test_lines_of_addresses_stay_lines(run: Run) -> None:
    done = run("parse", "-", "--style", "line", stdin="西湖区,文三路1号\n文三路2号\n".encode())
    assert len(done.out.splitlines()) == 2


def test_conflicts_and_corrections_have_columns(run: Run) -> None:
    done = run("parse", "-", "-o", "-", "--json", stdin="地址\n广东省南昌市南山区科苑路15号\n".encode())
    assert any("≠" in text for text in done.json["conflicts"])


def test_a_file_of_one_column_needs_no_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("文三路1号\n文三路2号\n", "utf-8")
    assert "--no-header" in run("parse", "one.txt", "-o", "out.csv").err
    assert run("parse", "one.txt", "--no-header", "-o", "out.csv").code == 0
    (tmp_path / "named.csv").write_text("送货\n文三路1号\n", "utf-8")
    assert "文三路" in run("parse", "named.csv").out


def test_a_second_column_of_addresses_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("地址,详细地址\n西湖区,文三路1号\n", "utf-8")
    assert (
        "the address column is 地址 (there is 详细地址 too)" in run("parse", "two.csv", "-o", "out.csv").err
    )
    assert "there is" not in run("parse", "two.csv", "-o", "out.csv", "--column", "2").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("t.csv", "t.csv", "-o", "x.csv"), "2 arguments were given"),
        (("文三路1号", "t.csv"), "one table is read at a time"),
        (("none.csv",), "there is no file none.csv"),
        (("t.csv", "--explain"), "--explain would change nothing"),
        (("文三路1号", "--convention", "empty"), "use style fields, line, gbt"),
        (("文三路1号", "--scheme", "mgeo"), "it needs --pack"),
        (("文三路1号", "--as-of", "2050"), "later than the divisions"),
        (("张三 13800138000",), "no readable text"),
    ],
)
def test_what_would_do_nothing_is_refused_with_the_cure(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")
    done = run("parse", *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "match" not in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("t.csv", "-o", "x.csv"), "tags texts, no tables"),
        (("文三路1号", "--style", "line"), "leave out --style"),
        (("文三路1号", "--near", "30,120"), "leave out --near"),
    ],
)
def test_a_tagging_pack_takes_texts_and_no_option_of_a_reading(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")
    done = run("parse", *arguments, "--pack", str(tagging_pack(tmp_path, "tagging").path))
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_tagged_sentences_are_no_pairs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text("文\tO\n", "utf-8")
    assert "add --task tags" in run("evaluate", "x.conll").err
    assert "no tag at all" in run("evaluate", "x.conll", "--task", "tags").err
    (tmp_path / "x.conll").write_text("文\tS-road\n", "utf-8")
    assert "has no tag rod; " not in run("evaluate", "x.conll", "--task", "tags", "--only", "road").err
    wrong = run("evaluate", "x.conll", "--task", "tags", "--only", "rod").err
    assert "the scheme ccks has no tag rod" in wrong
    assert "nearest is road" in wrong


def test_a_warning_of_ours_is_one_line_without_a_place_in_the_code() -> None:
    assert warn_in_a_line(OverrideWarning("徐汇区"), OverrideWarning, "x.py", 3) == "menpai: 徐汇区\n"
    assert "x.py:3" in warn_in_a_line(UserWarning("y"), UserWarning, "x.py", 3)
