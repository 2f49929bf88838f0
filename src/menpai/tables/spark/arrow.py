"""Arrow batches in the workers: cut at the ends of groups, and their columns as NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.columnar import import_arrow
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.tables.linkage.records import Entity

GROUPS = 4096
"Rows of a batch, or the rows of one group if they are more."
_READINGS, _READINGS_MB = 50_000, 192.0
"What a worker remembers of what it read: neighbours in the order of the texts are judged together."


@cache
def matcher_of(settings: Settings) -> Matcher:
    """The matcher of a worker process: one thread, opened once."""
    return Matcher.open(settings=settings.replace(threads=1, readings=_READINGS, readings_mb=_READINGS_MB))


def whole_groups(batches: Iterable[Any], key: str, least: int = GROUPS) -> Iterator[Any]:
    """Tables of `least` rows or more that end where a group ends; the batches are sorted by the key."""
    arrow = import_arrow()
    held: list[Any] = []
    rows = 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        if rows < least:
            continue
        table = arrow.Table.from_batches(held)
        keys = numbers(table, key)
        end = int(np.searchsorted(keys, keys[-1]))
        if end:
            yield table.slice(0, end)
            held, rows = table.slice(end).to_batches(), rows - end
    if rows:
        yield arrow.Table.from_batches(held)


def parted(table: Any, column: str) -> tuple[Any, Any]:
    """The rows without a value in a column, which head their group; and the others."""
    missing = table.column(column).is_null()
    return table.filter(missing), table.filter(table.column(column).is_valid())


def numbers(table: Any, column: str) -> NDArray[Any]:
    """A column without nulls."""
    found: NDArray[Any] = table.column(column).to_numpy()
    return found


def lists(table: Any, column: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The values of a column of lists one behind the other, and the row of each."""
    chunks = table.column(column).chunks
    sizes = [np.diff(chunk.offsets.to_numpy()) for chunk in chunks]
    values = [chunk.flatten().to_numpy(zero_copy_only=False) for chunk in chunks]
    sizes.append(np.zeros(0, np.int32))
    values.append(np.zeros(0, np.int32))
    rows = np.repeat(np.arange(table.num_rows), np.concatenate(sizes))
    return np.concatenate(values), rows


def as_lists(values: NDArray[Any], rows: NDArray[np.int64], count: int) -> Any:
    """The reverse, for values by row: a column of `count` lists of 32-bit numbers."""
    arrow = import_arrow()
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(rows, minlength=count))))
    return arrow.ListArray.from_arrays(
        arrow.array(ends.astype(np.int32)), arrow.array(values.astype(np.int32))
    )


def batch_of(**columns: Any) -> Any:
    """A batch of arrays and lists. Spark takes columns by their place, so they stand as the schema has them."""
    return import_arrow().RecordBatch.from_pydict(columns)


def texts(values: Iterable[str | None]) -> Any:
    """A column of texts."""
    arrow = import_arrow()
    return arrow.array(list(values), arrow.string())


def entities_in(table: Any) -> list[Entity]:
    """The entities of the columns address, name, phone, lat, lon."""
    columns = (table.column(name).to_pylist() for name in ("address", "name", "phone", "lat", "lon"))
    return [
        Entity(address, name, phone, None if lat is None else (lat, lon))
        for address, name, phone, lat, lon in zip(*columns, strict=True)
    ]
