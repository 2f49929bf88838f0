"""The secret of the hashes: a setting, or a file that only its owner reads."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from hashlib import blake2b
from pathlib import Path

from menpai.settings import Settings

NAME = "cache.key"
_LETTERS = 64


def secret_of(settings: Settings, folder: Path) -> bytes:
    """32 bytes: from the setting, else from the key file in the folder, which is made at its first use."""
    given = settings.cache_secret or _from_file(folder / NAME)
    return blake2b(given.encode(), digest_size=32, person=b"menpai cache").digest()


def private_folder(folder: Path) -> None:
    """Make the folder, for its owner alone; one that was there before is left as it is."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _from_file(path: Path) -> str:
    """What the file holds; a new one is written in whole or not at all, and the first of two writers wins."""
    if (found := _read(path)) is not None:
        return found
    private_folder(path.parent)
    try:
        handle, written = tempfile.mkstemp(dir=path.parent, prefix=NAME)  # readable by its owner only
    except OSError as error:
        error.filename = str(path)  # not the name that was tried
        raise
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(_LETTERS // 2))
            file.flush()
            os.fsync(file.fileno())
        _place(Path(written), path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(written)
    found = _read(path)
    if found is None:
        raise OSError(f"{path}: not a key file")
    return found


def _place(written: Path, path: Path) -> None:
    try:
        os.link(written, path)
    except FileExistsError:
        if _read(path) is None:  # what is there is no key
            os.replace(written, path)
    except OSError:  # a file system without links
        os.replace(written, path)


def _read(path: Path) -> str | None:
    try:
        text = path.read_text("ascii").strip()
        if os.name == "posix" and path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except (FileNotFoundError, UnicodeDecodeError):
        return None
    return text if len(text) == _LETTERS else None
