"""The file of verdicts: SQLite with a write-ahead log, shared by processes, readable by its owner only.

A row holds hashes, numbers and a time, no text. Rows are found in one statement whatever their number, since each
step of SQLite gives up and takes back the interpreter lock. A file that is broken is moved aside and begun anew.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import time
from typing import TypeVar

from menpai.serving.cache.keys import Key
from menpai.serving.cache.secret import private_folder
from menpai.serving.cache.store import Info, StoreError

Answer = TypeVar("Answer")

LAYOUT = 1
BUSY_SECONDS = {"read": 0.05, "write": 5.0}
TRIM_ROWS = 5000  # deleted in one transaction, so that other processes get their turn
TRIM_EVERY = 20  # writes
TRIM_TO = 0.9  # of the largest size
BROKEN = ".broken"
OWN = {
    ".sqlite",
    ".sqlite3",
    ".db",
}  # a broken file of another name may be something else that was named by mistake
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_TABLES = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdict (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL,
    expires INTEGER NOT NULL, value BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS verdict_expires ON verdict (expires);
INSERT OR IGNORE INTO meta VALUES ('cleared', 0);
PRAGMA user_version = 1;
COMMIT;
"""
_GET = """SELECT json_group_array(id || ' ' || hex(value)) FROM verdict
    WHERE id IN (SELECT value FROM json_each(?)) AND expires > ?"""
_PUT = "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?)"
_CLEARED = "UPDATE meta SET value = value + 1 WHERE name = 'cleared'"


