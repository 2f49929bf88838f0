"""A segment: an immutable folder of rows in columns, sorted by their normalized address. The contract of a library:

* A library is a manifest (replaced atomically) and segments. Rows are added as a new segment; a removed row only gets
  its bit in the segment's tombstones. Everything is memory-mapped, so processes share the memory.
* An **index part** is a module listed in `parts.PARTS` with `NAME`, `VERSION`, `build(segment, folder, progress)`,
  which writes its files into an empty folder, and `open(segment, folder)`, which opens *all* of them at once
  (they may be deleted behind an open reader) and gives back what its queries need. `progress(share)` takes 0..1.
  Parts are built in processes of their own, several at a time; each stays under 1 GB for a million rows.
* A **query** is a function over a `view.View`: for each of `view.shards` it asks `shard.parts[NAME]` for row numbers
  of `shard.segment`, keeps `shard.alive(rows)`, merges, and makes values with `segment.record(row)`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from menpai.address import ELEMENTS
from menpai.search.columns import Numbers, Texts, open_numbers, open_texts
from menpai.search.values import Record

# What a cut ends; "rest" is a stretch in which nothing was read.
KINDS = ("rest", *ELEMENTS)
UNKNOWN = -(2**31)
"Instead of a coordinate: the row has none."
DEGREE = 10_000_000
"Coordinates are whole numbers of 1e-7 degree (1.1 cm)."


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """The columns of a segment; row numbers are positions in all of them.

    `keys`: normalized addresses, ascending by their UTF-8 bytes (code points); "" where a row has only a name.
    `name_keys`: normalized names, "" for none. `lat`, `lon`: int32 in 1e-7 degrees of WGS-84, or UNKNOWN.
    `weights`: float32. `divisions`: uint32, the code of the deepest division read (0 for none, else its digits).
    `id_order`: uint32, the rows in the order of their ids (as UTF-8 bytes).
    Elements of row r: `cut_ends[cut_at[r]:cut_at[r + 1]]` (uint16) are the ends, in bytes of its key, of stretches
    that follow one another and cover the key; `cut_kinds` (uint8, into KINDS) says what each stretch ends with.
    """

    name: str
    path: Path
    rows: int
    keys: Texts
    name_keys: Texts
    ids: Texts
    id_order: Numbers
    lat: Numbers
    lon: Numbers
    weights: Numbers
    divisions: Numbers
    cut_at: Numbers
    cut_ends: Numbers
    cut_kinds: Numbers
    raw_texts: Texts
    raw_names: Texts
    payloads: Texts

    def __len__(self) -> int:
        return self.rows

    def text(self, row: int) -> str:
        """The address of a row as it was written (`raw_texts` is "" where it equals its key)."""
        return self.raw_texts[row] or self.keys[row]

    def name_of(self, row: int) -> str:
        """The name of a row as it was written."""
        return self.raw_names[row] or self.name_keys[row]

    def point(self, row: int) -> tuple[float, float] | None:
        """(lat, lon) in WGS-84 degrees, or None."""
        lat = int(self.lat[row])
        return None if lat == UNKNOWN else (lat / DEGREE, int(self.lon[row]) / DEGREE)

    def cuts(self, row: int) -> list[tuple[int, str]]:
        """(end in bytes of the key, kind) of each stretch of a row."""
        start, end = int(self.cut_at[row]), int(self.cut_at[row + 1])
        ends, kinds = self.cut_ends[start:end].tolist(), self.cut_kinds[start:end].tolist()
        return [(stop, KINDS[kind]) for stop, kind in zip(ends, kinds, strict=True)]

    def find_id(self, id_: str) -> int | None:
        """The row with this id, or None."""
        wanted, low, high = id_.encode(), 0, self.rows
        while low < high:
            middle = (low + high) // 2
            if self.ids.bytes_at(self.id_order[middle]) < wanted:
                low = middle + 1
            else:
                high = middle
        found = int(self.id_order[low]) if low < self.rows else -1
        return found if found >= 0 and self.ids.bytes_at(found) == wanted else None

    def record(self, row: int) -> Record:
        """A row as it is given back."""
        lat, lon = self.point(row) or (None, None)
        payload, code = self.payloads[row], int(self.divisions[row])
        return Record(
            self.ids[row],
            self.text(row),
            self.name_of(row),
            lat,
            lon,
            float(self.weights[row]),
            json.loads(payload, parse_constant=_no_number) if payload else {},
            str(code) if code else "",
        )

    def records(self) -> Iterator[Record]:
        """All rows in order."""
        return map(self.record, range(self.rows))


def open_segment(path: Path, rows: int) -> Segment:
    """The segment of a folder; its files were checked by who wrote the manifest."""

    def texts(name: str) -> Texts:
        return open_texts(path, name, rows)

    def numbers(name: str, fill: Any, count: int = rows) -> Numbers:
        found = open_numbers(path, name)
        return np.broadcast_to(fill, (count,)) if found is None else found

    return Segment(
        path.name,
        path,
        rows,
        texts("keys"),
        texts("name_keys"),
        texts("ids"),
        numbers("id_order", np.uint32(0)),
        numbers("lat", np.int32(UNKNOWN)),
        numbers("lon", np.int32(UNKNOWN)),
        numbers("weights", np.float32(1.0)),
        numbers("divisions", np.uint32(0)),
        numbers("cut_at", np.uint32(0), rows + 1),
        numbers("cut_ends", np.uint16(0), 0),
        numbers("cut_kinds", np.uint8(0), 0),
        texts("raw_texts"),
        texts("raw_names"),
        texts("payloads"),
    )


def _no_number(_: str) -> None:
    """NaN and infinities of a payload come back as null: no other reader of JSON takes them."""
