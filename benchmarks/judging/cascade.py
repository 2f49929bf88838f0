"""What early decisions cost and save: the cascade beside the encoder on every pair, at every threshold.

    python -m benchmarks.judging.cascade DATA [--pack NAME] [--svg OUT.svg] [--runs 3] [--limit 8000]

Sets with labels (held gold, round 2): macro-F1 at each threshold. Blocked candidate pairs of real tables (two tables of
Hangzhou, neighbours in the official notices; the ten most alike by character pairs): labels that differ from the encoder's,
and pairs a second of `match_many` with and without early decisions, in turn. Needs scikit-learn for blocking.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.judging.sets import Judged, of_rows, own, together
from menpai import Matcher
from menpai.evidence import compare, measure
from menpai.policy import apply_policies
from menpai.scoring.cascade import open_cascade
from menpai.scoring.scorer import softmax
from menpai.settings import Settings
from menpai.tables import metrics
from menpai.verdict import LABELS, Probabilities
from training.data import read_labelled

Pair = tuple[str, str]
THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.83, 0.86, 0.9, 0.93, 0.96, 0.99, 1.01)


class Both(NamedTuple):
    """What the fast scorer and the whole say of each pair, policies included, and how sure the fast one is."""

    fast: NDArray[np.int64]
    whole: NDArray[np.int64]
    sure: NDArray[np.float64]
    identical: NDArray[np.bool_]

    def at(self, least: float) -> tuple[float, NDArray[np.int64]]:
        """The share of pairs that need no encoder at this threshold, and the labels."""
        early = (self.sure >= least) | self.identical
        return float(early.mean()), np.where(early, self.fast, self.whole)


def main() -> None:
    """Curves, then rates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pack", default="menpai-mini")
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=8000)
    args = parser.parse_args()
    matcher = Matcher.open(args.pack)
    labelled = {
        "held gold": together(own(args.data)[1][name] for name in ("pairs", "written")),
        "ccks_round2_open": of_rows(read_labelled(args.data / "pairs" / "ccks_round2_open.tsv")),
    }
    blocked = {"Hangzhou": hangzhou(args.data), "official notices": neighbours(args.data)}
    blocked = {name: list(islice(pairs, args.limit)) for name, pairs in blocked.items()}
    curves = {name: curve(both(matcher, judged.pairs), judged) for name, judged in labelled.items()}
    show_curves(curves)
    print("\n| candidate pairs of | early | labels that differ | cascade, pairs/s | encoder on all | ratio |")
    print("|---|---|---|---|---|---|")
    for name, pairs in blocked.items():
        found = both(matcher, pairs)
        share, labels = found.at(_clear(matcher))
        quick, slow = rates(args.pack, pairs, args.runs)
        print(
            f"| {name} ({len(pairs)}) | {share:.1%} | {(labels != found.whole).mean():.2%} | {quick:.0f} | {slow:.0f} "
            f"| {quick / slow:.2f} |"
        )
    if args.svg:
        args.svg.write_text(draw(curves, _clear(matcher)), encoding="utf-8")


def both(matcher: Matcher, pairs: Sequence[Pair]) -> Both:
    """Both answers on every pair."""
    cascade = open_cascade(matcher.pack, "onnx", early=False)
    readings = {text: matcher.parse(text) for pair in pairs for text in pair}
    comparisons = [compare(readings[a], readings[b]) for a, b in pairs]
    rows = measure(comparisons)
    quick = softmax(cascade.fast.logits(rows))
    whole = [score.probabilities for score in cascade.read(comparisons, rows)()]
    identical = np.array([c.identical for c in comparisons], dtype=bool)
    known = Probabilities(1.0, 0.0, 0.0)
    quick = [known if same else given for same, given in zip(identical, quick, strict=True)]

    def labels(given: Sequence[Probabilities]) -> NDArray[np.int64]:
        decided = [apply_policies(c, p, "en")[0].label for c, p in zip(comparisons, given, strict=True)]
        return np.array([LABELS.index(label) for label in decided])

    return Both(labels(quick), labels(whole), np.array([max(p) for p in quick]), identical)


def curve(found: Both, judged: Judged) -> list[tuple[float, float, float]]:
    """(threshold, share decided early, macro-F1)."""
    out = []
    for least in THRESHOLDS:
        share, labels = found.at(least)
        out.append((least, share, metrics.macro_f1(metrics.confusion(judged.labels, labels, 3))))
    return out


