"""What the tests of libraries share: small libraries, and what is in one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from menpai.search.ingest import Mode, Order, Report, Source, ingest
from menpai.search.store import open_view
from menpai.search.values import Entry, Trouble

ROADS = ("文三路", "古墩路", "天目山路", "教工路", "学院路")


def entries(count: int, start: int = 0) -> list[Entry]:
    """Written rows with ids r0, r1, … and points around Hangzhou."""
    return [
        Entry(
            f"r{n}",
            f"杭州市西湖区{ROADS[n % 5]}{n}号",
            lat=30.25 + n / 1e5,
            lon=120.13,
            weight=1.0 + n % 3,
            line=n + 1,
        )
        for n in range(start, start + count)
    ]


def take(
    folder: Path, rows: Iterable[Entry | Trouble], mode: Mode = "build", crs: str = "wgs84", **order: object
) -> Report:
    """Rows into a library."""
    return ingest(folder, [Source("rows.csv", rows, crs)], Order(mode, **order))  # type: ignore[arg-type]


def content(folder: Path) -> dict[str, str]:
    """Id → address of all rows that a reader who opens the library now sees."""
    _, view = open_view(folder)
    found = [
        shard.segment.record(row)
        for shard in view.shards
        for row in range(len(shard.segment))
        if shard.is_alive(row)
    ]
    assert len(found) == len(view) == len({record.id for record in found})
    return {record.id: record.text for record in found}
