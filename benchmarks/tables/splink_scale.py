"""menpai and Splink in turn on the same tables: seconds, peak memory of all processes, precision, recall, F1, blocking recall.

    python benchmarks/tables/splink_scale.py --data DATA --work WORK --link 100000x1000000 --dedupe 1000000 --clusters 200000

The tables are those of scale.py and clusters.py. menpai: default settings. Splink: splink_models.py, and the threshold that is
best on the truth; its seconds are those of the columns, training, pairs, and the clusters at that threshold alone; what
looking for it took is not counted. --rounds N repeats both in turn and prints each.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "finding"))

import clusters
from scale import Run, read, run_command, run_menpai
from scale_tables import dedupe_table, link_tables
from splink_baseline import WEIGHTS

_BASELINE = Path(__file__).with_name("splink_baseline.py")


class Line(NamedTuple):
    """A line of the table; `cpu` is that of the whole process (of Splink's with all thresholds), `more` the blocking recall,
    or the clusters that mix numbers."""

    what: str
    seconds: float
    cpu: float
    peak: float
    figures: tuple[float, float, float]
    more: str


def main() -> None:
    """Make, run in turn, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--link", nargs="*", default=[], metavar="LEFTxRIGHT")
    parser.add_argument("--dedupe", nargs="*", default=[], type=int, metavar="ROWS")
    parser.add_argument("--clusters", nargs="*", default=[], type=int, metavar="ROWS")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print(f"{'':<44}{'seconds':>9}{'CPU':>9}{'MB':>8}{'P':>9}{'R':>9}{'F1':>9}")
    for _ in range(options.rounds):
        for size in options.link:
            left, right = map(int, size.split("x"))
            files = link_tables(options.data, options.work, left, right)
            for each in (link_by_menpai, link_by_splink):
                show(f"link {size}, ", each(files, options.work))
        tables = [
            (f"dedupe {rows}, ", dedupe_table(options.data, options.work, rows)) for rows in options.dedupe
        ]
        tables += [
            (f"clusters {n}, ", cluster_table(options.data, options.work, n)) for n in options.clusters
        ]
        for name, pair in tables:
            for way in (dedupe_by_menpai, dedupe_by_splink):
                show(name, way(pair, options.work))


def show(name: str, line: Line) -> None:
    """A line of the table."""
    figures = "".join(f"{figure:>9.4f}" for figure in line.figures)
    print(
        f"{name + line.what:<44}{line.seconds:>9.1f}{line.cpu:>9.1f}{line.peak:>8,.0f}{figures}  {line.more}",
        flush=True,
    )


def link_by_menpai(files: Sequence[Path], work: Path) -> Line:
    """The command line, default settings."""
    output = work / "linked.tsv"
    run = run_menpai(["link", str(files[0]), str(files[1]), "-o", str(output), "--json"])
    found = [(row["id"], row["matched_id"]) for row in read(output) if row["matched_id"]]
    coverage = run.summary["coverage"]
    return Line(
        "menpai",
        run.wall,
        run.cpu,
        run.peak,
        links(found, files[2]),
        f"candidates hold {coverage} (estimated)",
    )


def link_by_splink(files: Sequence[Path], work: Path) -> Line:
    """The best right row of each left row, above the best threshold."""
    output = work / "splink.tsv"
    run = splink("link", *files[:2], output)
    rows = sorted(cells(output), key=lambda row: -float(row[2]))
    truth = {row["left"]: row["right"] for row in read(files[2])}
    hits, most, cut = 0, 0.0, 0
    for count, (left, right, _) in enumerate(rows, 1):
        hits += truth[left] == right
        share = hits / (count + sum(map(bool, truth.values())))
        most, cut = max((most, cut), (share, count))
    blocking = splink("recall", *files).summary
    found = [(left, right) for left, right, _ in rows[:cut]]
    pairs = f"blocking holds {blocking['recall']:.4f}, {blocking['pairs'] / len(truth):.1f} pairs a row"
    return Line("Splink", sum(run.summary.values()), run.cpu, run.peak, links(found, files[2]), pairs)


def dedupe_by_menpai(files: Sequence[Path], work: Path) -> Line:
    """The command line, default settings."""
    output = work / "deduped.tsv"
    run = run_menpai(["dedupe", str(files[0]), "-o", str(output), "--json"])
    groups = {row["id"]: row["cluster_id"] for row in read(output)}
    return Line("menpai", run.wall, run.cpu, run.peak, *judge(groups, files[1]))


def dedupe_by_splink(files: Sequence[Path], work: Path) -> Line:
    """Clusters at the best threshold."""
    output = work / "splink"
    run = splink("dedupe", files[0], output)
    found = [(judge(dict(cells(Path(f"{output}.{weight}"))), files[1]), weight) for weight in WEIGHTS]
    (figures, mixed), weight = max(found, key=lambda each: each[0][0][2])
    others = [f"clusters {other}" for other in WEIGHTS if other != weight]
    seconds = sum(value for step, value in run.summary.items() if step not in others)
    blocking = splink("recall-of-one", *files).summary
    return Line(
        "Splink", seconds, run.cpu, run.peak, figures, f"{mixed}; blocking holds {blocking['recall']:.4f}"
    )


def splink(verb: str, *paths: Path) -> Run:
    """A run of splink_baseline.py."""
    return run_command([sys.executable, str(_BASELINE), verb, *map(str, paths)])


def links(found: Sequence[tuple[str, str]], truth: Path) -> tuple[float, float, float]:
    """Precision, recall, F1 of links."""
    meant = {row["left"]: row["right"] for row in read(truth)}
    hits, true = sum(meant[left] == right for left, right in found), sum(map(bool, meant.values()))
    return hits / max(1, len(found)), hits / true, 2 * hits / (len(found) + true)


def judge(groups: dict[str, str], truth: Path) -> tuple[tuple[float, float, float], str]:
    """Pairwise precision, recall, F1; B³ and clusters that mix numbers, in words."""
    rows = read(truth)
    numbers = {cluster: at for at, cluster in enumerate(dict.fromkeys(groups.values()))}
    found, places = [numbers[groups[row["id"]]] for row in rows], [row["place"] for row in rows]
    inside: dict[int, set[str]] = defaultdict(set)
    for cluster, row in zip(found, rows, strict=True):
        inside[cluster].add(row["inside"])
    mixed = sum(len(values) > 1 for values in inside.values())
    cubed = clusters.b_cubed(places, found)[2]
    return clusters.pairwise(places, found), f"B³ {cubed:.4f}, {mixed} mix numbers"


def cluster_table(data: Path, work: Path, rows: int) -> tuple[Path, Path]:
    """The rows of clusters.py (seed 1) as dedupe_table writes them."""
    files = work / f"clusters-{rows}.tsv", work / f"clusters-{rows}.truth.tsv"
    if not all(file.exists() for file in files):
        made = list(islice(clusters.make(data, rows, Random(1)), rows))
        _write(files[0], ("id", "address"), [(n, text) for n, (_, text) in enumerate(made)])
        inside = [f"{s.number}|{s.building}|{s.unit}|{s.room}" for s, _ in made]
        lines = [(n, spot.id, value) for n, ((spot, _), value) in enumerate(zip(made, inside, strict=True))]
        _write(files[1], ("id", "place", "inside"), lines)
    return files


def cells(path: Path) -> list[list[str]]:
    """The cells of a TSV without a head."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _write(path: Path, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        for row in (head, *rows):
            file.write("\t".join(str(cell).replace("\t", " ") for cell in row) + "\n")


if __name__ == "__main__":
    main()
