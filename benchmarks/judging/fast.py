"""The fast scorer alone: pairs a second from texts, and from readings; what each step takes.

    python -m benchmarks.judging.fast PAIRS.tsv [--limit 5000] [--runs 3] [--processes 2]

Every text of the file is read once. Medians, and in the end all steps in several processes at a time.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from menpai.evidence import compare_sides, measure, side_of
from menpai.packs import open_pack
from menpai.parsing import parse
from menpai.scoring.linear import LinearModel
from menpai.scoring.scorer import softmax
from menpai.text import normalize

Pair = tuple[str, str]


def main() -> None:
    """Microseconds of each step, then pairs a second."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--limit", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    with args.pairs.open(encoding="utf-8", newline="") as file:
        rows = islice(csv.DictReader(file, delimiter="\t"), args.limit)
        pairs = list(dict.fromkeys((row["address_a"], row["address_b"]) for row in rows))
    steps(pairs[:200])
    found = [steps(pairs) for _ in range(args.runs)]
    for name in found[0]:
        print(f"{name:<28}{statistics.median(run[name] for run in found) / len(pairs) * 1e6:8.1f} µs a pair")
    for name, keys in (("from texts", tuple(found[0])), ("from readings", tuple(found[0])[1:])):
        seconds = statistics.median(sum(run[key] for key in keys) for run in found)
        print(f"{name}: {len(pairs) / seconds:.0f} pairs/s in one process")
    with ProcessPoolExecutor(args.processes) as pool:
        list(pool.map(steps, [pairs[:200]] * args.processes))
        for name, skipped in (("from texts", 0), ("from readings", 1)):
            runs = list(pool.map(steps, [pairs] * args.processes))
            rate = sum(len(pairs) / sum(list(run.values())[skipped:]) for run in runs)
            print(f"{name}: {rate:.0f} pairs/s in {args.processes} processes")


def steps(pairs: list[Pair]) -> dict[str, float]:
    """Seconds of each step."""
    weights = open_pack("menpai-mini").read_json("weights")
    model = LinearModel.from_json(weights["fast"], weights["features"], "menpai-mini")
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    taken: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = time.perf_counter()
        out = work()
        taken[name] = time.perf_counter() - start
        return out

    sides = timed("read (normalize, parse)", lambda: {t: side_of(parse(normalize(t))) for t in texts})
    both = [(sides[a], sides[b]) for a, b in pairs]
    comparisons = timed("compare", lambda: [compare_sides(*pair) for pair in both])
    rows = timed("measure", lambda: measure(comparisons))
    timed("weigh", lambda: softmax(model.logits(rows)))
    return taken


if __name__ == "__main__":
    main()