class DiskStore:
    """Verdicts in a file of at most `limit` bytes, each for `seconds`. Nothing is opened before it is used."""

    name = "disk"

    def __init__(self, path: Path, limit: float, seconds: float) -> None:
        self.path = path
        self._limit = limit
        self._seconds = seconds
        self._open: dict[str, tuple[sqlite3.Connection, int]] = {}
        self._inode = 0
        self._writes = 0
        self._lock = threading.Lock()

    def get_many(self, keys: Sequence[Key]) -> dict[Key, bytes]:
        """The values that are in the file and not too old."""
        by_id = {_number(key.pair): key for key in keys}
        ids = "[" + ",".join(map(str, by_id)) + "]"
        ((rows,),) = self._do("read", lambda it: it.execute(_GET, (ids, int(time()))).fetchall())
        found = (row.strip('"').split(" ") for row in rows[1:-1].split(",") if row)
        return {by_id[int(number)]: bytes.fromhex(value) for number, value in found}

    def put_many(self, values: Mapping[Key, bytes]) -> None:
        """Write the values in one transaction; now and then what is too old or too much is deleted."""
        until = int(time() + self._seconds) + 1
        rows = [
            (_number(key.pair), _number(key.a), _number(key.b), until, value) for key, value in values.items()
        ]
        self._do("write", lambda it: _write(it, rows))
        self._writes += 1
        if self._writes % TRIM_EVERY == 1:
            self._do("write", self._trim)

    def generation(self) -> int:
        """How often somebody cleared the file; a file that was taken away is made anew."""
        with self._lock:
            if self._inode and self._inode != _inode(self.path):
                self._inode = 0
        ((count,),) = self._do(
            "write", lambda it: it.execute("SELECT value FROM meta WHERE name = 'cleared'").fetchall()
        )
        return int(count)

    def clear(self, address: bytes | None = None) -> int:
        """Delete everything, or the pairs with the address of this hash; how many. The room is given back."""
        if not self.path.exists():
            return 0
        where = "" if address is None else " WHERE a = ?1 OR b = ?1"
        hashed = () if address is None else (_number(address),)

        def work(it: sqlite3.Connection) -> int:
            it.execute("PRAGMA secure_delete = ON")
            it.execute("BEGIN IMMEDIATE")
            gone = it.execute("DELETE FROM verdict" + where, hashed).rowcount
            it.execute(_CLEARED)
            it.execute("COMMIT")
            it.execute("PRAGMA incremental_vacuum").fetchall()
            it.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return gone

        return self._do("write", work)

    def info(self) -> Info:
        """Entries and bytes; a file that is not there has none."""
        if not self.path.exists():
            return Info(str(self.path), 0, 0)
        ((count,),) = self._do("write", lambda it: it.execute("SELECT count(*) FROM verdict").fetchall())
        return Info(str(self.path), int(count), sum(size for size in map(_size, self._files())))

    def close(self) -> None:
        """Close the file."""
        for connection, _ in self._open.values():
            with contextlib.suppress(sqlite3.Error):
                connection.close()
        self._open.clear()

    def _do(self, side: str, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Work with a side's connection; whatever SQLite or the system has against it becomes a StoreError."""
        try:
            return work(self._connection(side))
        except (sqlite3.Error, OSError, ValueError) as error:
            connection, inode = self._open.pop(side, (None, 0))
            if connection is not None:
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
            told = StoreError(f"{type(error).__name__}: {error}")
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in _CORRUPT:
                told.moved = self._set_aside(inode or self._inode)
            raise told from error

    def _connection(self, side: str) -> sqlite3.Connection:
        connection, inode = self._open.get(side, (None, 0))
        if connection is not None and inode == self._inode:
            return connection
        if connection is not None:
            connection.close()
        connection, inode = self._connect(side)
        self._open[side] = connection, inode
        with self._lock:
            self._inode = inode
        return connection

    def _connect(self, side: str) -> tuple[sqlite3.Connection, int]:
        """A connection and the file's number; a new file is its owner's alone from its first moment."""
        private_folder(self.path.parent)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            status = os.fstat(handle)
            if os.name == "posix" and status.st_mode & 0o077:
                os.fchmod(handle, 0o600)
        finally:
            os.close(handle)
        self._inode = self._inode or status.st_ino
        it = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS[side], isolation_level=None, check_same_thread=False
        )
        try:
            if _is_new(it):
                it.execute("PRAGMA auto_vacuum = INCREMENTAL")
                it.execute("PRAGMA journal_mode = WAL").fetchall()
                it.executescript(_TABLES)
            it.execute("PRAGMA synchronous = NORMAL")
            it.execute("PRAGMA journal_size_limit = 8000000").fetchall()
        except BaseException:
            it.close()
            raise
        return it, status.st_ino

    def _trim(self, it: sqlite3.Connection) -> None:
        """Delete what is too old, then the oldest until the file is small enough."""
        old = "DELETE FROM verdict WHERE id IN (SELECT id FROM verdict WHERE expires <= ? LIMIT ?)"
        first = "DELETE FROM verdict WHERE id IN (SELECT id FROM verdict ORDER BY expires LIMIT ?)"
        while it.execute(old, (int(time()), TRIM_ROWS)).rowcount == TRIM_ROWS:
            pass
        goal = self._limit if _used(it) <= self._limit else TRIM_TO * self._limit
        while _used(it) > goal and it.execute(first, (TRIM_ROWS,)).rowcount:
            pass
        it.execute("PRAGMA incremental_vacuum").fetchall()

    def _set_aside(self, inode: int) -> bool:
        """Move a broken file away, unless another process has done it; its log goes first, lest a new file read it."""
        moved = False
        with self._lock, contextlib.suppress(OSError):
            if inode == _inode(self.path) and self.path.suffix in OWN:
                for file in reversed(self._files()):
                    with contextlib.suppress(FileNotFoundError):
                        os.replace(file, str(file).replace(self.path.name, self.path.name + BROKEN))
                moved = True
            self._inode = 0
        return moved

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + ending) for ending in ("", "-wal", "-shm")]


def _write(it: sqlite3.Connection, rows: Sequence[tuple[object, ...]]) -> None:
    it.execute("BEGIN IMMEDIATE")
    try:
        it.executemany(_PUT, rows)
        it.execute("COMMIT")
    except BaseException:
        if it.in_transaction:
            it.execute("ROLLBACK")
        raise


def _is_new(it: sqlite3.Connection) -> bool:
    """Whether the database is empty; raises DatabaseError for one of another layout, or of another program."""
    layout = it.execute("PRAGMA user_version").fetchone()[0]
    tables = it.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if layout != LAYOUT and (layout or tables):
        raise sqlite3.DatabaseError("this is another program's database")
    return bool(layout != LAYOUT)


def _used(it: sqlite3.Connection) -> int:
    """Bytes of the pages that are in use."""
    pages, free, size = (
        it.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _number(digest: bytes) -> int:
    """The first eight bytes as SQLite's integer."""
    return int.from_bytes(digest[:8], "little", signed=True)


def _inode(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_ino
    return 0


def _size(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_size
    return 0
