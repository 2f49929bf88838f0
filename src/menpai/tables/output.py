"""Files that appear whole or not at all, and standard output."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, BinaryIO, cast

from menpai.errors import UsageError

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
    if source is not None and target.exists() and Path(source).exists() and target.samefile(source):
        raise UsageError("output_is_input", path=path)


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
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
