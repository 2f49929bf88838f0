"""The service beside the bare matcher: what is served, as a share of `match_many` on the same pairs in the same minute.

    python benchmarks/serving/speed.py [--pack PACK] [--clients 1 32] [--rows 1] [--seconds 6] [--rounds 3]

Raw and served take turns in each round and the medians are printed; shares are medians of the rounds' shares. Client,
service and bare matcher share this machine's cores. Caches are off, and no pair comes twice.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import statistics
import time
from typing import Any

from client import Service, load, take, written

from menpai import Matcher


def main() -> None:
    """Print one JSON object with all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pack")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--rows", type=int, default=1, help="pairs in a request")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    matcher = Matcher.open(args.pack)
    matcher.warm()
    pairs = written()
    matcher.match_many(take(pairs, 8))
    rounds: list[list[dict[str, Any]]] = []
    with Service(args.pack) as service:
        asyncio.run(load(service.port, 8, 1.0, pairs, args.rows))  # warm, as a service of some minutes is
        for _ in range(args.rounds):
            before = raw(matcher, pairs, args.seconds / 2)
            loads = [asyncio.run(load(service.port, n, args.seconds, pairs, args.rows)) for n in args.clients]
            bare = (before + raw(matcher, pairs, args.seconds / 2)) / 2
            alone = lone(matcher, pairs)
            rounds.append([{**found, "raw": bare, "lone_ms": alone} for found in loads])
    print(json.dumps([summary(list(each), args.rows) for each in zip(*rounds, strict=True)], indent=1))


def raw(matcher: Matcher, pairs: Any, seconds: float) -> float:
    """Pairs a second through one call of match_many."""
    some = take(pairs, 16)
    started = time.perf_counter()
    matcher.match_many(some)
    count = max(64, int(seconds * 16 / (time.perf_counter() - started)) // 64 * 64)
    some = take(pairs, min(count, 8192))
    started = time.perf_counter()
    matcher.match_many(some)
    return len(some) / (time.perf_counter() - started)


def lone(matcher: Matcher, pairs: Any) -> float:
    """Median milliseconds of a pair alone."""
    times = []
    for a, b in itertools.islice(pairs, 40):
        started = time.perf_counter()
        matcher.match(a, b)
        times.append(time.perf_counter() - started)
    return 1000 * statistics.median(times)


def summary(found: list[dict[str, Any]], rows: int) -> dict[str, Any]:
    """Medians over the rounds."""
    middle = {name: statistics.median(each[name] for each in found) for name in found[0]}
    clients = int(middle["clients"])
    return {
        "clients": clients,
        "raw_pairs_per_second": round(middle["raw"], 1),
        "served_pairs_per_second": round(middle["requests_per_second"] * rows, 1),
        "share": round(
            statistics.median(each["requests_per_second"] * rows / each["raw"] for each in found), 3
        ),
        "p50_ms": round(middle["p50_ms"], 2),
        "p99_ms": round(middle["p99_ms"], 2),
        "p99_over_fair": round(middle["p99_ms"] / 1000 / (clients / middle["requests_per_second"]), 2),
        "lone_raw_ms": round(middle["lone_ms"], 2),
        "p50_over_lone_raw": round(statistics.median(each["p50_ms"] / each["lone_ms"] for each in found), 2),
        "refused": sum(each["refused"] for each in found),
    }


if __name__ == "__main__":
    main()
