"""Microseconds per address for normalize and parse, and the time of the first parse.

Usage: python benchmarks/parsing/speed.py [FILE.tsv[.gz]] [--columns 2,3] [--rows 20000]
Without a file it measures on addresses written by `synthetic`.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from menpai.parsing import parse
from menpai.text import normalize


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


def read(path: Path, columns: Sequence[int], rows: int) -> list[str]:
    """The joined columns of the first rows."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for _, line in zip(range(rows + 1), file, strict=False)][1:]
    return ["".join(line[c] for c in columns if c < len(line)) for line in lines]


def timed(work: Callable[[], object], count: int) -> float:
    """Median microseconds per item over five runs."""
    runs = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        runs.append((time.perf_counter() - start) * 1e6 / count)
    return statistics.median(runs)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--columns", default="2,3")
    parser.add_argument("--rows", type=int, default=20000)
    args = parser.parse_args()
    columns = [int(c) for c in args.columns.split(",")]
    texts = read(args.file, columns, args.rows) if args.file else synthetic(args.rows)
    start = time.perf_counter()
    parse(normalize(texts[0]))
    print(f"first parse, tables included: {(time.perf_counter() - start) * 1e3:.1f} ms")
    normalized = [normalize(text) for text in texts]
    length = statistics.mean(map(len, texts))
    print(f"{len(texts):,} addresses of {length:.1f} characters on average")
    print(f"normalize: {timed(lambda: [normalize(t) for t in texts], len(texts)):.1f} µs per address")
    print(f"parse:     {timed(lambda: [parse(n) for n in normalized], len(texts)):.1f} µs per address")


if __name__ == "__main__":
    main()
