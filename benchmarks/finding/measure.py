"""What the measures of finding share: queries, what counts as found, and how figures are printed."""

from __future__ import annotations

import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

INDEX = {"nation": "nation", "city": "city", "hangzhou": "nation", "five": "five"}
"Set of queries → the index that they are asked of."
Finder = Callable[[Any, int], Sequence[tuple[str, str]]]
"A query and k → (id, address) of the best k rows, best first."


class Result(NamedTuple):
    """One query: the place of the right row among those found (None if it is not), seconds, and its noise."""

    place: int | None
    seconds: float
    noise: str


def read_queries(work: Path, name: str, part: str, most: int) -> list[dict[str, Any]]:
    """The queries of a set, of one part ("all": of both)."""
    lines = (work / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if part in ("all", row["part"])]
    return rows[:most]


def ask(find: Finder, name: str, queries: Iterable[dict[str, Any]], k: int = 10) -> list[Result]:
    """Each query's result."""
    results = []
    for row in queries:
        start = time.perf_counter()
        found = find(row["query"], k)
        seconds = time.perf_counter() - start
        places = (at for at, (id_, text) in enumerate(found) if is_right(name, row, id_, text))
        results.append(Result(next(places, None), seconds, row["noise"]))
    return results


def is_right(name: str, row: dict[str, Any], id_: str, text: str) -> bool:
    """Whether it is the row that was meant, or another one with the same text; in the city road, number and building
    are what counts, since a query may leave the room out."""
    if name == "city":
        return id_.split("/")[:2] == row["id"].split("/")[:2]
    return id_ == row["id"] or text == row.get("text")


def recall(results: Sequence[Result], k: int) -> float:
    """Share of queries whose row is among the first k."""
    return sum(result.place is not None and result.place < k for result in results) / max(1, len(results))


def show(title: str, results: Sequence[Result], by_noise: bool = False) -> None:
    """One line: recall and milliseconds; and one for each noise if asked for."""
    times = sorted(1e3 * result.seconds for result in results)
    p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
    print(
        f"{title:<34} n {len(results):>5}  recall@1 {recall(results, 1):.4f}  @10 {recall(results, 10):.4f}"
        f"  P50 {statistics.median(times):7.2f} ms  P99 {p99:7.2f} ms"
    )
    groups = defaultdict(list)
    for result in results:
        for noise in result.noise.split("+"):
            groups[noise].append(result)
    for noise, group in sorted(groups.items()) if by_noise else ():
        print(
            f"    {noise:<30} n {len(group):>5}  recall@1 {recall(group, 1):.4f}  @10 {recall(group, 10):.4f}"
        )
