"""menpai.Library at the door: every kind of source, an empty library, the demo library, processes that die."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter

import menpai
from menpai.cli import main
from menpai.errors import NotReadyError, UsageError
from menpai.search import demo, grid, pool
from menpai.search import ingest as ingesting
from menpai.search.compact import check
from tests.search.libraries import content, entries, take

ROWS = [
    {
        "编号": 1,
        "地址": "杭州市西湖区文三路123号",
        "名称": "数源科技",
        "纬度": 30.2741,
        "经度": 120.1305,
        "电话": "0571",
    },
    {"编号": 2, "地址": "杭州市西湖区文三路125号", "名称": None, "纬度": None, "经度": None, "电话": None},
]


def _excel(path: Path) -> str:
    with xlsxwriter.Workbook(path.with_suffix(".xlsx")) as book:
        page = book.add_worksheet()
        for at, row in enumerate([list(ROWS[0]), *(list(row.values()) for row in ROWS)]):
            page.write_row(at, 0, row)
    return str(path.with_suffix(".xlsx"))


def _parquet(path: Path) -> str:
    pq.write_table(pa.Table.from_pylist(ROWS), path.with_suffix(".parquet"))
    return str(path.with_suffix(".parquet"))


def _json_lines(path: Path) -> str:
    path.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return str(path.with_suffix(".jsonl"))


def _database(path: Path) -> str:
    with sqlite3.connect(path.with_suffix(".db")) as base:
        base.execute("CREATE TABLE shops (编号 INT, 地址 TEXT, 名称 TEXT, 纬度 REAL, 经度 REAL, 电话 TEXT)")
        base.executemany("INSERT INTO shops VALUES (?,?,?,?,?,?)", [tuple(row.values()) for row in ROWS])
    base.close()
    return f"sqlite:///{path.with_suffix('.db')}#shops"


@pytest.mark.parametrize("make", [_excel, _parquet, _json_lines, _database, lambda _: ROWS])
def test_every_source_gives_the_same_library(tmp_path: Path, make: Callable[[Path], Any]) -> None:
    library = menpai.Library.build(make(tmp_path / "rows"), tmp_path / "lib", crs="wgs84")
    first = library.get("1")
    assert first is not None
    assert (first.text, first.name, first.lat, first.payload) == (
        ROWS[0]["地址"], "数源科技", 30.2741, {"电话": "0571"},
    )  # fmt: skip
    assert library.get("2") == menpai.Record("2", ROWS[1]["地址"], division="330106")  # type: ignore[arg-type]
    assert [record.id for record in library] == ["1", "2"]
    assert library.report is not None
    assert library.report.problems == {}


def test_what_had_to_be_assumed_stands_in_the_report(tmp_path: Path) -> None:
    rows = [{"门店": "数源科技", "地址": "文三路1号", "坐标": "120.13,30.27", "编号": 7}]
    with menpai.Library.build(rows, tmp_path / "lib", workers=1) as library:
        assert library.report is not None
        assert library.report.to_dict()["notes"] == ["columns_taken", "crs_assumed"]
        record = library.get("7")
        assert record is not None
        assert (record.lat, record.lon) == (30.27, 120.13)


def test_an_empty_library_answers_with_nothing(tmp_path: Path) -> None:
    with menpai.Library.build(ROWS, tmp_path / "lib", crs="wgs84") as library:
        assert library.remove(["1", "2", "3"]).problems == {"library_id_unknown": 1}
        assert len(library) == 0
        assert library.suggest("文三路") == library.search("文三路123号") == library.nearby(30, 120) == []
        assert library.standardize("文三路123号").candidate is None
        assert library.check() == []
        assert library.add(ROWS[0:1], crs="wgs84").rows == 1
        assert library.compact().rows == 1
        assert library.search("文三路123号", 1)[0].verdict.label == "exact_match"  # type: ignore[union-attr]


def test_words_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="duplicates='newest' is not known"):
        menpai.Library.build(ROWS, tmp_path / "lib", duplicates="newest")
    assert not (tmp_path / "lib").exists()


@pytest.mark.slow
def test_a_worker_that_is_killed_is_named_and_the_build_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingesting, "CHUNK", 100)
    monkeypatch.setattr(ingesting, "_SMALL", 0)
    asked: list[int] = []
    ask = pool.Pool._ask

    def killing(self: pool.Pool, task: Any, told: Any) -> Any:
        asked.append(1)
        if len(asked) == 4:
            os.kill(self._child().pid, signal.SIGKILL)
        return ask(self, task, told)

    monkeypatch.setattr(pool.Pool, "_ask", killing)
    with pytest.raises(NotReadyError, match="ended unexpectedly"):
        take(tmp_path / "lib", entries(900), workers=2, plan={"p": 1})
    report = take(tmp_path / "lib", entries(900), workers=2, plan={"p": 1})
    assert report.resumed >= 100
    assert len(content(tmp_path / "lib")) == 900


@pytest.mark.slow
def test_the_demo_library_is_made_once_and_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    library = menpai.Library.open()
    assert len(library) > 43_000
    assert all(whole for _, whole in check(library.path))
    texts = [one.text for one in library.suggest("北京海淀中关村", 10)]
    assert "北京市海淀区中关村大街" in texts
    assert library.search("海淀区中关村大街27号", 1)[0].record.name == "中关村大厦"
    assert library.nearby(39.917, 116.391, 1)[0].record.name == "故宫博物院"
    manifest = library.path / "manifest.json"
    before = manifest.stat().st_mtime_ns
    menpai.Library.open().close()
    assert manifest.stat().st_mtime_ns == before
    demo.build_demo(tmp_path / "again")
    assert _digests(tmp_path / "again") == _digests(library.path)
    assert {path.name for path in (tmp_path / "menpai").iterdir()} == {library.path.name}


def _digests(folder: Path) -> dict[str, list[Any]]:
    (segment,) = json.loads((folder / "manifest.json").read_text("utf-8"))["segments"]
    files: dict[str, list[Any]] = segment["files"]
    return files


def test_an_index_of_another_version_is_named_and_compact_builds_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lib"
    menpai.Library.build(ROWS, folder, crs="wgs84").close()
    monkeypatch.setattr(grid, "VERSION", grid.VERSION + 1)
    with pytest.raises(menpai.BrokenArtefactError, match=r"the index grid of .* run menpai library compact"):
        menpai.Library.open(folder)
    assert main(["library", "compact", str(folder)]) == 0
    with menpai.Library.open(folder) as library:
        assert library.nearby(30.2741, 120.1305, 1)[0].id == "1"
