"""The file: bounds, times to live, several processes, kill -9, a full disk, damage; nothing ever wrong, at worst a miss."""

from __future__ import annotations

import contextlib
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from menpai.serving.cache import disk as module
from menpai.serving.cache.disk import DiskStore
from menpai.serving.cache.store import StoreError
from tests.serving.cache.values import KEYS, SCORE, key, values

WRITER = """
import sys
from pathlib import Path
from menpai.serving.cache.disk import DiskStore
from tests.serving.cache.values import values
store = DiskStore(Path(sys.argv[1]), 1e9, 1000)
print("ready", flush=True)
for at in range(int(sys.argv[3])):
    store.put_many(values(*(f"{sys.argv[2]}{at}-{n}" for n in range(20))))
    print(at, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "verdicts.sqlite"


def store_at(path: Path, limit: float = 1e9, seconds: float = 1000) -> DiskStore:
    return DiskStore(path, limit, seconds)


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_what_was_put_is_there_after_a_restart_and_for_its_owner_only(path: Path) -> None:
    store = store_at(path)
    assert store.get_many([key("a")]) == {}
    store.put_many(values("a", "b"))
    assert {file.name for file in path.parent.iterdir()} == {path.name + end for end in ("", "-wal", "-shm")}
    for file in [path.parent, *path.parent.iterdir()]:
        assert not stat.S_IMODE(file.stat().st_mode) & 0o077
    store.close()
    again = store_at(path)
    assert again.get_many([key("a"), key("x"), key("b")]) == values("a", "b")
    again.close()


def test_a_file_open_to_others_is_closed_to_them(path: Path) -> None:
    path.parent.mkdir()
    path.touch(0o666)
    path.chmod(0o666)
    store = store_at(path)
    store.put_many(values("a"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    store.close()


def test_no_text_is_in_the_file(path: Path) -> None:
    store = store_at(path)
    store.put_many(values("文三路123号海月花园", "secret-latin"))
    store.close()
    held = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for text in ("文三路", "海月", "secret"):
        assert text.encode() not in held
        assert text.encode("utf-16-le") not in held


def test_a_verdict_lives_as_long_as_it_may(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(module, "time", lambda: now[0])
    store = store_at(path, seconds=60)
    store.put_many(values("a"))
    now[0] += 59
    assert store.get_many([key("a")])
    now[0] += 3
    assert store.get_many([key("a")]) == {}
    for _ in range(module.TRIM_EVERY):
        store.put_many(values("b"))
    assert store.info().entries == 1
    store.close()


def test_the_file_stays_within_its_bounds_and_the_oldest_go(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(module, "time", lambda: now[0])
    monkeypatch.setattr(module, "TRIM_EVERY", 2)
    monkeypatch.setattr(module, "TRIM_ROWS", 100)
    store = store_at(path, limit=200_000, seconds=1e6)
    for round_ in range(40):
        now[0] += 10
        store.put_many(values(*(f"{round_}-{n}" for n in range(200))))
    first, last = ([key(f"{at}-{n}") for n in range(200)] for at in (0, 39))
    assert store.get_many(first) == {}
    assert len(store.get_many(last)) == 200
    store.clear(b"\0" * 8)  # empties the log into the file
    assert path.stat().st_size <= 260_000
    store.close()


def test_an_address_is_forgotten_with_every_pair_it_is_in(path: Path) -> None:
    store = store_at(path)
    pairs = [("甲", "乙"), ("乙", "甲"), ("甲", "甲"), ("乙", "丙")]
    keys = [KEYS.pair("realm", *pair) for pair in pairs]
    store.put_many({each: KEYS.seal(each, SCORE) for each in keys})
    before = store.generation()
    assert store.clear(KEYS.address("甲")) == 3
    assert set(store.get_many(keys)) == {keys[3]}
    assert store.generation() != before
    assert store.clear() == 1
    assert store.info().entries == 0
    store.close()


def test_a_file_that_is_not_there_is_not_made_by_asking(path: Path) -> None:
    assert (store_at(path).info().entries, store_at(path).clear()) == (0, 0)
    assert not path.exists()


def test_a_file_taken_away_is_begun_anew(path: Path) -> None:
    store = store_at(path)
    store.put_many(values("a"))
    for file in path.parent.iterdir():
        file.unlink()
    store.generation()
    store.put_many(values("b"))
    assert store.get_many([key("a"), key("b")]) == values("b")
    assert path.exists()
    store.close()


@pytest.mark.parametrize("damage", ["not a database", "zeros", "cut", "flipped"])
def test_a_damaged_file_is_moved_aside_or_misses_and_never_lies(path: Path, damage: str) -> None:
    store = store_at(path)
    texts = [f"文三路{n}号" for n in range(500)]
    store.put_many(values(*texts))
    store.close()
    whole = path.read_bytes()
    middle = bytes(byte ^ 0x5A for byte in whole[4096:])
    path.write_bytes(
        {
            "not a database": b"nothing of the kind " * 1000,
            "zeros": bytes(len(whole)),
            "cut": whole[: len(whole) // 2 + 100],
            "flipped": whole[:4096] + middle,
        }[damage]
    )
    wanted = values(*texts)
    broken = store_at(path)
    for _ in range(4):  # a try may fail; the next one finds a file that works
        try:
            found = broken.get_many(list(wanted))
            assert all(KEYS.unseal(each, value) in (None, SCORE) for each, value in found.items())
            broken.put_many(values("new"))
        except StoreError:
            continue
    assert broken.get_many([key("new")]) == values("new")
    if damage != "zeros":
        assert path.with_name(path.name + module.BROKEN).exists()
    broken.close()


@pytest.mark.parametrize("kind", ["table", "layout", "text"])
def test_what_belongs_to_somebody_else_is_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("notes.csv" if kind == "text" else "shop.db")
    if kind == "text":
        path.write_text("id,address\n" * 200)
    else:
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.executescript("PRAGMA user_version = 2" if kind == "layout" else "CREATE TABLE t (x)")
    before = path.read_bytes()
    store = store_at(path)
    for _ in range(3):
        with pytest.raises(StoreError):
            store.put_many(values("a"))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_two_threads_read_and_write_side_by_side(path: Path) -> None:
    store = store_at(path)
    store.put_many(values("a"))

    def read(_: int) -> bool:
        return store.get_many([key("a")]) == values("a")

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(lambda: [store.put_many(values(f"{n}")) for n in range(100)])
        assert all(map(read, range(200)))
        writing.result()
    assert store.info().entries == 101
    store.close()


@pytest.mark.slow
def test_two_processes_write_and_a_third_reads_all(path: Path) -> None:
    both = [writer(path, name, 10) for name in ("x", "y")]
    for process in both:
        process.communicate()
        assert process.returncode == 0
    store = store_at(path)
    texts = [f"{name}{at}-{n}" for name in ("x", "y") for at in range(10) for n in range(20)]
    assert store.get_many([key(text) for text in texts]) == values(*texts)
    store.close()


@pytest.mark.slow
def test_a_process_killed_while_it_writes_leaves_a_whole_file(path: Path) -> None:
    done = -1
    for _ in range(2):
        process = writer(path, "k", 100_000)
        assert process.stdout is not None
        while done < 3:
            done = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = store_at(path)
        texts = [f"k{at}-{n}" for at in range(done + 1) for n in range(20)]
        found = store.get_many([key(text) for text in texts])
        assert found == values(*texts)
        store.put_many(values("after"))
        assert not path.with_name(path.name + module.BROKEN).exists()
        store.close()


def fill(store: DiskStore) -> None:
    for at in range(200):
        store.put_many(values(*(f"{at}-{n}" for n in range(50))))


def test_a_full_disk_is_told_and_reading_goes_on(path: Path) -> None:
    store = store_at(path)
    store.put_many(values("a"))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(StoreError):
            fill(store)
        assert store.get_many([key("a")]) == values("a")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    store.put_many(values("b"))
    assert store.get_many([key("a"), key("b")]) == values("a", "b")
    store.close()


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(StoreError):
        store_at(blocked / "verdicts.sqlite").put_many(values("a"))


def test_a_lock_held_by_another_costs_a_reader_nothing(path: Path) -> None:
    store, other = store_at(path), store_at(path)
    store.put_many(values("a"))
    other.get_many([])
    connection = other._open["read"][0]
    connection.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    assert store.get_many([key("a")]) == values("a")
    assert time.monotonic() - started < 1
    connection.execute("ROLLBACK")
    store.close()
    other.close()
