"""Writers of tables by format: one file and one line in WRITERS for each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from menpai.errors import UsageError
from menpai.tables import delimited, excel_writer, json_lines, parquet
from menpai.tables.encodings import checked_encoding
from menpai.tables.journal import FileJournal, Journal, NoJournal, Note
from menpai.tables.output import STDOUT, open_place
from menpai.tables.sql import is_url, shown
from menpai.tables.sql_sink import open_sql_sink
from menpai.tables.table import WriteOptions
from menpai.tables.workroom import JOURNAL, TEMPORARY


class Writer(Protocol):
    """Takes rows of values and turns them into bytes of its format."""

    def write(self, cells: Sequence[Any]) -> None:
        """One row, as many cells as there are columns."""

    def finish(self) -> None:
        """Write what is held back; the stream stays open."""

    def abandon(self) -> None:
        """Let go of everything; what was written is thrown away."""


WRITERS: dict[str, Callable[[BinaryIO, Sequence[str], WriteOptions], Writer]] = {
    ".csv": delimited.Writer,
    ".tsv": delimited.Writer,
    ".txt": delimited.Writer,
    ".jsonl": json_lines.Writer,
    ".ndjson": json_lines.Writer,
    ".xlsx": excel_writer.Writer,
    ".parquet": parquet.Writer,
}
# What standard output may hold without being asked.
TEXTS = frozenset({".csv", ".tsv", ".txt", ".jsonl", ".ndjson"})


@contextmanager
def open_writer(
    path: str, columns: Sequence[str], options: WriteOptions, source: str | None = None
) -> Iterator[Writer]:
    """A writer whose file appears at `path` when the block ends well; `source` is never overwritten."""
    with open_sink(path, columns, options, source) as (writer, _):
        yield writer


@contextmanager
def open_sink(
    path: str,
    columns: Sequence[str],
    options: WriteOptions,
    source: str | None = None,
    fingerprint: str = "",
    note: Note = lambda _: None,
) -> Iterator[tuple[Writer, Journal]]:
    """The same with a journal of what is done, which a run of the same fingerprint goes on from."""
    if is_url(path):
        if path == source:
            raise UsageError("output_is_input", path=shown(path) + "#" + path.partition("#")[2])
        with open_sql_sink(path, columns, options, fingerprint, note) as sink:
            yield sink, sink
            sink.finish()
        return
    options = _settled(path, options)
    with open_place(path, source) as (stream, folder):
        journal = FileJournal(folder / JOURNAL, fingerprint, note) if folder else NoJournal()
        if folder:
            options = replace(options, folder=folder / TEMPORARY)
        writer = WRITERS[options.format](stream, columns, options)
        try:
            yield writer, journal
            writer.finish()
        except BaseException:
            writer.abandon()
            raise


def _settled(path: str, options: WriteOptions) -> WriteOptions:
    """The options with the format of the path's ending and a checked encoding."""
    suffix = Path(path).suffix.lower() if path != STDOUT else options.format
    if suffix and suffix not in WRITERS:
        raise UsageError("table_format_unknown", path=path, format=suffix, known=" ".join(WRITERS))
    encoding = checked_encoding(options.encoding) if options.encoding else None
    if encoding is None and path == STDOUT:
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
    return replace(options, format=suffix or options.format, encoding=encoding)
