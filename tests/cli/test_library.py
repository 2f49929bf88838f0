"""`menpai library`, from a table to an answer: what it prints, writes and returns."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from menpai.cli import library_rows, main
from menpai.search import pool
from menpai.search.compact import check

ROWS = """id,address,name,lng,lat,floor
a,杭州市西湖区文三路123号,数源科技,120.13,30.27,3
b,杭州市西湖区文三路125号,,120.131,30.27,
c,杭州市西湖区文三路黄龙时代广场,黄龙时代广场,120.12,30.273,
d,杭州市西湖区古墩路8号,,30.28,120.09,
e,,,,,
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A library of ROWS in the folder that the test runs in."""
    monkeypatch.chdir(tmp_path)
    Path("rows.csv").write_text(ROWS, "utf-8")
    assert main(["library", "build", "rows.csv", "-o", "lib", "--crs", "gcj02"]) == 1
    capsys.readouterr()
    return "lib"


def _json(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> object:
    assert main(["library", *words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_build_reports_rows_with_problems(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = Path("lib.problems.csv").read_text("utf-8-sig").splitlines()
    assert report[0] == "source,line,id,code,problem"
    assert [line.split(",")[1:4] for line in report[1:]] == [
        ["5", "d", "point_swapped"],
        ["6", "e", "row_without_address"],
    ]
    answer = _json(capsys, "build", "rows.csv", "-o", "lib", "--crs", "wgs84", code=1)
    assert isinstance(answer, dict)
    assert (answer["rows"], answer["problems"]) == (4, {"point_swapped": 1, "row_without_address": 1})


def test_a_table_without_problems(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("more.tsv").write_text("编号\t地址\nf\t杭州市西湖区学院路9号\n", "utf-8")
    assert main(["library", "add", "lib", "more.tsv"]) == 0
    assert not Path("more.problems.csv").exists()
    assert main(["library", "update", "lib", "more.tsv"]) == 0
    out, err = capsys.readouterr()
    assert "replaced" in out
    assert err.splitlines()[::2] == ["menpai: more.tsv: address 地址; id 编号"] * 2


def test_ids_decide(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library", "add", "lib", "rows.csv"]) == 2
    assert "4 ids are in the library already: a, b, c, d" in capsys.readouterr().err
    assert main(["library", "remove", "lib", "a", "z"]) == 1
    assert "the library has no id z" in capsys.readouterr().err
    Path("gone.csv").write_text("id\nb\nc\n", "utf-8")
    removed = _json(capsys, "remove", "lib", "--from", "gone.csv")
    assert isinstance(removed, dict)
    assert (removed["rows"], removed["removed"]) == (1, 2)
    assert main(["library", "remove", "lib"]) == 2
    assert "no ids are given" in capsys.readouterr().err
    Path("more.csv").write_text("id,address\n1,文三路1号\na,文三路2号\n", "utf-8")
    assert main(["library", "build", "rows.csv", "more.csv", "-o", "two"]) == 2
    assert "a (rows.csv:2, more.csv:3)" in capsys.readouterr().err


def test_a_report_does_not_overwrite_a_source(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name, report in (("rows.csv", ["--report", "./rows.csv"]), ("lib.problems.csv", [])):
        Path(name).write_text(ROWS, "utf-8")
        assert main(["library", "build", name, "-o", "lib", *report]) == 2
        assert "is the input itself" in capsys.readouterr().err
        assert Path(name).read_text("utf-8") == ROWS


def test_info_check_compact(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library", "remove", "lib", "a"]) == 0
    info = _json(capsys, "info", "lib") if not capsys.readouterr().err else {}
    assert isinstance(info, dict)
    assert (info["rows"], info["removed"], info["segments"], info["generation"]) == (3, 1, 1, 2)
    assert set(info["indexes"]) <= set(info["sizes"])
    assert main(["library", "info", "lib"]) == 0
    assert "compact" in capsys.readouterr().out
    compacted = _json(capsys, "compact", "lib")
    assert isinstance(compacted, dict)
    assert compacted["after"]["removed"] == 0
    assert main(["library", "compact", "lib"]) == 0
    assert main(["library", "check", "lib"]) == 0
    assert "files as they were written" in capsys.readouterr().out
    path = next(Path("lib").glob("s*/keys.bin"))
    path.write_bytes(b"\0" + path.read_bytes()[1:])
    damaged = _json(capsys, "check", "lib", code=3)
    assert isinstance(damaged, dict)
    assert damaged["damaged"] == [f"{path.parent.name}/keys.bin"]


def test_questions(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "search", "lib", "文三路123号", "-k", "2")
    assert isinstance(found, list)
    assert [(one["id"], one["label"]) for one in found] == [("a", "exact_match"), ("b", "partial_match")]
    assert found[0]["payload"] == {"floor": "3"}
    assert found[0]["gap"] == pytest.approx(found[0]["score"] - found[1]["score"])
    ranked = _json(capsys, "search", "文三路123号", "-l", "lib", "--no-verdicts")
    assert isinstance(ranked, list)
    assert "verdict" not in ranked[0]
    near = _json(capsys, "nearby", "lib", "30.28,120.09", "--crs", "gcj02")
    assert isinstance(near, list)
    assert near[0]["id"] == "d"
    assert near[0]["distance"] < 1
    assert main(["library", "nearby", "lib", "30.28 120.09", "--radius", "1"]) == 0
    assert "nothing found" in capsys.readouterr().err
    assert main(["library", "nearby", "lib", "hier"]) == 2
    suggested = _json(capsys, "suggest", "lib", "文三路")
    assert isinstance(suggested, list)
    assert any("文三路" in one["text"] for one in suggested)
    assert main(["library", "suggest", "lib", "wsl"]) == 0
    assert "文三路" in capsys.readouterr().out


def test_standardize(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, "standardize", "lib", "西湖区文三路123号")
    assert isinstance(found, dict)
    assert found["candidate"]["id"] == "a"
    assert main(["library", "standardise", "lib", "上海市静安区共和新路1号"]) == 1
    assert "menpai:" in capsys.readouterr().err
    assert main(["library", "standardize", "lib", "古墩路8号", "--at", "30.28,120.09", "--crs", "gcj02"]) == 0


def test_a_library_that_is_not_there_is_not_passed_over(
    library: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["library", "search", "lib"]) == 2
    assert "nothing is asked of lib" in capsys.readouterr().err
    assert main(["library", "suggest", "libb", "文三路"]) == 0
    assert "there is no library libb, the demo library is asked" in capsys.readouterr().err
    assert main(["library", "suggest", "文三路", "西湖区"]) == 0
    assert "demo library is asked" not in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["search", "suggest"])
def test_a_damaged_library_is_no_fault_of_the_program(
    library: str, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next(Path(library).glob("s*/keys.bin"))
    path.write_bytes(b"\xff" * path.stat().st_size)
    assert main(["library", verb, library, "文三路123号"]) == 3
    assert f"the library lib is damaged: {path.parent.name}/keys.bin" in capsys.readouterr().err


def test_a_build_that_takes_nothing_reports_why(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("none.csv").write_text("id,address\nx,\n", "utf-8")
    assert main(["library", "build", "none.csv", "-o", "none"]) == 2
    assert "1 problems, see none.problems.csv" in capsys.readouterr().err
    assert "x,row_without_address" in Path("none.problems.csv").read_text("utf-8-sig")
    assert main(["library", "build", "rows.csv", "-o", "lib", "--report", "no/where.csv"]) == 2
    assert "the folder no for the output does not exist" in capsys.readouterr().err
    assert _json(capsys, "info", "lib")["generation"] == 1  # type: ignore[index]


@pytest.mark.parametrize("wait", ["nan", "-1", "inf", "bald"])
def test_a_wait_is_a_number_of_seconds(library: str, wait: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library", "remove", library, "a", f"--wait={wait}"]) == 2
    assert "--wait" in capsys.readouterr().err
    assert main(["library", "remove", library, "a", "--wait", "0"]) == 0


def test_rows_do_not_steer_the_terminal(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": "\x1b[2Je", "address": "杭州市西湖区文\x1b[31m二路1号", "name": "店\x07"}]
    Path("odd.jsonl").write_text(json.dumps(rows[0]), "utf-8")
    assert main(["library", "build", "odd.jsonl", "-o", "odd"]) == 0
    for verb in ("search", "suggest"):
        assert main(["library", verb, "odd", "西湖区二路1号"]) == 0
    assert not {"\x1b", "\x07"} & set(capsys.readouterr().out)


@pytest.mark.parametrize("verb", ["info", "check", "compact", "suggest"])
def test_no_library(tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["文三路", "-l", str(tmp_path / "none")] if verb == "suggest" else [str(tmp_path / "none")]
    assert main(["library", verb, *words]) == 2
    assert "there is no library" in capsys.readouterr().err
    if verb == "suggest":
        assert main(["library", verb, "none.menpai", "文三路"]) == 2
        assert "there is no library none.menpai" in capsys.readouterr().err


def test_workers_give_the_same_library(
    library: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = {name for name, _ in _contents("lib")}
    monkeypatch.setattr("menpai.search.ingest._SMALL", 0)
    started: list[pool.Pool] = []
    monkeypatch.setattr(pool.Pool, "_child", _counting(pool.Pool._child, started))
    assert main(["library", "build", "rows.csv", "-o", "lib2", "--crs", "gcj02", "--workers", "2"]) == 1
    assert started
    assert {name for name, _ in _contents("lib2")} == alone
    assert _contents("lib2") == _contents("lib")


def _counting(work, started):  # type: ignore[no-untyped-def]
    def counted(self):  # type: ignore[no-untyped-def]
        started.append(self)
        return work(self)

    return counted


def _contents(folder: str) -> list[tuple[str, bytes]]:
    """The files of its segments, without the segments' names."""
    assert all(whole for _, whole in check(Path(folder)))
    return sorted(
        (str(Path(*path.parts[2:])), path.read_bytes())
        for path in Path(folder).glob("s*/**/*")
        if path.is_file()
    )


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_how_far_a_build_is_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := _Terminal())
    monkeypatch.setattr(library_rows, "_EVERY_SECONDS", 0.0)
    clock = iter(range(100))
    monkeypatch.setattr(library_rows.time, "monotonic", lambda: float(next(clock)))
    with library_rows.showing() as told:
        told("read", 0, 60_000)
        for done in (20_000, 40_000, 60_000):
            told("read", done, 60_000)
        told("index", 0.5, 3)
    lines = [line for line in terminal.getvalue().split("\r\x1b[K") if line]
    assert lines == [
        "reading  0%",
        "reading  20,000 rows, 20,000 a second  33%",
        "reading  40,000 rows, 20,000 a second  67%  1 s left",
        "reading  60,000 rows, 20,000 a second  100%  0 s left",
        "indexing  17%",
    ]
    monkeypatch.setattr(sys, "stderr", file := io.StringIO())
    with library_rows.showing() as told:
        told("merge", 1, 2)
    assert file.getvalue() == ""
