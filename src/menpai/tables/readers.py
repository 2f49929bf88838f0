"""Readers of tables by format: one file and one line in READERS for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from menpai.errors import UsageError
from menpai.tables import delimited, json_lines
from menpai.tables.source import Source, open_source
from menpai.tables.table import ReadOptions, Table

Reader = Callable[[Source, ReadOptions], Table]

READERS: dict[str, Reader] = {
    ".csv": delimited.read,
    ".tsv": delimited.read,
    ".txt": delimited.read,
    ".jsonl": json_lines.read,
    ".ndjson": json_lines.read,
}
# First bytes of files that are no text: ZIP (xlsx), OLE (xls), Parquet, PDF.
_NOT_TEXT = {b"PK\x03\x04": "ZIP/Excel", b"\xd0\xcf\x11\xe0": "Excel 97", b"PAR1": "Parquet", b"%PDF": "PDF"}


@contextmanager
def open_table(path: str, options: ReadOptions | None = None) -> Iterator[Table]:
    """The table of a path ("-" is standard input), read while the block lasts."""
    with open_source(path) as source:
        format_ = _format_of(source)
        if not source.sample:
            raise UsageError("table_empty", path=source.name)
        source.suffix = format_
        yield READERS[format_](source, options or ReadOptions())


def is_table_name(text: str) -> bool:
    """Whether a text ends like the name of a table that can be read."""
    return text.lower().endswith(tuple(READERS))


def _format_of(source: Source) -> str:
    """The ending of the format; content decides where the ending is unknown, and always against binaries."""
    binary = next((name for magic, name in _NOT_TEXT.items() if source.sample.startswith(magic)), None)
    if binary is not None:
        raise UsageError("table_format_unknown", path=source.name, format=binary, known=" ".join(READERS))
    if source.suffix in READERS:
        return source.suffix
    return ".jsonl" if source.sample.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{") else ".csv"
