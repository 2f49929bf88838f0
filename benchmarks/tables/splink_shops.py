"""Splink on the two tables of shops of hangzhou.py: m from the truth, one-to-one, the threshold that is best on the truth.

EM does worse (F1 0.78): pairs at one address are mostly neighbours, and it takes those for the matches.

    python -m benchmarks.tables.splink_shops FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import duckdb
from hangzhou import Measured, Pair, measure, raws, read, show
from splink_baseline import trained
from splink_columns import cut, pairs_of_characters
from splink_models import shops

from menpai.tables.linkage import Raw


def main(folder: Path) -> None:
    """Without coordinates, and with them."""
    tables = read(folder / "hz_gd_poi_1982.tsv"), read(folder / "hz_dp_poi_2959.tsv")
    truth = {(row["gaode_id"], row["dianping_id"]) for row in read(folder / "derived_hz_matches_808.tsv")}
    for points in (False, True):
        left = raws(tables[0], "id", "marlat", "marlon", points)
        right = raws(tables[1], "shop_id", "latitude", "longitude", points)
        show("Splink, one-to-one, best threshold" + (", coordinates" if points else ""),
             best(linked(left, right, points, truth), truth))  # fmt: skip


def linked(left: list[Raw], right: list[Raw], points: bool, truth: set[Pair]) -> list[Pair]:
    """One-to-one, the surest first."""
    db = duckdb.connect()
    places = dict(truth)
    for name, rows in (("a", left), ("b", right)):
        _load(db, f"{name}_raw", rows, places if name == "a" else {})
    cut(db, ("a_raw", "b_raw"), ("a", "b"))
    linker = trained(db, ("a", "b"), shops(points), [], "truth")
    found = linker.inference.predict().physical_name
    taken: tuple[set[str], set[str]] = (set(), set())
    chosen: list[Pair] = []
    for a, b in db.execute(
        f"SELECT unique_id_l, unique_id_r FROM {found} ORDER BY match_weight DESC, 1, 2"
    ).fetchall():
        if a not in taken[0] and b not in taken[1]:
            taken[0].add(a)
            taken[1].add(b)
            chosen.append((a, b))
    return chosen


def best(found: list[Pair], truth: set[Pair]) -> Measured:
    """The first so many of them whose F1 is the greatest."""
    measured = (measure(set(found[:count]), truth) for count in range(1, len(found) + 1))
    return max(measured, key=lambda each: each.f1)


def _load(db: duckdb.DuckDBPyConnection, name: str, rows: list[Raw], places: dict[str, str]) -> None:
    db.execute(
        f"CREATE TABLE {name}_plain (unique_id TEXT, address TEXT, label TEXT, truth TEXT, lat DOUBLE, lon DOUBLE)"
    )
    db.executemany(
        f"INSERT INTO {name}_plain VALUES (?, ?, ?, ?, ?, ?)",
        [
            (row.id, row.address, row.name, places.get(row.id, row.id), *(row.point or (None, None)))
            for row in rows
        ],
    )
    db.execute(
        f"""CREATE TABLE {name} AS SELECT *, {pairs_of_characters("label")} AS label_grams,
            regexp_replace(label, '[（(].*?[)）]|[·. ]', '', 'g') AS bare,
            list_distinct(string_split(lower(bare), '')) AS bare_letters
        FROM {name}_plain"""
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
