"""Writes the two indexes' sources and the queries into a scratch folder, the same each time.

Run: python benchmarks/finding/make.py --data DATA --work WORK [--rows 1000000] [--only five]
WORK gets nation.tsv and city.tsv (id, name, address, lat, lon: WGS-84) and nation.jsonl, city.jsonl, hangzhou.jsonl:
queries as {"query", "id", "noise", "part"}; part is "tune" or "report".
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import places
from noise import disturb
from places import Spot

QUERIES = 4_000
COLUMNS = ("id", "name", "address", "lat", "lon")


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=places.ROWS)
    parser.add_argument(
        "--only", choices=("nation", "city", "five"), help="this index alone; five has 5,000,000 rows"
    )
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.only in (None, "nation"):
        points = list(places.dianping(options.data))
        write("nation", options.work, places.nation(options.data, options.rows), points)
    if options.only in (None, "city"):
        write("city", options.work, places.city(options.data, options.rows), [])
    if options.only == "five":
        write("five", options.work, places.five(options.data), [])
    _lines(options.work / "hangzhou.jsonl", hangzhou(options.data))


def write(name: str, work: Path, spots: Iterable[Spot], points: Iterable[dict[str, object]]) -> None:
    """One index's rows, and its queries, drawn from spots of which more is known than a name."""
    rng, drawn, count = Random(name), [], 0
    with (work / f"{name}.tsv").open("w", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")
        for row in points:
            file.write("\t".join(str(row[column]) for column in COLUMNS) + "\n")
        for spot in spots:
            file.write(f"{spot.id}\t\t{spot.text}\t{_number(spot.lat)}\t{_number(spot.lon)}\n")
            if spot.id[0] in "vns" and (spot.name or spot.road):
                count += 1
                _keep(drawn, spot, count, rng)
    rng.shuffle(drawn)
    _lines(work / f"{name}.jsonl", queries(drawn, rng))


def queries(spots: Iterable[Spot], rng: Random) -> Iterator[dict[str, Any]]:
    """A disturbed text of each spot, with what was done to it."""
    for spot in spots:
        text, done = disturb(spot, rng)
        yield {"query": text, "id": spot.id, "noise": done, "part": _part(spot.id), "text": spot.text}


def hangzhou(data: Path) -> Iterator[dict[str, Any]]:
    """Points of one source of which the other source's row is known."""
    truth = places.hangzhou_truth(data)
    for row in places.gaode(data):
        if meant := truth.get(str(row["id"])):
            query = {key: row[key] for key in ("name", "address", "lat", "lon")}
            yield {"query": query, "id": meant, "noise": "other source", "part": _part(meant)}


def _part(key: str) -> str:
    return "report" if zlib.crc32(key.encode()) % 2 else "tune"


def _keep(drawn: list[Spot], spot: Spot, count: int, rng: Random) -> None:
    """A sample of QUERIES spots of all that were seen (reservoir)."""
    if len(drawn) < QUERIES:
        drawn.append(spot)
    elif (at := rng.randrange(count)) < QUERIES:
        drawn[at] = spot


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.7f}"


def _lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    main()
