"""`menpai normalize` and `menpai parse`: texts as arguments, as lines, and as a column."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import menpai
from menpai.cli import words
from menpai.text.normalize import STEPS
from tests.cli.conftest import Run

TEXT = "杭州市西湖区文三路１２３号A座3单元201室"


def test_normalize(run: Run) -> None:
    done = run("normalize", TEXT, "文三路十八号")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [menpai.normalize(TEXT).text, "文三路18号"]


@pytest.mark.parametrize("command", ["normalize", "normalise"])
def test_normalize_as_json(run: Run, command: str) -> None:
    assert run(command, TEXT, "--json").json == menpai.normalize(TEXT).to_dict()


def test_normalize_explains_its_steps(run: Run) -> None:
    out = run("normalize", TEXT, "--explain").out
    assert TEXT in out
    assert all(step in out for step in menpai.normalize(TEXT).steps)
    assert f"  characters  {TEXT.replace('１２３', '123')}     １２３ → 123\n" in out
    assert "none" in run("normalize", "文三路1号", "--explain").out
    zh = run("normalize", "（近地铁）文三路十八号", "--explain", "--language", "zh").out
    assert "中文数字  (近地铁)文三路18号      十八 → 18\n" in zh


def test_the_explanation_as_json_has_a_row_for_each_change(run: Run) -> None:
    found = run("normalize", "中国 浙江省文三路十八号", "--explain", "--json").json
    assert found["steps"] == ["country", "numerals"]
    assert found["changes"] == [
        {"step": "country", "before": "中国 浙江省文三路十八号", "after": "浙江省文三路十八号"},
        {"step": "numerals", "before": "浙江省文三路十八号", "after": "浙江省文三路18号"},
    ]
    assert "changes" not in run("normalize", "文三路１号", "--json").json


@pytest.mark.parametrize("skip", [("--skip", "numerals", "--skip", "country"), ("--skip=numerals,country",)])
def test_steps_can_be_left_out(run: Run, skip: tuple[str, ...]) -> None:
    assert run("normalize", "中国浙江省文三路１８号十八层", *skip).out == "中国浙江省文三路18号十八层\n"


def test_a_step_that_does_not_exist_is_told_once(run: Run) -> None:
    done = run("normalize", "文三路1号", "文三路2号", "--skip", "numeral")
    assert (done.code, done.out) == (2, "")
    assert "numerals" in done.err


def test_every_step_has_its_words() -> None:
    assert set(words.STEPS) == set(STEPS)


def test_lines_of_standard_input(run: Run) -> None:
    done = run("normalize", "-", stdin="文三路１号\r\n\r\n文三路２号".encode("gb18030"))
    assert done.code == 1
    assert done.out == "文三路1号\n\n文三路2号\n"
    assert done.err.splitlines() == [
        "menpai: text 2: address is empty", "  hint: give the text of the address"
    ]  # fmt: skip


def test_a_bad_text_among_others_is_a_problem_in_its_place(run: Run) -> None:
    done = run("normalize", "文三路1号", "", "文三路2号", "--json", "--language", "zh")
    assert done.code == 1
    assert [line.get("text") for line in done.lines] == ["文三路1号", None, "文三路2号"]
    assert done.lines[1] == {
        "problem": {"code": "address_empty", "message": "地址是空的", "hint": "请填入地址文本"}
    }


def test_parse(run: Run) -> None:
    done = run("parse", TEXT)
    assert done.code == 0
    assert done.out.splitlines()[0] == TEXT
    rows = {line.strip().split("  ")[0]: line.split()[-1] for line in done.out.splitlines()[1:]}
    assert rows["road"] == "文三路"
    assert (rows["house number"], rows["unit"], rows["room"]) == ("123", "3", "201")
    assert rows["level"] == "room"


def test_parse_shows_every_possible_division(run: Run) -> None:
    out = run("parse", "朝阳区建国路8号", "--language", "zh").out
    assert "110105 朝阳区" in out
    assert "220104 朝阳区" in out


def test_parse_as_json(run: Run) -> None:
    done = run("parse", TEXT, "文三路1号", "--json")
    assert done.lines == [menpai.parse(TEXT).to_dict(), menpai.parse("文三路1号").to_dict()]


def test_parse_adds_columns_to_a_table(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"id,地址\n1,{TEXT}\n2,\n3,=1\n", "gbk")
    done = run("parse", "in.csv", "-o", "out.csv")
    assert done.code == 1
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    first = rows[0]
    assert (first["city"], first["district"], first["road"], first["roadno"]) == (
        "杭州市",
        "西湖区",
        "文三路",
        "123号",
    )
    assert (first["code"], first["level"], first["problem"]) == ("330106", "room", "")
    assert rows[1]["problem"].startswith("address_empty")
    assert rows[2]["地址"] == "'=1"


def test_parse_reads_a_table_from_standard_input_when_a_column_is_named(run: Run) -> None:
    done = run("parse", "-", "--column", "where", "--json", stdin=f"id,where\n1,{TEXT}\n".encode())
    assert (done.json["id"], done.json["room"], done.json["code"]) == ("1", "201室", ["330106"])


def test_settings_hold_here_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENPAI_MAX_LENGTH", "5")
    assert "the limit is 5" in run("parse", TEXT).err
