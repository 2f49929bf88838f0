"""Taking rows in: what is wrong with them, what ids decide, and what an interrupted run leaves.

Long because: each fault of a source is a small test of its own, and they share one table of sources.
"""

from __future__ import annotations

import errno
import json
import math
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from menpai.errors import BrokenArtefactError, NotReadyError, UsageError
from menpai.search import columns, store, tiers
from menpai.search import compact as compacting
from menpai.search import ingest as ingesting
from menpai.search.changes import writing
from menpai.search.compact import check, compact, remove_rows
from menpai.search.ingest import Order, Source, ingest
from menpai.search.manifest import NAME, read_manifest
from menpai.search.store import open_view
from menpai.search.values import Entry, Trouble
from tests.search.libraries import content, entries, take

pytestmark = pytest.mark.usefixtures("bare")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "library"


def test_rows_come_back_sorted_and_whole(folder: Path) -> None:
    rows = [
        Entry("b", "杭州市西湖区文三路 9 号", "数源科技", 30.27, 120.13, 2.5, '{"电话":"0571"}', 1),
        Entry("a", "杭州市西湖区文三路１０号", line=2),
        Entry("", "", "西湖", line=3),
    ]
    take(folder, rows)
    (shard,) = open_view(folder)[1].shards
    segment = shard.segment
    assert list(segment.keys) == ["", "杭州市西湖区文三路10号", "杭州市西湖区文三路9号"]
    assert [segment.ids[row] for row in segment.id_order] == ["#1", "a", "b"]
    assert [one.to_dict() for one in segment.records()] == [
        {"id": "#1", "name": "西湖", "weight": 1.0},
        {"id": "a", "text": "杭州市西湖区文三路１０号", "weight": 1.0, "division": "330106"},
        {"id": "b", "text": "杭州市西湖区文三路 9 号", "name": "数源科技", "lat": 30.27, "lon": 120.13,
         "weight": 2.5, "division": "330106", "payload": {"电话": "0571"}},
    ]  # fmt: skip
    assert segment.cuts(1) == [(9, "city"), (18, "district"), (27, "road"), (32, "roadno")]
    assert segment.keys.prefix_range("杭州市西湖区文三路1") == (1, 2)
    assert segment.keys.prefix_range("杭州市西湖区文三路") == (1, 3)
    assert segment.keys.prefix_range("上海") == (1, 1)


def test_points_that_cannot_be_right(folder: Path) -> None:
    places = [(120.13, 30.27), (math.nan, 120.0), (0.0, 0.0), (95.0, 200.0), (39.9, 116.4), (30.27, None)]
    rows = [
        Entry(str(n), "杭州市西湖区文三路1号", lat=lat, lon=lon, line=n)
        for n, (lat, lon) in enumerate(places)
    ]
    told: list[Trouble] = []
    ingest(folder, [Source("s", rows)], Order(), on_trouble=told.append)
    assert [(t.line, t.problem.code) for t in told] == [
        (0, "point_swapped"), (1, "point_invalid"), (2, "point_invalid"), (3, "point_invalid"),
        (4, "point_far"), (5, "point_invalid"),
    ]  # fmt: skip
    assert "北京" not in told[4].problem.message
    assert "西湖区" in told[4].problem.message
    found = {one.id: (one.lat, one.lon) for one in open_view(folder)[1].shards[0].segment.records()}
    assert found.pop("0") == (30.27, 120.13)
    assert set(found.values()) == {(None, None)}


def test_columns_that_bear_each_others_name_are_told_once(folder: Path) -> None:
    rows = [row._replace(lat=row.lon, lon=row.lat) for row in entries(30)]
    told: list[Trouble] = []
    report = ingest(folder, [Source("s", rows)], Order(), on_trouble=told.append)
    assert report.problems == {"columns_swapped": 1}
    assert (told[0].line, told[0].problem.details) == (1, {"count": 30})
    found = {one.id: one.lat for one in open_view(folder)[1].shards[0].segment.records()}
    assert found == {row.id: row.lat for row in entries(30)}


def test_rows_that_cannot_be_taken(folder: Path) -> None:
    rows = [
        Entry("a", "文三路1号", line=1), Entry("b", "123", line=2), Entry("c", "路" * 1001, line=3),
        Entry("d", "文三路\ud8001号", line=4), Entry("e", "==", line=5), Entry("f", "N/A", line=6),
    ]  # fmt: skip
    report = take(folder, rows)
    assert report.rows == 1
    assert report.problems == {
        "address_unreadable": 2,
        "address_too_long": 1,
        "address_bad_encoding": 1,
        "address_empty": 1,
    }


def test_nothing_to_take_leaves_the_old_library(folder: Path) -> None:
    take(folder, entries(3))
    with pytest.raises(UsageError, match=r"no row could be taken in \(1 had problems\)"):
        take(folder, [Entry("a", "123", line=1)])
    assert len(content(folder)) == 3


