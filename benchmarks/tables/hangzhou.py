"""Two tables of shops and offices of Hangzhou linked: menpai as it comes, beside RapidFuzz tuned on the truth.

    python -m benchmarks.tables.hangzhou FOLDER

FOLDER holds hz_gd_poi_1982.tsv, hz_dp_poi_2959.tsv and derived_hz_matches_808.tsv of GER-LLM (coordinates in GCJ-02).
Halves are of left rows, by the checksum of their id; the order of menpai's weights was found on half 1.
"""

from __future__ import annotations

import csv
import sys
import time
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz import fuzz, process

from menpai.evidence.coordinates import metres, to_wgs84
from menpai.matcher import Matcher
from menpai.tables.linkage import Raw, Records, link, make_records

Pair = tuple[str, str]
WITHIN = 400.0


class Measured(NamedTuple):
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a TSV without quotes."""
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def raws(rows: list[dict[str, str]], key: str, lat: str, lon: str, points: bool) -> list[Raw]:
    """Rows as they are compared."""
    return [
        Raw(
            row[key],
            row["address"],
            row["name"],
            "",
            to_wgs84(float(row[lat]), float(row[lon]), "gcj02") if points else None,
        )
        for row in rows
    ]


def measure(found: set[Pair], truth: set[Pair]) -> Measured:
    """Of pairs of ids."""
    hits = len(found & truth)
    return Measured(hits / max(1, len(found)), hits / len(truth), 2 * hits / (len(found) + len(truth)))


def half(pairs: set[Pair], which: int) -> set[Pair]:
    """The pairs of one half of the left rows."""
    return {pair for pair in pairs if zlib.crc32(pair[0].encode()) % 2 == which}


def rapidfuzz_best(left: list[Raw], right: list[Raw], truth: set[Pair], points: bool) -> Measured:
    """One-to-one, the greatest mean of WRatio of the names and ratio of names with addresses first (the best of 30
    mixtures); the threshold that is best on the truth."""
    names = [[row.name for row in rows] for rows in (left, right)]
    whole = [[row.name + row.address for row in rows] for rows in (left, right)]
    scores = (process.cdist(*names, scorer=fuzz.WRatio) + process.cdist(*whole, scorer=fuzz.ratio)) / 2
    found: list[tuple[float, Pair]] = []
    taken: tuple[set[int], set[int]] = (set(), set())
    at = np.argwhere(scores >= 60)
    for i, j in at[np.argsort(-scores[at[:, 0], at[:, 1]], kind="stable")].tolist():
        a, b = left[i].point, right[j].point
        if i in taken[0] or j in taken[1] or (points and a and b and metres(a, b) > WITHIN):
            continue
        taken[0].add(i)
        taken[1].add(j)
        found.append((float(scores[i, j]), (left[i].id, right[j].id)))
    best = Measured(0.0, 0.0, 0.0)
    for count in range(1, len(found) + 1):
        best = max(best, measure({pair for _, pair in found[:count]}, truth), key=lambda each: each.f1)
    return best


def show(name: str, measured: Measured) -> None:
    """A line of the table."""
    print(f"{name:<44}{measured.precision:>10.4f}{measured.recall:>10.4f}{measured.f1:>10.4f}", flush=True)


def linked(left: Records, right: Records, truth: set[Pair], matcher: Matcher) -> None:
    """menpai's figures."""
    start = time.perf_counter()
    links = link(left, right, matcher)
    seconds = time.perf_counter() - start
    found = {
        (left.ids[row], right.ids[each.right]) for row, each in links.rows.items() if each.right is not None
    }
    show(f"menpai, default settings ({seconds:.1f} s)", measure(found, truth))
    for which, what in ((1, "looked at for the weights"), (0, "the other")):
        show(f"  half {which}, {what}", measure(half(found, which), half(truth, which)))
    rows = {key: at for at, key in enumerate(left.ids)}, {key: at for at, key in enumerate(right.ids)}
    compared = {(a, b) for a, b, _ in links.pairs}
    hits = [(int(left.of_row[rows[0][a]]), int(right.of_row[rows[1][b]])) in compared for a, b in truth]
    stages = {stage.name: stage for stage in links.stages}
    print(
        f"  candidates: {sum(hits) / len(hits):.4f} of the true pairs (estimated {links.coverage:.4f}); a row: "
        f"{stages['vetoes'].rows_in / len(left):.2f} compared, {stages['encoder'].pairs_out / len(left):.2f} by the encoder"
    )


def main(folder: Path) -> None:
    """Without coordinates, and with them."""
    tables = read(folder / "hz_gd_poi_1982.tsv"), read(folder / "hz_dp_poi_2959.tsv")
    truth = {(row["gaode_id"], row["dianping_id"]) for row in read(folder / "derived_hz_matches_808.tsv")}
    matcher = Matcher.open()
    matcher.warm()
    for points in (False, True):
        left = raws(tables[0], "id", "marlat", "marlon", points)
        right = raws(tables[1], "shop_id", "latitude", "longitude", points)
        print(
            f"\n{'with coordinates' if points else 'names and addresses':<44}{'precision':>10}{'recall':>10}{'F1':>10}"
        )
        show(
            "RapidFuzz, one-to-one, best threshold" + (f", {WITHIN:.0f} m" if points else ""),
            rapidfuzz_best(left, right, truth, points),
        )
        matcher.forget()
        linked(make_records(left, 512), make_records(right, 512), truth, matcher)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