def show_curves(curves: dict[str, list[tuple[float, float, float]]]) -> None:
    """A column for each threshold's early share and macro-F1."""
    print("| threshold | " + " | ".join(f"{name}: early | macro-F1" for name in curves) + " |")
    print("|---|" + "---|---|" * len(curves))
    for rows in zip(*curves.values(), strict=True):
        least = "never" if rows[0][0] > 1 else f"{rows[0][0]:.2f}"
        print(f"| {least} | " + " | ".join(f"{share:.1%} | {f1:.4f}" for _, share, f1 in rows) + " |")


def rates(pack: str, pairs: list[Pair], runs: int) -> tuple[float, float]:
    """Pairs a second with and without early decisions, addresses not yet read; medians of runs in turn."""
    matchers = [
        Matcher.open(settings=Settings.load({"pack": pack, "cascade": early})) for early in (True, False)
    ]
    seconds: list[list[float]] = [[], []]
    for matcher in matchers:
        matcher.warm()
    for _ in range(runs):
        for matcher, taken in zip(matchers, seconds, strict=True):
            matcher.forget()
            start = time.perf_counter()
            matcher.match_many(pairs, evidence=False)
            taken.append(time.perf_counter() - start)
    quick, slow = (len(pairs) / statistics.median(taken) for taken in seconds)
    return quick, slow


def hangzhou(data: Path) -> Iterator[Pair]:
    """Each place of one table beside the ten most alike of the other."""
    with (data / "entities" / "hz_gd_poi_1982.tsv").open(encoding="utf-8") as file:
        left = [
            row["address"] + row["name"]
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    with (data / "entities" / "hz_dp_poi_2959.tsv").open(encoding="utf-8") as file:
        right = [
            row["address"] + row["name"]
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]
    return alike(left, right, 10)


def neighbours(data: Path, count: int = 12_000) -> Iterator[Pair]:
    """Places of the official notices beside the ten most alike of their part of the file."""
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8") as file:
        places = [
            "".join(dict.fromkeys(row.rstrip("\n").split("\t")))
            for row in islice(file, 40_001, 40_001 + count)
        ]
    places = list(dict.fromkeys(places))
    return alike(places[::12], places, 10)


def alike(left: list[str], right: list[str], count: int) -> Iterator[Pair]:
    """Each left text with the `count` most alike right ones that are not the same text."""
    model = TfidfVectorizer(analyzer="char", ngram_range=(2, 2), sublinear_tf=True)
    columns = model.fit_transform(right).T.tocsc()
    scores = (model.transform(left) @ columns).tocsr()
    for at, text in enumerate(left):
        row = scores[at]
        for place in row.indices[np.argsort(-row.data, kind="stable")[: count + 1]]:
            if right[place] != text:
                yield text, right[place]


def draw(curves: dict[str, list[tuple[float, float, float]]], clear: float) -> str:
    """An SVG: macro-F1 against the share decided early, a line for each set; a ring where the pack stands."""
    width, height, left, top = 640, 360, 60, 20
    values = [f1 for rows in curves.values() for *_, f1 in rows]
    low, high = min(values) - 0.01, max(values) + 0.01
    x = lambda share: left + share * (width - left - 160)  # noqa: E731
    y = lambda f1: top + (height - top - 40) * (high - f1) / (high - low)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>']  # fmt: skip
    for step in range(6):
        f1, share = low + (high - low) * step / 5, step / 5
        parts.append(f'<line x1="{left}" x2="{x(1):.0f}" y1="{y(f1):.1f}" y2="{y(f1):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y(f1) + 3:.1f}" text-anchor="end">{f1:.3f}</text>')
        parts.append(f'<text x="{x(share):.1f}" y="{height - 22}" text-anchor="middle">{share:.0%}</text>')
    parts.append(
        f'<text x="{x(0.5):.0f}" y="{height - 6}" text-anchor="middle">decided without the encoder</text>'
    )
    for at, (name, rows) in enumerate(curves.items()):
        colour = f"hsl({at * 200},60%,45%)"
        points = " ".join(f"{x(share):.1f},{y(f1):.1f}" for _, share, f1 in rows)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        _, share, f1 = min(rows, key=lambda row: abs(row[0] - clear))
        parts.append(f'<circle cx="{x(share):.1f}" cy="{y(f1):.1f}" r="4" fill="none" stroke="{colour}"/>')
        parts.append(f'<text x="{x(1) + 8:.0f}" y="{top + 8 + at * 15}" fill="{colour}">{name}</text>')
    return "\n".join((*parts, "</svg>\n"))


def _clear(matcher: Matcher) -> float:
    """From which probability on the pack's fast scorer decides alone."""
    return float(matcher.pack.read_json("weights")["clear"])


if __name__ == "__main__":
    main()
