"""Rows of a frame numbered, read in the workers, and made entities; see tables.linkage.records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from menpai.columnar import import_arrow
from menpai.settings import Settings
from menpai.tables.cells import to_text
from menpai.tables.linkage.candidates import keys_in
from menpai.tables.linkage.cluster_ids import id_of
from menpai.tables.linkage.door import table_of
from menpai.tables.linkage.reading import Chosen, read_raw
from menpai.tables.linkage.records import make_records
from menpai.tables.linkage.vetoes import number_bits
from menpai.tables.spark.arrow import as_lists, batch_of, entities_in, texts
from menpai.tables.spark.room import Room
from menpai.tables.table import Table

ROW = "menpai_row"
ENTITY = "address string, name string, phone string, lat double, lon double"
SIGN = np.uint32(1 << 31)
"Terms are kept as signed numbers in the order of the unsigned ones."
_PLACE = "menpai_place"
_COLUMNS = "address, name, phone, lat, lon"


@dataclass(frozen=True)
class Reader:
    """What a worker must know to read rows: the table's name, its columns, the settings."""

    table: str
    chosen: Chosen
    settings: Settings


class Read(NamedTuple):
    """A table that was read: the frame with ROW; `rows`: row, id, entity, problem; and the entities with their keys."""

    frame: Any
    rows: Any
    entities: Any


def columns_of(name: str, frame: Any) -> Table:
    """The frame as a table without rows, by which columns are found."""
    return Table(name, "", tuple(frame.columns), iter(()))


def read(room: Room, name: str, frame: Any, reader: Reader) -> Read:
    """The rows and entities of a frame; entities ascend by their texts, as those of the core do."""
    read_raw(columns_of(reader.table, frame), reader.chosen)  # bad columns raise before anything runs
    given = _numbered(room, name, frame)
    schema = f"row long, id string, problem string, {ENTITY}"
    raw = room.keep(f"{name}-read", given.mapInArrow(partial(_read, reader), schema))
    query = (
        f"SELECT {_COLUMNS}, count(*) AS rows, min(struct(id, row)) AS first FROM {{raw}} WHERE problem IS NULL"
        f" GROUP BY {_COLUMNS} ORDER BY address, name, phone, coalesce(lat, -999D), coalesce(lon, -999D)"
    )
    sorted_ = room.sql(query, raw=raw).selectExpr(
        "monotonically_increasing_id() AS entity", *_COLUMNS.split(", "), "rows",
        "first.id AS first_id", "first.row AS first_row",
    )  # fmt: skip
    schema = (
        f"entity long, {ENTITY}, rows long, first_id string, first_row long,"
        " terms array<int>, bits long, cluster_id string"
    )
    entities = room.keep(f"{name}-entities", sorted_.mapInArrow(_keyed, schema))
    joined = " AND ".join(f"r.{column} <=> e.{column}" for column in _COLUMNS.split(", "))
    rows = room.keep(
        f"{name}-rows",
        room.sql(
            f"SELECT r.row, r.id, r.problem, e.entity FROM {{raw}} r LEFT JOIN {{entities}} e ON {joined}",
            raw=raw,
            entities=entities,
        ),
    )
    return Read(given, rows, entities)


def _numbered(room: Room, name: str, frame: Any) -> Any:
    """The frame in the folder with the number of each row from 0."""
    kept = room.keep(name, frame.selectExpr("*", f"monotonically_increasing_id() AS {_PLACE}"))
    sizes = room.sql(
        f"SELECT shiftright({_PLACE}, 33) AS part, count(*) AS size FROM {{kept}} GROUP BY 1 ORDER BY 1",
        kept=kept,
    ).collect()
    starts, start = ["(-1L, 0L)"], 0
    for part, size in sizes:
        starts.append(f"({part}L, {start}L)")
        start += size
    return room.sql(
        f"SELECT /*+ BROADCAST(s) */ k.*, s.start + (k.{_PLACE} & {(1 << 33) - 1}) AS {ROW} FROM {{kept}} k"
        f" JOIN (SELECT * FROM VALUES {', '.join(starts)} AS t(part, start)) s ON shiftright(k.{_PLACE}, 33) = s.part",
        kept=kept,
    ).drop(_PLACE)


def _read(reader: Reader, batches: Iterator[Any]) -> Iterator[Any]:
    """What each row is compared by, or its problem."""
    arrow = import_arrow()
    for batch in batches:
        table = arrow.Table.from_batches([batch])
        rows = table.column(ROW).to_pylist()
        raws = [raw for _, raw in read_raw(table_of(reader.table, table.drop_columns([ROW])), reader.chosen)]
        records = make_records(raws, reader.settings.max_length)
        found = [records.entities[at] if at >= 0 else None for at in records.of_row.tolist()]
        problems = (records.problems.get(at) for at in range(len(rows)))
        points = [None if entity is None else entity.point for entity in found]
        yield batch_of(
            row=arrow.array(rows, arrow.int64()),
            id=texts(raw.id or str(row + 1) for raw, row in zip(raws, rows, strict=True)),
            problem=texts(to_text(problem, reader.settings.lang) or None for problem in problems),
            address=texts(entity and entity.address for entity in found),
            name=texts(entity and entity.name for entity in found),
            phone=texts(entity and entity.phone for entity in found),
            lat=arrow.array([point and point[0] for point in points], arrow.float64()),
            lon=arrow.array([point and point[1] for point in points], arrow.float64()),
        )


def _keyed(batches: Iterator[Any]) -> Iterator[Any]:
    """Each entity with its keys, a bit for each of its numbers, and the id of a cluster that it names."""
    arrow = import_arrow()
    for batch in batches:
        entities = entities_in(batch)
        found = [entity.text for entity in entities]
        keys = keys_in(found, by_term=False)
        terms = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        columns = {name: batch.column(name) for name in batch.schema.names}
        yield batch_of(
            **columns,
            terms=as_lists(
                (terms ^ SIGN).view(np.int32), (keys >> np.uint64(32)).astype(np.int64), len(found)
            ),
            bits=arrow.array(number_bits(found).view(np.int64)),
            cluster_id=texts(map(id_of, entities)),
        )
