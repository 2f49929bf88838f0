"""Addresses a second for normalize and parse on one core, and the time of the first parse; peers in the same run.

Seconds are those of the processor (all threads together), so that neighbours on the machine do not count.

Usage: python benchmarks/parsing/speed.py [DATA] [--rows 10000]
With the data folder it measures on real addresses without repeats (notices, offices, orders, road numbers),
beside cpca and JioNLP where they are installed; without it on addresses written by `synthetic`.
"""

from __future__ import annotations

import argparse
import gzip
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from libraries import peers

from menpai.packs import open_pack
from menpai.parsing import parse
from menpai.parsing.settle import settle
from menpai.parsing.tagger import Tagger
from menpai.text import normalize

# File → the columns whose join is an address.
SOURCES = {
    "national_places.tsv.gz": (0, 1, 2, 3),
    "companies.tsv": (0,),
    "messy_orders.tsv": (0,),
    "shanghai_geo.tsv": (0, 1, 2),
}
WITHOUT_TAGGER, WITH_TAGGER = "menpai normalize + parse", "menpai normalize + parse + tagger"
GOALS = {WITHOUT_TAGGER: "≥ 10,000", WITH_TAGGER: "≥ 3,000"}
# Rows for the peers: JioNLP reads some hundreds a second.
PEER_ROWS = 2000


def synthetic(rows: int) -> list[str]:
    """Addresses of about 25 characters in the usual order."""
    heads = (
        "浙江省杭州市西湖区",
        "北京市朝阳区望京街道",
        "四川成都高新区",
        "江苏省南通市海门市余东镇",
        "长安区",
    )
    roads = ("文三路", "建设北大街", "中山东路", "青年路二段", "科技三路")
    return [
        f"{heads[i % 5]}{roads[i % 3]}{i % 400 + 1}号阳光花园{i % 30 + 1}号楼{i % 4 + 1}单元{i % 20 + 101}室"
        for i in range(rows)
    ]


def real(data: Path, rows: int, seed: int = 1) -> list[str]:
    """Distinct addresses of the data folder, as many of each file, shuffled."""
    texts: list[str] = []
    for name, columns in SOURCES.items():
        path = data / "addresses" / name
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file][1:]
        found = {"".join(dict.fromkeys(line[c] for c in columns if c < len(line))) for line in lines}
        texts += random.Random(seed).sample(sorted(found - {""}), min(rows // len(SOURCES), len(found)))
    random.Random(seed).shuffle(texts)
    return texts


def timed(work: Callable[[], object], count: int, runs: int = 5) -> float:
    """Median items a second over the runs."""
    rates = []
    for _ in range(runs):
        start = time.process_time()
        work()
        rates.append(count / (time.process_time() - start))
    return statistics.median(rates)


def built_in_tagger() -> Tagger | None:
    """The tagger of the built-in pack on one thread, warmed; None if it has none."""
    pack = open_pack("menpai-mini")
    if "tagger" not in pack.manifest["files"]:
        return None
    tagger = Tagger.open(pack)
    tagger.warm()
    return tagger


def yardstick() -> float:
    """Million steps a second of a plain loop in Python: what this machine gives in this minute."""
    return timed(lambda: sum(i * i for i in range(1_000_000)), 1_000_000) / 1e6


def table(texts: list[str], runs: int = 5) -> dict[str, float]:
    """Name → items a second; menpai on all texts, the peers on the first of them."""
    normalized = [normalize(text) for text in texts]
    rates = {
        "menpai normalize": timed(lambda: [normalize(t) for t in texts], len(texts), runs),
        "menpai parse": timed(lambda: [parse(n) for n in normalized], len(texts), runs),
        WITHOUT_TAGGER: timed(lambda: [parse(normalize(t)) for t in texts], len(texts), runs),
    }
    if (tagger := built_in_tagger()) is not None:
        rates[WITH_TAGGER] = timed(
            lambda: settle([parse(normalize(t)) for t in texts], tagger), len(texts), runs
        )
    some = texts[:PEER_ROWS]
    for name, read in peers().items():
        rates[name] = timed(lambda read=read: read(some), len(some), 1 if name == "JioNLP" else 3)  # type: ignore[misc]
    return rates


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--rows", type=int, default=10000)
    args = parser.parse_args()
    start = time.process_time()
    parse(normalize("浙江省杭州市西湖区文三路1号"))
    print(f"first parse, tables included: {(time.process_time() - start) * 1e3:.1f} ms")
    print(f"a plain loop in Python: {yardstick():.1f} million steps a second")
    texts = real(args.data, args.rows) if args.data else synthetic(args.rows)
    print(
        f"{len(texts):,} addresses of {statistics.mean(map(len, texts)):.1f} characters on average, no repeats"
    )
    rates = table(texts)
    ours = rates[WITHOUT_TAGGER]
    for name, rate in rates.items():
        times = "" if name.startswith("menpai") else f"   menpai is {ours / rate:.1f} times as fast"
        print(f"{name:36}{rate:>10,.0f} a second{times}")


if __name__ == "__main__":
    main()
