"""Draw pairs worth a reader's time: neighbours in the public notices on which the built-in model is in doubt.

Run: python -m training.draw --data FOLDER --out pairs.tsv [--count 1500]. Labels are left empty: people fill them.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from menpai import Matcher, Verdict
from training.data import read_labelled
from training.gather import read_rows

SEED = 20261201
# A model this sure needs no reader; of the others, each label gets its share.
SURE = 0.9
_SHARED = re.compile(r"[\u4e00-\u9fff]{2,}")


class Row(NamedTuple):
    """A notice's address: its divisions, and the rest as it was written."""

    province: str
    city: str
    county: str
    place: str


def write(row: Row, rng: random.Random) -> str:
    """The address as somebody might write it: some of the divisions above the place dropped or shortened."""
    city = "" if row.city == row.province else row.city
    heads = (row.province + city + row.county, city + row.county, row.county, "")
    head = rng.choices(heads, (3, 2, 2, 2))[0]
    return (head.replace("省", "").replace("市", "", 1) if rng.random() < 0.25 else head) + row.place


def neighbours(rows: Iterable[Row], rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """(a, b, place): two places of one county that share three characters, rare ones before common ones."""
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        for run in _SHARED.findall(row.place):
            for at in range(len(run) - 2):
                groups[row.county, run[at : at + 3]].append(row)
    for members in groups.values():
        for _ in range(min(3, len(members) // 2)):
            a, b = rng.choice(members), rng.choice(members)
            yield write(a, rng), write(b, rng), a.city


def draw(rows: Iterable[Row], known: set[tuple[str, str]], count: int) -> list[tuple[str, str, str]]:
    """So many pairs in doubt, at most three of a city for each label that the model leans to."""
    rng = random.Random(SEED)
    candidates = [c for c in neighbours(rows, rng) if c[0] != c[1] and min(map(len, c[:2])) > 4]
    rng.shuffle(candidates)
    candidates = candidates[: 40 * count]
    matcher = Matcher.open()
    verdicts = matcher.match_iter(((a, b) for a, b, _ in candidates), evidence=False)
    taken: dict[tuple[str, str], int] = defaultdict(int)
    kept: list[tuple[str, str, str]] = []
    for row, verdict in zip(candidates, verdicts, strict=True):
        if not isinstance(verdict, Verdict) or max(verdict.probabilities) >= SURE or row[:2] in known:
            continue
        known |= {row[:2], row[1::-1]}
        key = (row[2], verdict.label)
        if taken[key] < max(3, count // 300):
            taken[key] += 1
            kept.append(row)
        if len(kept) == count:
            break
    return kept


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the drawn pairs as a table with empty label columns."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1500)
    options = parser.parse_args(arguments)
    known = {(row.a, row.b) for row in read_labelled(options.data / "gold" / "pairs.tsv")}
    rows = draw(starmap(Row, read_rows(options.data)), known, options.count)
    with options.out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(("id", "address_a", "address_b", "label", "level", "conflict", "confidence", "place"))
        table.writerows((f"D{at:04}", a, b, "", "", "", "", place) for at, (a, b, place) in enumerate(rows))
    print(f"{len(rows)} pairs to {options.out}")


if __name__ == "__main__":
    main()
