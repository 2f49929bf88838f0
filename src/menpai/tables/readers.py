"""Readers of tables by format: one file and one line in READERS for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from menpai.errors import UsageError
from menpai.tables import delimited, excel, json_lines, parquet
from menpai.tables.source import Source, open_source
from menpai.tables.sql import is_url, open_sql
from menpai.tables.table import ReadOptions, Table

Reader = Callable[[Source, ReadOptions], Table]

READERS: dict[str, Reader] = {
    ".csv": delimited.read,
    ".tsv": delimited.read,
    ".txt": delimited.read,
    ".jsonl": json_lines.read,
    ".ndjson": json_lines.read,
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), excel.read),
    **dict.fromkeys((".parquet", ".pq"), parquet.read),
}
# First bytes of files that are no text, and the format that they are read as, whatever their name.
_BINARY = {b"PK\x03\x04": ".xlsx", b"\xd0\xcf\x11\xe0": ".xls", b"PAR1": ".parquet"}
_FOREIGN = {b"%PDF": "PDF", b"\x1f\x8b": "gzip"}


@contextmanager
def open_table(path: str, options: ReadOptions | None = None) -> Iterator[Table]:
    """The table of a path ("-" is standard input) or of a database's URL, read while the block lasts."""
    if is_url(path):
        with open_sql(path) as table:
            yield table
        return
    with open_source(path) as source:
        format_ = _format_of(source)
        if not source.sample:
            raise UsageError("table_empty", path=source.name)
        source.suffix = format_
        yield READERS[format_](source, options or ReadOptions())


def is_table_name(text: str) -> bool:
    """Whether a text ends like the name of a table that can be read, or is the URL of a database."""
    return text.lower().endswith(tuple(READERS)) or is_url(text)


def _format_of(source: Source) -> str:
    """The ending of the format; content decides where the ending is unknown, and always against binaries."""
    start = source.sample.lstrip(b"\xef\xbb\xbf \r\n\t")
    foreign = next((name for magic, name in _FOREIGN.items() if source.sample.startswith(magic)), None)
    if source.suffix == ".json" and start.startswith(b"["):
        foreign = "JSON array"
    if foreign is not None:
        raise UsageError("table_format_unknown", path=source.name, format=foreign, known=" ".join(READERS))
    binary = next((name for magic, name in _BINARY.items() if source.sample.startswith(magic)), None)
    if binary is not None:
        return source.suffix if READERS.get(source.suffix) is READERS[binary] else binary
    if source.suffix in READERS:
        return source.suffix
    return ".jsonl" if start.startswith(b"{") else ".csv"
