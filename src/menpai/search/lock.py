"""One writer at a time: a lock on a file, held across processes and dropped by the system when a process dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from menpai.errors import NotReadyError

NAME = "lock"
_PAUSE = 0.05


@contextmanager
def writer_lock(folder: Path, wait: float) -> Iterator[None]:
    """Hold the library's lock; NotReadyError if another writer keeps it for longer than `wait` seconds."""
    handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        until = time.monotonic() + wait
        while not try_lock(handle):
            if not time.monotonic() < until:  # a wait that is no number ends too
                raise NotReadyError("library_locked", path=str(folder), seconds=f"{wait:g}")
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            unlock(handle)
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: int) -> bool:
        """Whether this process has the file for itself now."""
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Let others have it."""
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(handle: int) -> bool:
        """Whether this process has the file for itself now."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Let others have it."""
        fcntl.flock(handle, fcntl.LOCK_UN)
