"""suggest on the two indexes: latency of every keystroke, and whether the row or its next element is in the first ten.

Run: python benchmarks/finding/suggesting.py --data DATA --work WORK [--queries 5000] [--baseline 100] [--json FILE]
WORK keeps the indexes (NAME.menpai, built once), the typed queries (typed.jsonl) and the baseline (NAME.sqlite).
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import keystrokes
import make
import places

import menpai
from menpai.text import normalize

NAMES = ("nation", "city")
TOP = 10


def main() -> None:
    """Build what is missing, then measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=places.ROWS)
    parser.add_argument("--queries", type=int, default=5_000)
    parser.add_argument(
        "--baseline", type=int, default=100, help="queries of each index that the baseline answers too"
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    queries = typed(options)
    report = {name: measure(options, name, queries[name]) for name in NAMES}
    for name, found in report.items():
        print(name)
        print(json.dumps(found, ensure_ascii=False, indent=1))
    if options.json:
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")


def typed(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """The queries of each index; written once."""
    file = options.work / "typed.jsonl"
    if not file.exists():
        spots = {"nation": places.nation, "city": places.city}
        rows = [
            {"index": name, **query}
            for name in NAMES
            for query in keystrokes.write(
                spots[name](options.data, options.rows), 2_500, Random(f"typed {name}")
            )
        ]
        make._lines(file, rows)
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in NAMES}
    for line in file.read_text("utf-8").splitlines():
        row = json.loads(line)
        found[row["index"]].append(row)
    return {name: rows[: options.queries // len(NAMES)] for name, rows in found.items()}


def library(options: argparse.Namespace, name: str) -> menpai.Library:
    """The index of a name; built once."""
    path, source = options.work / f"{name}.menpai", options.work / f"{name}.tsv"
    if path.exists():
        return menpai.Library.open(path)
    if not source.exists():
        points = list(places.dianping(options.data)) if name == "nation" else []
        spots = (places.nation if name == "nation" else places.city)(options.data, options.rows)
        make.write(name, options.work, spots, points)
    return menpai.Library.build(source, path, crs="wgs84")


def measure(options: argparse.Namespace, name: str, queries: list[dict[str, Any]]) -> dict[str, Any]:
    """Latency and hits of suggest, and of the baseline on the first of the queries."""
    opened = library(options, name)
    ours = _run(queries, lambda text: opened.suggest(text, TOP))
    few = queries[: options.baseline]
    return {"menpai": ours, "sqlite fts5 trigram": _run(few, _sqlite(options, name))}


def _run(queries: Iterable[dict[str, Any]], ask: Callable[[str], list[Any]]) -> dict[str, Any]:
    """Every keystroke of every query; hits of the last. "cpu" is what the thread itself ran: what the clock has beyond it is
    the machine's other work."""
    took: dict[str, list[float]] = defaultdict(list)
    ran: list[float] = []
    hits: dict[str, list[bool]] = defaultdict(list)
    for query in queries:
        found: list[Any] = []
        for end in range(1, len(query["typed"]) + 1):
            start, begun = time.perf_counter(), time.thread_time()
            found = ask(query["typed"][:end])
            ran.append((time.thread_time() - begun) * 1e3)
            took[query["kind"]].append((time.perf_counter() - start) * 1e3)
        hits[query["kind"]].append(any(is_hit(item, query) for item in found[:TOP]))
    every = sorted(value for values in took.values() for value in values)
    return {
        "keystrokes": len(every),
        "ms": _quantiles(every),
        "cpu ms": _quantiles(sorted(ran)),
        "hit": {kind: round(sum(values) / len(values), 3) for kind, values in hits.items()},
        "ms by kind": {kind: _quantiles(sorted(values)) for kind, values in took.items()},
        "queries": {kind: len(values) for kind, values in hits.items()},
    }


def is_hit(item: Any, query: dict[str, Any]) -> bool:
    """Whether a suggestion is the row, or its text as far as typed and on."""
    if item.id == query["id"]:
        return True
    whole = normalize(query["text"]).text
    said = len(normalize(query["text"][: query["said"]]).text)
    return whole.startswith(item.text) and len(item.text) >= said


def _quantiles(values: list[float]) -> dict[str, float]:
    return {
        f"p{share}": round(values[min(len(values) - 1, len(values) * share // 100)], 3)
        for share in (50, 90, 99)
    } | {"max": round(values[-1], 1)}


class _Row:
    def __init__(self, identity: str, text: str) -> None:
        self.id, self.text = identity, text


def _sqlite(options: argparse.Namespace, name: str) -> Callable[[str], list[_Row]]:
    """The baseline: FTS5 over trigrams, below three characters the prefix range of an ordinary index."""
    path = options.work / f"{name}.sqlite"
    fresh = not path.exists()
    base = sqlite3.connect(path)
    if fresh:
        base.execute("create virtual table rows using fts5(text, id unindexed, tokenize='trigram')")
        base.execute("create table plain(text, id)")
        with (options.work / f"{name}.tsv").open(encoding="utf-8") as file:
            next(file)
            rows = [(fields[2], fields[0]) for fields in (line.split("\t") for line in file)]
        base.executemany("insert into rows values (?, ?)", rows)
        base.executemany("insert into plain values (?, ?)", rows)
        base.execute("create index texts on plain(text)")
        base.commit()

    def ask(text: str) -> list[_Row]:
        if len(text) < 3:
            found = base.execute(
                "select id, text from plain where text >= ? and text < ? limit ?",
                (text, text + "\U0010ffff", TOP),
            )
        else:
            quoted = '"' + text.replace('"', '""') + '"'
            found = base.execute("select id, text from rows where text match ? limit ?", (quoted, TOP))
        return [_Row(identity, row) for identity, row in found]

    return ask


if __name__ == "__main__":
    main()
