"""Files that are written whole: synced to the disk, renamed into place, and known by their digests."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

_WINDOWS = sys.platform == "win32"
# Another program (a reader, a virus scanner) may hold the target open for a moment on Windows.
_TRIES = 50
_PAUSE = 0.02


def write_whole(target: Path, data: bytes) -> None:
    """The bytes at `target`, all or nothing, even if the power fails."""
    part = target.with_name(target.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    move(part, target)
    sync_folder(target.parent)


def move(source: Path, target: Path) -> None:
    """Rename over the target; on Windows, again while somebody holds it."""
    for left in reversed(range(_TRIES if _WINDOWS else 1)):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if not left:
                raise
            time.sleep(_PAUSE)


def sync_tree(folder: Path) -> None:
    """Everything in a folder on the disk."""
    for path in walk(folder):
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    for parent in {path.parent for path in walk(folder)} | {folder}:
        sync_folder(parent)


def sync_folder(folder: Path) -> None:
    """The names in a folder on the disk; Windows has no such call and needs none."""
    if _WINDOWS:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def walk(folder: Path) -> Iterator[Path]:
    """The files of a folder and its subfolders, in order."""
    yield from sorted(path for path in folder.rglob("*") if path.is_file())


def digest(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests(folder: Path) -> dict[str, tuple[int, str]]:
    """Relative name → (bytes, SHA-256) of every file in a folder."""
    return {path.relative_to(folder).as_posix(): (path.stat().st_size, digest(path)) for path in walk(folder)}


def remove_tree(path: Path) -> None:
    """Delete a file or folder as far as it can be; what a reader holds on Windows goes at the next change."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            return
