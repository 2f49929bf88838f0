"""link and dedupe at scale: wall, CPU, peak memory of all processes, stages, F1, blocking recall, and the growth as SVG.

    python benchmarks/tables/scale.py --data DATA --work WORK --link 10000x100000 100000x1000000 --dedupe 100000 1000000

Makes the tables in WORK (scale_tables.py), runs `menpai link` and `menpai dedupe` as a user does, one after another, and
prints what came out. Peak memory is the sum of what the processes of a run have for themselves (Linux: PSS), looked at
every half second. --growth FILE writes the plot of seconds a row; --recall N asks candidates for N rows of each size.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "finding"))

import clusters
from growth_plot import plot
from scale_tables import dedupe_table, link_tables

from menpai.tables.linkage import Plan, Raw, Records, make_records
from menpai.tables.linkage.candidates import NEAR_CLUSTERS, find_pairs, near_best
from menpai.tables.linkage.deduping import CLUSTERED

_EVERY_SECONDS = 0.5
Rows = list[dict[str, str]]


class Run(NamedTuple):
    """Seconds, seconds of CPU, megabytes at most, and the summary that the command printed."""

    wall: float
    cpu: float
    peak: float
    summary: dict[str, Any]


def main() -> None:
    """Make, run, print, plot."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--link", nargs="*", default=[], metavar="LEFTxRIGHT")
    parser.add_argument("--dedupe", nargs="*", default=[], type=int, metavar="ROWS")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--recall", type=int, default=0, metavar="ROWS")
    parser.add_argument("--growth", type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    more = ["--workers", str(options.workers)] if options.workers else []
    points: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for size in options.link:
        left, right = map(int, size.split("x"))
        run = measure_link(options.data, options.work, left, right, more)
        points["link, a left row (ten times as many right ones)"].append((left, run.wall / left))
        if options.recall:
            recall_of_link(options.data, options.work, left, right, options.recall)
    for rows in options.dedupe:
        run = measure_dedupe(options.data, options.work, rows, more)
        points["dedupe, a row"].append((rows, run.wall / rows))
        if options.recall:
            recall_of_dedupe(options.data, options.work, rows, options.recall)
    if options.growth:
        options.growth.write_text(plot(points), encoding="utf-8")


def measure_link(data: Path, work: Path, left: int, right: int, more: Sequence[str]) -> Run:
    """Link two tables and compare with the truth."""
    files, output = link_tables(data, work, left, right), work / "linked.tsv"
    run = run_menpai(["link", str(files[0]), str(files[1]), "-o", str(output), "--json", *more])
    truth = {row["left"]: row["right"] for row in read(files[2])}
    found = {row["id"]: row["matched_id"] for row in read(output)}
    hits = sum(bool(meant) and found[row] == meant for row, meant in truth.items())
    linked, true = sum(map(bool, found.values())), sum(map(bool, truth.values()))
    show(f"link {left:,} × {right:,}", run)
    print(f"  P {hits / linked:.4f}  R {hits / true:.4f}  F1 {2 * hits / (linked + true):.4f}")
    print(
        f"  compared {run.summary['pairs_compared'] / left:.2f} a row; coverage without labels {run.summary['coverage']}"
    )
    return run


def measure_dedupe(data: Path, work: Path, rows: int, more: Sequence[str]) -> Run:
    """De-duplicate a table and compare with the truth."""
    files, output = dedupe_table(data, work, rows), work / "deduped.tsv"
    run = run_menpai(["dedupe", str(files[0]), "-o", str(output), "--json", *more])
    found = [row["cluster_id"] for row in read(output)]
    numbers = {cluster: at for at, cluster in enumerate(dict.fromkeys(found))}
    places = [row["place"] for row in read(files[1])]
    inside = [row["inside"] for row in read(files[1])]
    mine = [numbers[cluster] for cluster in found]
    show(f"dedupe {rows:,}", run)
    print("  pairwise  P {:.4f}  R {:.4f}  F1 {:.4f}".format(*clusters.pairwise(places, mine)))
    print("  B-cubed   P {:.4f}  R {:.4f}  F1 {:.4f}".format(*clusters.b_cubed(places, mine)))
    mixed = defaultdict(set)
    for cluster, numbers_inside in zip(mine, inside, strict=True):
        mixed[cluster].add(numbers_inside)
    count = sum(len(some) > 1 for some in mixed.values())
    print(
        f"  clusters {len(mixed):,} of {len(set(places)):,} places; that mix numbers, buildings or rooms: {count}"
    )
    print(f"  candidates without labels {run.summary.get('coverage')}")
    return run


def run_menpai(words: Sequence[str]) -> Run:
    """Run the command line in a process of its own."""
    return run_command([sys.executable, "-m", "menpai", *words])


def run_command(words: Sequence[str]) -> Run:
    """Run a command that prints JSON, and look at the memory of all its processes meanwhile."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start, peak = time.perf_counter(), 0.0
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        while child.poll() is None:
            peak = max(peak, sum(map(memory_of, family(child.pid))))
            time.sleep(_EVERY_SECONDS)
        assert child.stdout is not None
        answer = child.stdout.read()
    wall = time.perf_counter() - start
    if child.returncode:
        raise SystemExit(f"{' '.join(words)}: exit code {child.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, peak, json.loads(answer))


def family(root: int) -> list[int]:
    """A process and all that it started."""
    above: dict[int, list[int]] = defaultdict(list)
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            above[int(Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[1])].append(int(name))
        except OSError:
            continue
    found = [root]
    for process in found:
        found += above[process]
    return found


def memory_of(process: int) -> float:
    """Megabytes that a process has for itself, and its share of what it has with others."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def show(what: str, run: Run) -> None:
    """What a run took, and its stages."""
    print(f"{what}: {run.wall:.1f} s, CPU {run.cpu:.1f} s, peak {run.peak:,.0f} MB", flush=True)
    for stage in run.summary["stages"]:
        print(
            f"  {stage['name']:<11}{stage['rows_in']:>12,}{stage['pairs_out']:>12,}{stage['seconds']:>9.1f} s"
        )


def recall_of_link(data: Path, work: Path, left: int, right: int, some: int) -> None:
    """How many of the true pairs of `some` left rows the candidates hold."""
    files = link_tables(data, work, left, right)
    truth = {row["left"]: row["right"] for row in read(files[2])}
    ours, theirs = records_of(read(files[0])[:some]), records_of(read(files[1]))
    place = dict(zip(theirs.ids, theirs.of_row.tolist(), strict=True))
    rows = zip(ours.ids, ours.of_row.tolist(), strict=True)
    true = {(entity, place[truth[row]]) for row, entity in rows if truth[row]}
    texts = [entity.text for entity in theirs.entities]
    pairs = find_pairs([entity.text for entity in ours.entities], texts, Plan().candidates, numbers=True)
    for name, each in (("all", pairs), ("compared", near_best(pairs))):
        held = true & set(zip(each.left.tolist(), each.right.tolist(), strict=True))
        rate = len(each.left) / len(ours.entities)
        print(
            f"  candidates, {name}: {rate:.2f} a row hold {len(held) / len(true):.4f} of the true pairs",
            flush=True,
        )


def recall_of_dedupe(data: Path, work: Path, rows: int, some: int) -> None:
    """How many of the true pairs of different spellings that `some` rows have the candidates hold, and how many of all are
    linked by a chain of true candidates."""
    files = dedupe_table(data, work, rows)
    records, places = records_of(read(files[0])), [row["place"] for row in read(files[1])]
    of: dict[str, set[int]] = defaultdict(set)
    for place, entity in zip(places, records.of_row.tolist(), strict=True):
        of[place].add(entity)
    chosen = [sorted(of[place]) for place in dict.fromkeys(places[:some]) if len(of[place]) > 1]
    asked = sorted({entity for members in chosen for entity in members})
    texts = [entity.text for entity in records.entities]
    pairs = find_pairs(
        [texts[at] for at in asked],
        texts,
        CLUSTERED * Plan().candidates + 1,
        numbers=True,
        near=NEAR_CLUSTERS / 2,
    )
    held = {frozenset((asked[a], b)) for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)}
    true = [frozenset((a, b)) for members in chosen for a in members for b in members if a < b]
    direct = sum(pair in held for pair in true)
    reached = sum(
        len(group) * (len(group) - 1) // 2 for members in chosen for group in chained(members, held)
    )
    shares = f"{direct / len(true):.4f} of the true pairs, {reached / len(true):.4f} with those reached through others"
    print(f"  candidates hold {shares}")


def chained(members: Sequence[int], held: set[frozenset[int]]) -> Iterable[set[int]]:
    """Members in the groups that candidates link."""
    groups: list[set[int]] = []
    for member in members:
        linked = [group for group in groups if any(frozenset((member, other)) in held for other in group)]
        groups = [group for group in groups if group not in linked] + [{member}.union(*linked)]
    return groups


def records_of(rows: Rows) -> Records:
    """Rows as they are compared."""
    return make_records((Raw(row["id"], row["address"]) for row in rows), 300)


def read(path: Path) -> Rows:
    """The rows of a TSV."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    main()