def test_a_library_that_could_not_begin_leaves_nothing(folder: Path) -> None:
    def broken() -> Iterator[Entry]:
        yield Entry("a", "文三路1号", line=1)
        raise UsageError("file_not_found", path="rows.csv")

    with pytest.raises(UsageError, match=r"rows\.csv"):
        take(folder, broken())
    assert not folder.exists()
    folder.mkdir()
    with pytest.raises(UsageError, match=r"rows\.csv"):
        take(folder, broken())
    take(folder, entries(2))
    assert len(content(folder)) == 2


def test_ids_that_occur_again(folder: Path) -> None:
    rows = [Entry("x", "文三路1号", line=2), Entry("y", "文三路2号", line=3), Entry("x", "古墩路3号", line=9)]
    with pytest.raises(UsageError, match=r"1 ids occur more than once: x \(2, 9\)"):
        take(folder, rows)
    with pytest.raises(NotReadyError, match="was not finished"):
        open_view(folder)
    take(folder, rows, duplicates="last")
    assert content(folder) == {"x": "古墩路3号", "y": "文三路2号"}
    assert take(folder, rows, duplicates="first").problems == {"row_repeated": 1}
    assert content(folder) == {"x": "文三路1号", "y": "文三路2号"}


def test_ids_that_are_there(folder: Path) -> None:
    take(folder, entries(3))
    with pytest.raises(UsageError, match="1 ids are in the library already: r2"):
        take(folder, entries(2, 2), "add")
    assert len(content(folder)) == 3
    assert take(folder, entries(2, 2), "add", duplicates="first").problems == {"row_taken": 1}
    changed = [Entry("r0", "古墩路9号", line=1)]
    assert take(folder, changed, "add", duplicates="last").replaced == 1
    assert take(folder, changed, "update").replaced == 1
    assert content(folder)["r0"] == "古墩路9号"


def test_rows_without_id_are_numbered_on(folder: Path) -> None:
    for mode in ("build", "add", "add"):
        take(folder, [Entry("", "文三路1号", line=1), Entry("", "文三路2号", line=2)], mode)  # type: ignore[arg-type]
    assert sorted(content(folder)) == [f"#{n}" for n in range(1, 7)]


def test_many_additions_do_not_make_many_segments(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "FANOUT", 3)
    take(folder, entries(20))
    for n in range(8):
        take(folder, entries(2, 1000 + 2 * n), "add")
    manifest = read_manifest(folder)
    assert manifest.rows == 36
    assert len(manifest.segments) < 6
    assert compact(folder)[1].rows == 36
    assert len(read_manifest(folder).segments) == 1
    before, after = compact(folder)
    assert before is after


def test_no_segment_grows_beyond_what_can_be_merged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "FANOUT", 3)
    monkeypatch.setattr(tiers, "MOST_ROWS", 8)
    take(folder, entries(5))
    for n in range(8):
        take(folder, entries(3, 1000 + 3 * n), "add")
    for _ in range(2):
        rows = [entry.rows for entry in read_manifest(folder).segments]
        assert sum(rows) == 29
        assert max(rows) <= 8
        compact(folder)
    assert len(content(folder)) == 29


def test_all_rows_removed_is_an_empty_library(folder: Path) -> None:
    take(folder, entries(3))
    assert remove_rows(folder, ["r0", "r1", "r2"]) == (3, [])
    assert content(folder) == {}
    assert compact(folder)[1].rows == 0
    take(folder, entries(1), "add")
    assert len(content(folder)) == 1


def test_a_run_that_was_killed_goes_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "CHUNK", 10)
    rows, read = entries(45), []

    def lost(stop: int) -> Iterator[Entry]:
        for at, row in enumerate(rows):
            if at == stop:
                raise KeyboardInterrupt
            read.append(at)
            yield row

    plan = {"files": ["a"]}
    with pytest.raises(KeyboardInterrupt):
        take(folder, lost(35), plan=plan)
    with pytest.raises(NotReadyError, match="was not finished"):
        open_view(folder)
    assert take(folder, rows, plan=plan).resumed == 30
    assert len(content(folder)) == 45
    assert not (folder / "build").exists()


def test_another_plan_starts_anew_and_a_damaged_chunk_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingesting, "CHUNK", 10)
    repeated = [*entries(25), Entry("r0", "文三路1号", line=99)]
    with pytest.raises(UsageError):
        take(folder, repeated, plan={"files": ["a"]})
    chunk = next((folder / "build").glob("*/000002/keys.bin"))
    chunk.write_bytes(b"\0" + chunk.read_bytes()[1:])
    report = take(folder, repeated, plan={"files": ["a"]}, duplicates="first")
    assert (report.resumed, report.rows) == (16, 25)
    assert take(folder, entries(25), plan={"files": ["b"]}).resumed == 0


def test_one_writer_at_a_time_and_readers_all_the_time(folder: Path) -> None:
    take(folder, entries(3))
    with writing(folder):
        with pytest.raises(NotReadyError, match=r"another program is changing .* waited for 0\.1 s"):
            take(folder, entries(1, 9), "add", wait=0.1)
        assert len(content(folder)) == 3
    take(folder, entries(1, 9), "add", wait=0.1)


