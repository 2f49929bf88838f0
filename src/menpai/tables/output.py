"""Files that appear whole or not at all, and standard output."""

from __future__ import annotations

import io
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from menpai.errors import UsageError
from menpai.tables.source import STDIN

STDOUT = "-"


def text_writer(stream: BinaryIO, encoding: str) -> io.TextIOWrapper:
    """A text stream over bytes. What the encoding lacks is written as \\uXXXX: no row is lost for it."""
    return io.TextIOWrapper(cast(IO[bytes], stream), encoding, errors="backslashreplace", newline="")


@contextmanager
def open_output(path: str, source: str | None = None) -> Iterator[BinaryIO]:
    """The bytes of a new file at `path`, which takes its place only when the block ends well.

    "-" is standard output; devices and pipes are written directly. `source`, the input, is never overwritten.
    """
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    _check(target, path, source)
    try:
        with _direct(target) if _is_device(target) else _replacing(target) as stream:
            yield stream
    except OSError as error:
        raise UsageError("file_failed", path=path, reason=error.strerror or error) from error


def _check(target: Path, path: str, source: str | None) -> None:
    if target.is_dir():
        raise UsageError("file_is_directory", path=path)
    if not target.parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(target.parent))
    try:
        found = target.stat()
    except FileNotFoundError:
        return
    except OSError as error:  # such as a link to itself
        raise UsageError("file_failed", path=path, reason=error.strerror or error) from error
    if target.is_file() and source is not None and _is_same(found, source):
        raise UsageError("output_is_input", path=path)


def _is_same(found: os.stat_result, source: str) -> bool:
    """Whether a file is the input, by its name or as the file that standard input reads."""
    try:
        return os.path.samestat(
            found, os.fstat(sys.stdin.fileno()) if source == STDIN else Path(source).stat()
        )
    except (OSError, ValueError, AttributeError):  # no such file; standard input is closed or no file
        return False


def _is_device(target: Path) -> bool:
    return target.exists() and not target.is_file()


@contextmanager
def _direct(target: Path) -> Iterator[BinaryIO]:
    with target.open("wb") as stream:
        yield stream


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    """A temporary file in the same folder, moved over the target at the end, removed on any failure."""
    target = target.resolve()
    # Named before it is made: a signal may come as soon as it is there.
    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb", opener=_private) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
