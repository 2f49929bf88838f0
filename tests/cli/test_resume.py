"""A run that is cut off goes on from its last chunk: what is written is what an undisturbed run writes."""

from __future__ import annotations

import json
import resource
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from menpai.matcher import Matcher
from menpai.tables import resume
from menpai.tables.journal import PairJournal
from menpai.tables.linkage import batches
from menpai.tables.workroom import folder_of, workroom
from tests.cli.conftest import Result, Run

ROWS = 40
NAMES = ["文三路", "古墩路", "莫干山路", "天目山路"]
OUTPUTS = ["o.csv", "o.jsonl", "o.parquet", "o.xlsx", "sqlite:///o.db#结果"]


def table(rows: int = ROWS, last: str = "号") -> str:
    lines = [f"{n},西湖区{NAMES[n % 4]}{n}号,{NAMES[n % 4]}{n + n % 3}{last}" for n in range(rows)]
    lines[7] = "7,,文三路1号"
    return "\n".join(["id,address_a,address_b", *lines, ""])


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of a few rows, and a table of several chunks."""
    monkeypatch.setattr(resume, "CHUNK", 8)
    monkeypatch.setattr(batches, "PAIRS", 8)
    (tmp_path / "in.csv").write_text(table(), "utf-8")


@pytest.fixture
def cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Result, int]]:
    """Run until so many pairs are judged, as Ctrl-C would end it; how it ended and how many pairs were asked for."""
    match_iter = Matcher.match_iter

    def cut_(*arguments: str, after: int) -> tuple[Result, int]:
        asked = 0

        def counted(self: Matcher, pairs: Iterable[Any], **options: Any) -> Iterator[Any]:
            nonlocal asked
            for pair in pairs:
                if asked == after:
                    raise KeyboardInterrupt
                asked += 1
                yield from match_iter(self, [pair], **options)

        with monkeypatch.context() as patched:
            patched.setattr(Matcher, "match_iter", counted)
            return run(*arguments), asked

    return cut_


def content(output: str) -> Any:
    """What an output holds: its bytes, a workbook's cells, a table's rows."""
    if output.endswith(".xlsx"):
        return [CalamineWorkbook.from_path(output).get_sheet_by_index(at).to_python() for at in range(2)]
    if not output.startswith("sqlite"):
        return Path(output).read_bytes()
    path, _, name = output.removeprefix("sqlite:///").partition("#")
    connection = sqlite3.connect(path)
    try:
        return connection.execute(f'select * from "{name}" order by 1').fetchall()
    finally:
        connection.close()


@pytest.mark.parametrize("output", OUTPUTS)
def test_the_rest_is_done_and_the_output_is_the_same(
    run: Run, cut: Callable[..., tuple[Result, int]], tmp_path: Path, output: str
) -> None:
    command = ("match", "in.csv", "-o", output)
    (tmp_path / "whole").mkdir()
    whole = output.replace("o.", "whole/o.", 1)
    assert run("match", "in.csv", "-o", whole).code == 1
    stopped, _ = cut(*command, after=19)
    assert stopped.code == 130
    assert not (tmp_path / "o.csv").exists()
    stopped, asked = cut(*command, after=11)
    assert (stopped.code, asked) == (130, 11)
    assert "16 rows are done" in stopped.err
    done, asked = cut(*command, after=ROWS)
    assert (done.code, asked) == (1, ROWS - 24)
    assert "24 rows are done" in done.err
    assert "1 of 40 rows had a problem" in done.err
    assert content(output) == content(whole)
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_ctrl_c_says_how_to_go_on_in_both_languages(
    cut: Callable[..., tuple[Result, int]], tmp_path: Path
) -> None:
    for language, told in (("en", "run the same command again"), ("zh", "再运行同一条命令")):
        stopped, _ = cut("match", "in.csv", "-o", "o.csv", "--language", language, after=30)
        assert told in stopped.err
        assert (folder_of(tmp_path / "o.csv") / "journal").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        (lambda folder: (folder / "in.csv").write_text(table(last="弄"), "utf-8"), ROWS),
        (lambda folder: (folder / "in.csv").write_text(table(ROWS + 3), "utf-8"), ROWS - 24 + 3),
        (lambda folder: _spoil(folder, lambda lines: [*lines[:2], lines[2][:-9], *lines[3:]]), ROWS - 8),
        (lambda folder: _spoil(folder, lambda lines: [lines[0].replace(b"1", b"9", 1), *lines[1:]]), ROWS),
        (lambda folder: _spoil(folder, lambda lines: [b"\x00\xff", b""]), ROWS),
    ],
    ids=["other rows", "more rows", "a torn line", "another version", "no journal at all"],
)
def test_only_what_still_holds_is_taken(
    run: Run,
    cut: Callable[..., tuple[Result, int]],
    tmp_path: Path,
    change: Callable[[Path], object],
    asked: int,
) -> None:
    cut("match", "in.csv", "-o", "o.jsonl", after=30)
    change(tmp_path)
    assert cut("match", "in.csv", "-o", "o.jsonl", after=99)[1] == asked
    run("match", "in.csv", "-o", "whole.jsonl")
    assert content("o.jsonl") == content("whole.jsonl")


def _spoil(folder: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    journal = folder_of(folder / "o.jsonl") / "journal"
    journal.write_bytes(b"\n".join(change(journal.read_bytes().split(b"\n"))))


@pytest.mark.parametrize("output", ["o.csv", "sqlite:///o.db#r"])
def test_the_journal_of_another_run_is_told_and_thrown_away(
    cut: Callable[..., tuple[Result, int]], output: str
) -> None:
    cut("match", "in.csv", "-o", output, after=30)
    done, asked = cut("match", "in.csv", "-o", output, "--explain", after=99)
    if output == "o.csv":
        assert (done.code, asked) == (1, ROWS)
        assert "thrown away" in done.err
    else:
        assert "a table r that menpai did not write" in done.err


def test_parse_goes_on_too(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from menpai.tables import parsed  # noqa: PLC0415

    cells_of, calls = parsed.cells_of, 0

    def stopping(*arguments: Any) -> tuple[Any, ...]:
        nonlocal calls
        calls += 1
        if calls == 20:
            raise KeyboardInterrupt
        return cells_of(*arguments)

    command = ("parse", "in.csv", "--column", "address_a", "--style", "line")
    monkeypatch.setattr(parsed, "cells_of", stopping)
    assert run(*command, "-o", "o.jsonl").code == 130
    assert run(*command, "-o", "o.jsonl").code == 1
    assert calls == 20 + ROWS - 16
    run(*command, "-o", "whole.jsonl")
    assert content("o.jsonl") == content("whole.jsonl")


@pytest.mark.parametrize("command", ["link", "dedupe"])
def test_scored_pairs_are_not_scored_again(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    keep, kept, limit = PairJournal.keep, 0, 2

    def stopping(self: PairJournal, key: str, value: Any) -> None:
        nonlocal kept
        if kept == limit:
            raise KeyboardInterrupt
        kept += 1
        keep(self, key, value)

    spelt = [f"{'西湖区' * (n % 2)}{NAMES[n % 4]}{n // 2}号" for n in range(2 * ROWS)]
    Path("in.csv").write_text("\n".join(["address", *spelt]), "utf-8")
    words = [command, "in.csv", *(["in.csv"] if command == "link" else [])]
    monkeypatch.setattr(PairJournal, "keep", stopping)
    assert run(*words, "-o", "o.csv").code == 130
    limit = 99
    done = run(*words, "-o", "o.csv")
    assert "2 chunks of scored pairs are done" in done.err
    whole, kept = kept, 0
    run(*words, "-o", "whole.csv")
    assert kept == whole > 2
    assert content("o.csv") == content("whole.csv")


def test_a_second_run_on_the_same_output_is_refused(run: Run, tmp_path: Path) -> None:
    with workroom(tmp_path / "o.csv"):
        en = run("match", "in.csv", "-o", "o.csv")
        zh = run("match", "in.csv", "-o", "o.csv", "--language", "zh")
    assert (en.code, zh.code) == (2, 2)
    assert "another menpai is writing" in en.err
    assert "另一个 menpai 正在写" in zh.err
    assert run("match", "in.csv", "-o", "o.csv").code == 1


@pytest.mark.parametrize("output", OUTPUTS[:4])
def test_a_full_disk_is_told_and_nothing_is_done_twice(
    run: Run, cut: Callable[..., tuple[Result, int]], tmp_path: Path, output: str
) -> None:
    wide = "\n".join([f"{line},{'备' * 900 if n else '备注'}" for n, line in enumerate(table().splitlines())])
    (tmp_path / "in.csv").write_text(wide, "utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        full = run("match", "in.csv", "-o", output)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    if full.code == 2:
        assert "no room for" in full.err
        assert not (tmp_path / output).exists()
    else:
        assert output == "o.parquet"  # packs well
    done, asked = cut("match", "in.csv", "-o", output, after=99)
    assert done.code == 1
    assert asked <= ROWS
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_output_that_excel_has_open_is_refused_before_the_work(run: Run, tmp_path: Path) -> None:
    (tmp_path / "~$o.xlsx").write_bytes(b"x")
    for command in (("match", "in.csv"), ("dedupe", "in.csv", "--address", "address_a")):
        zh = run(*command, "-o", "o.xlsx", "--language", "zh")
        assert (zh.code, "Excel" in zh.err) == (2, True)


def test_a_read_only_output_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "o.csv").write_text("mine", "utf-8")
    (tmp_path / "o.csv").chmod(0o444)
    assert "read-only" in run("match", "in.csv", "-o", "o.csv").err
    assert (tmp_path / "o.csv").read_text("utf-8") == "mine"


def test_json_of_a_journal_is_as_documented(cut: Callable[..., tuple[Result, int]], tmp_path: Path) -> None:
    cut("match", "in.csv", "-o", "o.csv", after=30)
    head, first, *_ = (folder_of(tmp_path / "o.csv") / "journal").read_bytes().splitlines()
    assert list(json.loads(head)) == ["menpai", "version", "fingerprint"]
    seal, _, body = first.partition(b" ")
    assert len(seal) == 16
    assert list(json.loads(body)) == ["rows", "digest", "answers"]
