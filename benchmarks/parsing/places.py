"""Divisions of real places when levels are dropped: province, city, both, county; menpai beside its peers.

Usage: python benchmarks/parsing/places.py DATA [--rows 4000] [--seed 1] [--show OUT.tsv]
Reads DATA/addresses/national_places.tsv.gz and, for the truth, DATA/admin/areacity_level4.csv. Rows whose
columns are no path of that list (shifted by a level, renamed since) and catch-all rows are left out first.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from libraries import SHADOWS, Answer, Read, answer, peers, read_menpai

CATCH_ALL = re.compile("其他|其它|其余|全域|全市|全区|全县|全镇|以外|之外|除.{0,20}外|所有区域")
VARIANTS = {
    "nothing dropped": (0, 1, 2),
    "province dropped": (1, 2),
    "city dropped": (0, 2),
    "both dropped": (2,),
    "county dropped": (0, 1),
}


class Place(NamedTuple):
    """The columns of a row and the unit that they name."""

    columns: tuple[str, str, str]
    place: str
    truth: Answer

    def text(self, kept: Sequence[int]) -> str:
        """The kept columns and the place as one string; a municipality is named once."""
        return "".join(dict.fromkeys(self.columns[at] for at in kept)) + self.place


def read_places(data: Path) -> list[Place]:
    """The rows that are sound, in order; the filter is said in the docstring of this file."""
    paths = _paths(data / "admin" / "areacity_level4.csv")
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return [
        Place((row[0], row[1], row[2]), row[3], answer(*row[:3]))
        for row in rows
        if len(row) == 4 and (row[0], row[1] if row[1] not in SHADOWS else row[0], row[2]) in paths
        and not CATCH_ALL.search(row[3]) and row[3]
    ]  # fmt: skip


def _paths(path: Path) -> set[tuple[str, str, str]]:
    """Province, city and county of every county in the list."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        units = {row["id"]: row for row in csv.DictReader(file)}
    counties = [row for row in units.values() if row["deep"] == "2"]
    cities = [units[row["pid"]] for row in counties]
    return {
        (units[city["pid"]]["ext_name"], city["ext_name"], county["ext_name"])
        for county, city in zip(counties, cities, strict=True)
    }


def score(places: Sequence[Place], answers: Sequence[Sequence[Answer]], first: bool) -> tuple[int, int, int]:
    """How many are answered to the county, how many right alone, and (first) first of several."""
    given = sum(any(a.county for a in found) for found in answers)
    alone = sum(len(found) == 1 and found[0].says(p.truth) for p, found in zip(places, answers, strict=True))
    led = sum(bool(found) and found[0].says(p.truth) for p, found in zip(places, answers, strict=True))
    return given, alone, led if first else alone


def held(places: Sequence[Place], answers: Sequence[Sequence[Answer]], size: int = 3) -> tuple[int, int]:
    """How many answers reach a county, and how many of them hold the truth in a set of at most `size`."""
    given = [(p, found) for p, found in zip(places, answers, strict=True) if any(a.county for a in found)]
    return len(given), sum(len(found) <= size and any(a.says(p.truth) for a in found) for p, found in given)


def wrong(
    places: Sequence[Place], texts: Sequence[str], answers: Sequence[Sequence[Answer]]
) -> Iterator[str]:
    """A line for each place whose answer is not the truth alone."""
    for place, text, found in zip(places, texts, answers, strict=True):
        if len(found) != 1 or not found[0].says(place.truth):
            yield f"{text}\t{'/'.join(place.truth)}\t{' | '.join('/'.join(a) for a in found[:6])}\n"


def table(
    data: Path, rows: int, seed: int, show: Path | None = None, more: int = 0
) -> list[dict[str, object]]:
    """One record for each variant and library; the last one is menpai on `more` rows, for which peers are too slow."""
    places = random.Random(seed).sample(found := read_places(data), min(max(rows, more), len(found)))
    readers: dict[str, Read] = {"menpai": read_menpai, **peers()}
    if more:
        readers[f"menpai on {len(places):,} rows"] = read_menpai
    records = []
    lines = []
    for variant, kept in VARIANTS.items():
        for name, read in readers.items():
            chosen = places if "rows" in name else places[:rows]
            texts = [place.text(kept) for place in chosen]
            start = time.perf_counter()
            answers = read(texts)
            rate = len(texts) / (time.perf_counter() - start)
            given, alone, led = score(chosen, answers, True)
            county, sets = held(chosen, answers)
            records.append({"variant": variant, "library": name, "right": alone / len(chosen),
                            "first right": led / len(chosen), "answered": given / len(chosen),
                            "set of ≤ 3 holds it": sets / county if county else 0.0, "per second": rate})  # fmt: skip
            if name == "menpai":
                lines += [f"{variant}\t{line}" for line in wrong(chosen, texts, answers)]
    if show:
        show.write_text("".join(lines), encoding="utf-8")
    return records


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=Path)
    args = parser.parse_args()
    records = table(args.data, args.rows, args.seed, args.show)
    print(
        "| dropped | library | right, alone | first right | answered to county | of these, set of ≤ 3 holds it | a second |"
    )
    print("|---|---|---|---|---|---|---|")
    for r in records:
        print(f"| {r['variant']} | {r['library']} | {r['right']:.4f} | {r['first right']:.4f} | {r['answered']:.4f} | "
              f"{r['set of ≤ 3 holds it']:.4f} | {r['per second']:,.0f} |")  # fmt: skip


if __name__ == "__main__":
    main()
