"""The command line for a program that watches: JSON lines of progress and of what went wrong, nothing else changed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from menpai.cli import child, progress

Watched = Callable[..., tuple[int, str, list[dict[str, Any]]]]
ROWS = "id,address\n" + "".join(f"{at},杭州市西湖区文三路{at}号\n" for at in range(1, 40))


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Watched:
    """Run it in this process, which neither stands back nor ends with its parent."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "_heard", None)  # and so again at the end
    monkeypatch.setattr(child, "_stand_back", lambda: None)
    monkeypatch.setattr(child, "leave_through_the_stack", lambda: None)
    monkeypatch.setattr(child, "_end_with_parent", lambda: None)
    monkeypatch.setattr(child.gc, "set_threshold", lambda *_: None)
    monkeypatch.setattr(child, "EVERY_SECONDS", 0.0)

    def run(*words: str) -> tuple[int, str, list[dict[str, Any]]]:
        code = child.run(words)
        out, err = capfd.readouterr()
        return code, out, [json.loads(line) for line in err.splitlines() if line.startswith("{")]

    return run


def test_steps_are_told_with_their_share(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(ROWS, "utf-8")
    code, _, lines = watched("dedupe", "t.csv", "-o", "out.csv")
    steps = [line["progress"] for line in lines if "progress" in line]
    assert code == 0
    assert {"candidates", "score"} <= {step["stage"] for step in steps}
    assert all(0 <= step["share"] <= 1 for step in steps)
    assert [step["share"] for step in steps if step["stage"] == "score"][-1] == 1.0


def test_rows_are_told_with_what_is_left(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("a,b\n" + "文三路1号,文三路2号\n" * 5, "utf-8")
    code, _, lines = watched("match", "p.csv", "-o", "out.csv")
    assert code == 0
    assert [line["progress"]["rows"] for line in lines] == [1, 2, 3, 4, 5]


def test_what_went_wrong_is_told_with_its_code(watched: Watched) -> None:
    code, out, lines = watched("dedupe", "nowhere.csv", "-o", "out.csv")
    assert (code, out) == (2, "")
    assert lines[-1]["problem"]["code"] == "file_not_found"
    assert lines[-1]["problem"]["hint"]


def test_a_look_at_a_table(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("编号,地址a,地址b,店名,lat,lon\n1,x1,y2,=z,1,2\n", "utf-8")
    code, out, _ = watched("look", "t.csv")
    told = json.loads(out)
    assert code == 0
    assert told["found"] == {
        "a": "地址a",
        "b": "地址b",
        "id": "编号",
        "name": "店名",
        "lat": "lat",
        "lon": "lon",
    }
    assert (told["rows"], told["first"]) == (1, [["1", "x1", "y2", "=z", "1", "2"]])
    assert watched("look", "t.csv", "", "0")[2][0]["problem"]["code"] == "job_too_long"
    assert watched("look", "none.csv")[0] == 2


def test_sheets_are_named_the_one_that_is_read_first(watched: Watched, tmp_path: Path) -> None:
    import xlsxwriter  # noqa: PLC0415

    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        for name in ("甲", "乙"):
            book.add_worksheet(name).write_row(0, 0, ["address"])
            book.get_worksheet_by_name(name).write_row(1, 0, [name + "路1号"])
    assert json.loads(watched("look", "t.xlsx")[1])["sheets"] == ["甲", "乙"]
    told = json.loads(watched("look", "t.xlsx", "乙")[1])
    assert (told["sheet"], told["first"]) == ("乙", [["乙路1号"]])


def test_it_stands_back_and_writes_for_its_owner_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(os, "nice", given.append)
    monkeypatch.setattr(Path, "write_text", lambda *_: None)
    before = os.umask(0o022)
    try:
        child._stand_back()
        assert os.umask(before) == 0o077
    finally:
        os.umask(before)
    assert given == [child.NICE]
