"""Pairs per second through `match_many`, beside the bare engine on the same pairs; memory of `match_iter`.

    python benchmarks/judging/speed.py [PAIRS.tsv] [--runs 5] [--stream 100000]

Without a file it judges pairs written by `written`. The bare engine is what the ONNX graph does with ready-made
arrays on all cores: the raw limit of this machine in this minute. Both are medians, run in turn.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

from menpai import Matcher
from menpai.engines import open_engine
from menpai.evidence import compare
from menpai.scoring.encoder import TOKEN_BUDGET, encoder_texts
from menpai.scoring.tokens import Vocabulary, encode


def main() -> None:
    """Print one JSON object with all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, nargs="?")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--stream", type=int, default=0, help="pairs through match_iter, for its memory")
    args = parser.parse_args()
    pairs = read_pairs(args.pairs) if args.pairs else written(4000)
    matcher = Matcher.open()
    matcher.warm()
    bare = BareEngine(matcher, pairs)
    rates: dict[str, list[float]] = {"match_many": [], "match_many_no_evidence": [], "bare_engine": []}
    for _ in range(args.runs):
        matcher.forget()
        rates["match_many"].append(len(pairs) / seconds(lambda: matcher.match_many(pairs)))
        matcher.forget()
        rates["match_many_no_evidence"].append(
            len(pairs) / seconds(lambda: matcher.match_many(pairs, evidence=False))
        )
        rates["bare_engine"].append(len(pairs) / seconds(bare.run))
    figures = {name: round(statistics.median(values)) for name, values in rates.items()}
    figures["pairs"] = len(pairs)
    figures["cores"] = matcher.settings.cores
    if args.stream:
        before = peak_mb()
        for _ in matcher.match_iter(islice(cycle(pairs), args.stream)):
            pass
        figures["stream_pairs"], figures["stream_peak_mb"] = args.stream, peak_mb()
        figures["stream_added_mb"] = peak_mb() - before
    print(json.dumps(figures))


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """The columns address_a and address_b of a TSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["address_a"], row["address_b"]) for row in csv.DictReader(file, delimiter="\t")]


def written(count: int) -> list[tuple[str, str]]:
    """Pairs in the styles of orders and standard addresses: same place, other number, other building, other estate."""
    heads = (
        "浙江省杭州市西湖区",
        "杭州西湖",
        "北京市朝阳区望京街道",
        "",
        "四川省成都市武侯区",
        "江苏南通海门余东镇",
    )
    roads = ("文三路", "建设北大街", "中山东路", "青年路", "科技三路", "解放大道", "人民南路")
    estates = (
        "阳光花园",
        "东泰花园",
        "海月小区",
        "恒大名都",
        "万科城",
        "锦绣家园",
        "翠湖天地",
        "保利香槟国际",
        "金色家园",
    )
    pairs = []
    for i in range(count):
        road, estate, number, building = roads[i % 7], estates[i % 9], i % 389 + 1, i % 31 + 1
        a = f"{heads[i % 6]}{road}{number}号{estate}{building}号楼{i % 4 + 1}单元{i % 20 + 101}室"
        b = f"{heads[i % 5]}{road}{number + (i % 3 == 0)}号{estates[(i // 4) % 9]}{building + i % 2}栋"
        pairs.append((a, b))
    return pairs


class BareEngine:
    """The pack's graph on the pairs' arrays, cut as the encoder cuts them, on all cores."""

    def __init__(self, matcher: Matcher, pairs: list[tuple[str, str]]) -> None:
        vocabulary = Vocabulary(matcher.pack.file("vocabulary").read_text(encoding="utf-8").split("\n")[:-1])
        self.engine = open_engine("onnx", matcher.pack.file("graph"), threads=1)
        self.threads = ThreadPoolExecutor(matcher.settings.cores)
        comparisons = [compare(matcher.parse(a), matcher.parse(b)) for a, b in pairs]
        self.batches = []
        for rows in encode([encoder_texts(c) for c in comparisons], vocabulary):
            step = max(1, TOKEN_BUDGET // rows.ids.shape[1])
            for start in range(0, len(rows.pairs), step):
                cut = slice(start, start + step)
                self.batches.append(
                    {"ids": rows.ids[cut], "types": rows.types[cut], "positions": rows.positions[cut]}
                )

    def run(self) -> None:
        """All batches once."""
        list(self.threads.map(self.engine.run, self.batches))


def seconds(work: Callable[[], object]) -> float:
    """How long a call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def peak_mb() -> int:
    """Peak resident memory of this process, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