@pytest.mark.parametrize(
    ("edit", "error", "message"),
    [
        (
            lambda table: table | {"format": 99},
            BrokenArtefactError,
            "has format 99, this version reads 1; upgrade menpai",
        ),
        (lambda table: table | {"format": 0}, BrokenArtefactError, "old format 0.*build it again"),
        (lambda table: table | {"next_number": 7}, BrokenArtefactError, "is damaged: manifest.json"),
        (lambda _: [], BrokenArtefactError, "is damaged: manifest.json"),
    ],
)
def test_manifests_that_cannot_be_used(folder: Path, edit, error, message) -> None:  # type: ignore[no-untyped-def]
    take(folder, entries(2))
    path = folder / NAME
    path.write_text(json.dumps(edit(json.loads(path.read_text("utf-8")))), "utf-8")
    with pytest.raises(error, match=message):
        open_view(folder)


def test_places_that_are_no_library(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no library"):
        open_view(tmp_path / "none")
    with pytest.raises(UsageError, match="is no library"):
        open_view(tmp_path)
    (tmp_path / "s1-notes.txt").write_text("mine", "utf-8")
    with pytest.raises(UsageError, match="holds other files"):
        take(tmp_path, entries(1))
    with pytest.raises(UsageError, match="holds other files"):
        take(tmp_path / "s1-notes.txt", entries(1))
    with pytest.raises(UsageError, match=r"the folder .* does not exist"):
        take(tmp_path / "no" / "library", entries(1))
    assert (tmp_path / "s1-notes.txt").read_text("utf-8") == "mine"


@pytest.mark.parametrize("text", ["{", '{"format": 99}', '{"format": 0}', ""])
def test_a_build_replaces_what_cannot_be_read(folder: Path, text: str) -> None:
    take(folder, entries(2))
    (folder / NAME).write_text(text, "utf-8")
    with pytest.raises(BrokenArtefactError):
        take(folder, entries(3), "add")
    before = sorted(folder.iterdir())
    with pytest.raises(UsageError, match="no row"):
        take(folder, [])
    assert sorted(path for path in folder.iterdir() if path.name != "build") == before
    take(folder, entries(3))
    assert len(content(folder)) == 3
    assert len(list(folder.glob("s*"))) == 1


@pytest.mark.parametrize("other", [(), ("page.html",), ("page.html", "s1-0123abcd")])
def test_the_manifest_of_something_else_stays(tmp_path: Path, other: tuple[str, ...]) -> None:
    for name in (*other, NAME):
        (tmp_path / name).write_text('{"name": "mine"}', "utf-8")
    for _ in range(2):
        with pytest.raises((BrokenArtefactError, UsageError), match=r"is damaged|holds other files"):
            take(tmp_path, entries(1))
    assert all((tmp_path / name).read_text("utf-8") == '{"name": "mine"}' for name in (*other, NAME))


def test_what_may_not_be_read_is_not_called_damaged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take(folder, entries(2))

    def refused(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(compacting, "digest", refused)
    with pytest.raises(UsageError, match=r"cannot read or write .*Permission denied"):
        list(check(folder))
    monkeypatch.setattr(store, "open_segment", refused)
    with pytest.raises(UsageError, match=r"cannot read or write .*Permission denied"):
        open_view(folder)


def test_a_wait_that_is_no_number_ends(folder: Path) -> None:
    take(folder, entries(1))
    with writing(folder), pytest.raises(NotReadyError):
        take(folder, entries(1, 9), "add", wait=math.nan)


def test_a_payload_is_json_for_everybody(folder: Path) -> None:
    take(folder, [Entry("a", "杭州市西湖区文三路1号", payload='{"n": NaN, "m": [-Infinity, 2]}')])
    (record,) = open_view(folder)[1].shards[0].segment.records()
    assert record.payload == {"n": None, "m": [None, 2]}


def test_check_names_the_file_and_opening_sees_a_short_one(folder: Path) -> None:
    take(folder, entries(20))
    remove_rows(folder, ["r1"])
    assert all(whole for _, whole in check(folder))
    keys = next(folder.glob("s*/keys.bin"))
    written = keys.read_bytes()
    keys.write_bytes(b"\0" + written[1:])
    assert [name for name, whole in check(folder) if not whole] == [f"{keys.parent.name}/keys.bin"]
    keys.write_bytes(written[:-1])
    with pytest.raises(BrokenArtefactError, match=r"is damaged: s1-.*/keys\.bin"):
        open_view(folder)
    keys.unlink()
    with pytest.raises(BrokenArtefactError, match="is damaged: "):
        open_view(folder)
    keys.write_bytes(written)
    dead = next(folder.glob("dead-*"))
    dead.write_bytes(b"")
    with pytest.raises(BrokenArtefactError, match="is damaged: dead-"):
        open_view(folder)


def test_more_chunks_than_a_process_may_have_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "CHUNK", 5)
    monkeypatch.setattr(columns, "SMALL", 128)  # nothing but empty columns
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 30, most))
    try:
        take(folder, entries(250))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
    assert len(content(folder)) == 250
