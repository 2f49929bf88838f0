"""Parquet: read in batches, written in row groups; a column keeps its type where it has one."""

from __future__ import annotations

import datetime
import decimal
import io
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from menpai.errors import NotReadyError, UsageError
from menpai.tables.cells import encodable, to_text
from menpai.tables.columns import unique_names
from menpai.tables.source import Source
from menpai.tables.table import ReadOptions, Row, Table, WriteOptions

BATCH = 4096
GROUP = 20_000  # rows held until they are written


def read(source: Source, _: ReadOptions) -> Table:
    """The table of a Parquet file. Cells are JSON values: dates and decimals are texts."""
    arrow, parquet = _import()
    stream = source.stream if source.stream.seekable() else io.BytesIO(source.stream.read())
    try:
        file = parquet.ParquetFile(stream)
        columns = tuple(file.schema_arrow.names)
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise _broken(source, error) from error
    if not columns:
        raise UsageError("table_empty", path=source.name)
    rows = _rows(source, file, arrow)
    return Table(source.name, source.suffix, columns, rows, count=file.metadata.num_rows)


class Writer:
    """Writes columns of whole numbers, numbers, truth values, and texts, as the first rows have them."""

    def __init__(self, stream: BinaryIO, columns: Sequence[str], options: WriteOptions) -> None:
        self._arrow, self._parquet = _import()
        self._stream, self._columns, self._language = stream, unique_names(columns), options.language
        self._held: list[list[Any]] = [[] for _ in columns]
        self._file: Any = None

    def write(self, cells: Sequence[Any]) -> None:
        """One row; raises UsageError for a value that its column cannot hold."""
        for column, cell in zip(self._held, cells, strict=True):
            column.append(
                cell
                if isinstance(cell, bool | int | float)
                else encodable(to_text(cell, self._language)) or None
            )
        if self._held and len(self._held[0]) >= GROUP:
            self._flush()

    def finish(self) -> None:
        """Write what is held and the file's end; the stream stays open."""
        self._flush()
        self._file.close()

    def abandon(self) -> None:
        """Close what was begun."""
        if self._file is not None:
            self._file.close()

    def _flush(self) -> None:
        arrow = self._arrow
        if self._file is None:
            types = [_type_of(column, arrow) for column in self._held]
            schema = arrow.schema(list(zip(self._columns, types, strict=True)))
            self._file = self._parquet.ParquetWriter(self._stream, schema, compression="zstd")
        arrays = [
            self._array(name, column, type_)
            for name, column, type_ in zip(self._columns, self._held, self._file.schema.types, strict=True)
        ]
        self._file.write_table(arrow.Table.from_arrays(arrays, schema=self._file.schema))
        self._held = [[] for _ in self._columns]

    def _array(self, name: str, column: list[Any], type_: Any) -> Any:
        if type_ == self._arrow.string():
            column = [None if cell is None else to_text(cell, self._language) for cell in column]
        try:
            return self._arrow.array(column, type_)
        except (self._arrow.ArrowException, OverflowError, TypeError, ValueError) as error:
            raise UsageError("column_mixed", column=name, type=str(type_), rows=GROUP) from error


def _rows(source: Source, file: Any, arrow: Any) -> Iterator[Row]:
    line = 0
    try:
        for batch in file.iter_batches(batch_size=BATCH):
            for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                line += 1
                yield Row(line, tuple(map(plain, cells)))
    except (arrow.ArrowException, OSError, ValueError) as error:
        raise _broken(source, error) from error


def plain(value: Any) -> Any:
    """A value as JSON has it; a date as ISO 8601, a decimal with all its digits, bytes as UTF-8 where they are."""
    if value is None or isinstance(value, str | bool | int | float | list | dict):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "backslashreplace")
    return f"{value:f}" if isinstance(value, decimal.Decimal) else str(value)


def _type_of(column: Sequence[Any], arrow: Any) -> Any:
    kinds = {type(cell) for cell in column if cell is not None}
    if kinds == {bool}:
        return arrow.bool_()
    if kinds == {int} and all(-(2**63) <= cell < 2**63 for cell in column if cell is not None):
        return arrow.int64()
    return arrow.float64() if kinds and kinds <= {int, float} else arrow.string()


def _broken(source: Source, error: Exception) -> UsageError:
    reason = str(error).partition("\n")[0][:200]
    return UsageError("table_broken", path=source.name, format="Parquet", reason=reason)


def _import() -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415  (an extra: only who reads or writes Parquet needs it)
        import pyarrow.parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="pyarrow", extra="tables") from error
    return pyarrow, pyarrow.parquet
