"""Where a table comes from: a file or standard input, with a sample, an encoding and text lines."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from menpai.errors import UsageError
from menpai.tables.encodings import find_encoding, reading_encoding

STDIN = "-"
LINE_LIMIT = 1 << 24
_CHUNK = 1 << 18
_ESCAPED = re.compile("[\udc80-\udcff]")  # how surrogateescape keeps a byte
_OTHERS = ("utf-8", "gb18030", "big5hkscs")


@dataclass(slots=True)
class Source:
    """An opened input: the name to show, the ending (`.csv`), the byte stream and its first bytes."""

    name: str
    suffix: str
    stream: BinaryIO
    sample: bytes
    encoding: str = field(default="", init=False)

    def text_lines(self, encoding: str | None = None, strict: bool = False) -> Iterator[str]:
        """The lines with their ends. A byte that is not in the encoding raises with its position in the first line, the
        column names; later it stays in its line as it is (`escaped` finds it), unless `strict`. UTF-16 and UTF-32 always
        raise."""
        self.encoding = reading_encoding(encoding) if encoding else self._find_encoding()
        counted = _Counted(self.stream)
        strict = strict or self.encoding.startswith(("utf-16", "utf-32"))
        errors = "strict" if strict else "surrogateescape"
        text = io.TextIOWrapper(cast(IO[bytes], counted), self.encoding, errors, newline="")
        number = 0
        try:
            while line := text.readline(LINE_LIMIT):
                if len(line) == LINE_LIMIT:
                    raise UsageError("table_line_too_long", path=self.name, line=number, limit=LINE_LIMIT)
                number += 1
                if number == 1:
                    self._check_first(line)
                yield line
        except UnicodeDecodeError as error:
            position = counted.count - len(error.object) + error.start
            raise UsageError("table_undecodable", path=self.name, encoding=error.encoding, position=position,
                             byte=error.object[error.start]) from error  # fmt: skip
        except UnicodeError as error:  # UTF-16 or UTF-32 was asked for, and the text has no mark
            raise UsageError("table_undecodable", path=self.name, encoding=self.encoding, position=0,
                             byte=self.sample[0]) from error  # fmt: skip
        except OSError as error:
            raise UsageError("file_failed", path=self.name, reason=error.strerror or error) from error
        finally:
            text.detach()

    def _check_first(self, line: str) -> None:
        if bad := _ESCAPED.search(line):
            plain = "utf-8" if self.encoding == "utf-8-sig" else self.encoding
            marked = self.sample.startswith(codecs.BOM_UTF8) and plain == "utf-8"
            position = len(line[: bad.start()].encode(plain)) + len(codecs.BOM_UTF8) * marked
            raise UsageError("table_undecodable", path=self.name, encoding=plain, position=position,
                             byte=ord(bad[0]) & 0xFF)  # fmt: skip

    def _find_encoding(self) -> str:
        """By all bytes of a file; by the first ones of a pipe, which cannot be read twice."""
        if not self.stream.seekable():
            return find_encoding([self.sample])
        found = find_encoding(iter(lambda: self.stream.read(_CHUNK), b""))
        self.stream.seek(0)
        return found


def escaped(lines: Iterable[str]) -> bool:
    """Whether a byte that is not in the encoding stands in one of the lines."""
    return any(map(_ESCAPED.search, lines))


def unescaped(text: str, encoding: str) -> str:
    """A text with such bytes as another encoding has it, where one has all of it; else the bytes as \\xff."""
    plain = "utf-8" if encoding == "utf-8-sig" else encoding
    raw = text.encode(plain, "surrogateescape")
    for other in _OTHERS:
        with suppress(UnicodeDecodeError):
            return raw.decode(other)
    return raw.decode(plain, "backslashreplace")


@contextmanager
def open_source(path: str) -> Iterator[Source]:
    """A path, or "-" for standard input, opened for reading; missing files and folders are named."""
    if path == STDIN:
        if sys.stdin is None:
            raise UsageError("file_failed", path="stdin", reason="it is closed")
        yield _sampled("stdin", "", getattr(sys.stdin, "buffer", sys.stdin))
        return
    file = Path(path)
    if not exists(path):
        raise UsageError("file_not_found", path=path if len(path) <= 100 else path[:99] + "…")
    if file.is_dir():
        raise UsageError("file_is_directory", path=path)
    try:
        stream = file.open("rb", buffering=_CHUNK)
    except OSError as error:
        raise UsageError("file_failed", path=path, reason=error.strerror or error) from error
    with stream:
        yield _sampled(path, file.suffix.lower(), stream)


def count_lines(paths: Sequence[str]) -> int:
    """About how many rows there are, for the progress: the line ends of text files; 0 if one is no such file."""
    total = 0
    for path in paths:
        file = Path(path)
        if file.suffix.lower() not in (".csv", ".tsv", ".txt", ".jsonl", ".ndjson") or not file.is_file():
            return 0
        with file.open("rb") as stream:
            total += sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
    return total


def exists(path: str) -> bool:
    """Whether something has this path; a text that cannot be a path (too long, NUL) is none."""
    try:
        return bool(path) and Path(path).exists()
    except (OSError, ValueError):
        return False


def _sampled(name: str, suffix: str, stream: Any) -> Source:
    """The source with the bytes that can be seen without reading on."""
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(stream)
    return Source(name, suffix, buffered, buffered.peek(_CHUNK))


class _Counted(io.BufferedIOBase):
    """A byte stream that knows how much it has given, so that a bad byte can be named by its position."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.count = stream, 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def read1(self, size: int = -1, /) -> bytes:
        """The next bytes, counted."""
        data = cast(io.BufferedReader, self.stream).read1(_CHUNK if size < 0 else size)
        self.count += len(data)
        return data

    def read(self, size: int | None = -1, /) -> bytes:
        """The same."""
        return self.read1(-1 if size is None else size)
