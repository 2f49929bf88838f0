"""Files that appear whole or not at all, and standard output."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, NamedTuple, cast

from menpai.errors import UsageError
from menpai.tables.source import STDIN
from menpai.tables.workroom import PART, workroom

STDOUT = "-"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Output(NamedTuple):
    """The bytes of an output, and the hidden folder beside it; None for what is written directly."""

    stream: BinaryIO
    folder: Path | None


def text_writer(stream: BinaryIO, encoding: str) -> io.TextIOWrapper:
    """A text stream over bytes. What the encoding lacks is written as \\uXXXX: no row is lost for it."""
    return io.TextIOWrapper(cast(IO[bytes], stream), encoding, errors="backslashreplace", newline="")


@contextmanager
def open_output(path: str, source: str | None = None) -> Iterator[BinaryIO]:
    """The bytes of a new file at `path`, which takes its place only when the block ends well.

    "-" is standard output; devices and pipes are written directly. `source`, the input, is never overwritten.
    """
    with open_place(path, source) as output:
        yield output.stream


@contextmanager
def open_place(path: str, source: str | None = None) -> Iterator[Output]:
    """The same with the hidden folder beside the file."""
    if path == STDOUT:
        yield Output(sys.stdout.buffer, None)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    _check(target, path, source)
    try:
        with _direct(target) if _is_device(target) else _replacing(target) as output:
            yield output
    except OSError as error:
        raise failed(path, error) from error


def failed(path: str, error: OSError) -> UsageError:
    """What a system's error on writing means: no room, a file that another program has open, no permission."""
    reason = error.strerror or error
    if error.errno in _FULL:
        return UsageError("disk_full", path=path, reason=reason)
    if isinstance(error, PermissionError) and os.name == "nt":
        return UsageError("output_open", path=path)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return UsageError("output_forbidden", path=path, reason=reason)
    return UsageError("file_failed", path=path, reason=reason)


def _check(target: Path, path: str, source: str | None) -> None:
    if target.is_dir():
        raise UsageError("file_is_directory", path=path)
    if not target.parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(target.parent))
    if is_open_in_office(target):
        raise UsageError("output_open", path=path)
    try:
        found = target.stat()
    except FileNotFoundError:
        return
    except OSError as error:  # such as a link to itself
        raise UsageError("file_failed", path=path, reason=error.strerror or error) from error
    if target.is_file() and source is not None and _is_same(found, source):
        raise UsageError("output_is_input", path=path)
    if target.is_file() and not found.st_mode & 0o222:
        raise UsageError("output_forbidden", path=path, reason=os.strerror(errno.EACCES))
    if (
        target.is_file() and os.name == "nt"
    ):  # a file that is open elsewhere is found before the work, not after
        try:
            target.open("r+b").close()
        except OSError as error:
            raise failed(path, error) from error


def is_open_in_office(target: Path) -> bool:
    """Whether Excel (`~$name.xlsx`) or LibreOffice (`.~lock.name.xlsx#`) has a file open: they say so beside it."""
    name = target.name
    marks = (f"~${name}", f"~${name[2:]}", f".~lock.{name}#")  # a long name loses its first two characters
    return target.suffix.lower() in (".xlsx", ".csv") and any(
        os.path.isfile(target.with_name(mark)) for mark in marks
    )


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
def _direct(target: Path) -> Iterator[Output]:
    with target.open("wb") as stream:
        yield Output(stream, None)


@contextmanager
def _replacing(target: Path) -> Iterator[Output]:
    """A part file in the hidden folder, moved over the target at the end, removed on any failure."""
    target = target.resolve()
    with workroom(target) as folder:
        part = folder / PART
        with open(part, "xb", opener=_private) as stream:
            yield Output(stream, folder)
            stream.flush()
            os.fsync(stream.fileno())
        part.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        part.replace(target)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
