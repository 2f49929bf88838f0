"""The hidden folder beside an output while it is made: a lock, the part that is written, the journal of what is done.

`out.csv` has `.out.csv.menpai/`. It goes when the output is there; after a run that was cut off the journal stays.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from menpai.errors import UsageError
from menpai.search.lock import try_lock, unlock

LOCK, PART, JOURNAL, TEMPORARY = "lock", "part", "journal", "tmp"
_LONGEST = 200  # bytes of a name that the folder's own name repeats


def folder_of(target: Path) -> Path:
    """The folder of an output, whether it is there or not."""
    name = target.name
    if len(os.fsencode(name)) > _LONGEST:
        name = hashlib.blake2b(os.fsencode(name), digest_size=8).hexdigest()
    return target.with_name(f".{name}.menpai")


@contextmanager
def workroom(target: Path) -> Iterator[Path]:
    """The folder, held by this process alone; UsageError if another one is writing the same output.

    What an earlier run left there is gone, but its journal; at the end all is gone, but a journal if the block failed.
    """
    folder = folder_of(target)
    handle = _hold(folder, target)
    try:
        _clear(folder, {LOCK, JOURNAL})
        (folder / TEMPORARY).mkdir()
        yield folder
    except BaseException:
        _clear(folder, {LOCK, JOURNAL})
        _leave(folder, handle)
        raise
    _clear(folder, {LOCK})
    _leave(folder, handle)


def _hold(folder: Path, target: Path) -> int:
    """The open lock of the folder; made again where another run has just removed it."""
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_owner(folder)
        try:
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:
            continue
        if not _locks(handle):
            os.close(handle)
            raise UsageError("output_busy", path=str(target))
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), (folder / LOCK).stat()):
                return handle
        os.close(handle)


def _check_owner(folder: Path) -> None:
    """In a place where others may write, a folder, or a link, that somebody else has put there is not used."""
    found = folder.lstat()
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or not stat.S_ISDIR(found.st_mode)):
        raise UsageError("output_forbidden", path=str(folder), reason=os.strerror(errno.EPERM))


def _locks(handle: int) -> bool:
    """Whether the lock is ours; a file system that knows no locks lets everybody write."""
    try:
        return try_lock(handle)
    except OSError:
        return True


def _clear(folder: Path, kept: set[str]) -> None:
    with suppress(OSError):
        for path in folder.iterdir():
            if path.name not in kept:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _leave(folder: Path, handle: int) -> None:
    """Give the folder up, and remove it if nothing is left in it. Windows removes no file that is open."""
    with suppress(OSError):
        empty = {path.name for path in folder.iterdir()} <= {LOCK}
        if empty and os.name != "nt":
            _remove(folder)
        unlock(handle)
        os.close(handle)
        if empty and os.name == "nt":
            _remove(folder)


def _remove(folder: Path) -> None:
    (folder / LOCK).unlink()
    folder.rmdir()
