"""What cleaning is worth to a judge that knows texts alone: macro-F1 on labelled pairs, raw, normalized, read.

Usage: python benchmarks/parsing/cleaning.py PAIRS.tsv…  (columns address_a, address_b, label, place)
The judge is a similarity of two strings with two thresholds (not | partial | exact). Thresholds are chosen
on half of the places and measured on the other half, and the other way round; the judge is the same for every
row, only its texts differ: as they are, after normalize, and after normalize + parse (the elements
below the divisions in their standard forms).
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from menpai.address import DIVISION_LEVELS, Address
from menpai.parsing import parse
from menpai.parsing.styles import standard
from menpai.tables.metrics import confusion, macro_f1
from menpai.text import normalize

LABELS = ("not_match", "partial_match", "exact_match")


def detail(address: Address) -> str:
    """The elements below the divisions in their standard forms; the whole text if there is none."""
    above = (*DIVISION_LEVELS, "devzone")
    return "".join(standard(e) for e in address.elements if e.kind not in above) or address.text


TEXTS: dict[str, Callable[[str], str]] = {
    "raw": lambda text: text,
    "normalize": lambda text: normalize(text).text,
    "normalize + parse": lambda text: detail(parse(normalize(text))),
}


class Pair(NamedTuple):
    """Two addresses, the index of their label, and which half their place is in."""

    a: str
    b: str
    label: int
    half: int


def read(paths: Sequence[Path]) -> list[Pair]:
    """The pairs of the files."""
    pairs = []
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                half = crc32(row["place"].encode()) % 2
                pairs.append(Pair(row["address_a"], row["address_b"], LABELS.index(row["label"]), half))
    return pairs


def bigrams(a: str, b: str) -> float:
    """Dice's coefficient of the bigrams of two strings."""
    first, second = (Counter(zip(f"^{text}", f"{text}$", strict=True)) for text in (a, b))
    return 2 * (first & second).total() / (first.total() + second.total())


def similarities() -> dict[str, Callable[[str, str], float]]:
    """Bigrams, and what RapidFuzz has if it is installed."""
    found: dict[str, Callable[[str, str], float]] = {"bigrams": bigrams}
    try:
        from rapidfuzz import fuzz  # noqa: PLC0415 (optional)
    except ImportError:
        return found
    return found | {"RapidFuzz ratio": lambda a, b: fuzz.ratio(a, b) / 100,
                    "RapidFuzz partial ratio": lambda a, b: fuzz.partial_ratio(a, b) / 100}  # fmt: skip


def score(values: NDArray[np.float64], labels: NDArray[np.intp], cuts: tuple[float, float]) -> float:
    """Macro-F1 of the classes that two thresholds make."""
    return float(macro_f1(confusion(labels, np.digitize(values, cuts), len(LABELS))))


def best_cuts(values: NDArray[np.float64], labels: NDArray[np.intp]) -> tuple[float, float]:
    """The two thresholds with the highest macro-F1 on a grid of quantiles."""
    grid = np.unique(np.quantile(values, np.linspace(0.02, 0.98, 40)))
    pairs = [(low, high) for low in grid for high in grid if low <= high]
    return max(pairs, key=lambda cuts: score(values, labels, cuts))


def measure(pairs: Sequence[Pair], text: Callable[[str], str], similar: Callable[[str, str], float]) -> float:
    """Macro-F1 over both halves, each with the thresholds of the other."""
    values = np.array([similar(text(pair.a), text(pair.b)) for pair in pairs])
    labels = np.array([pair.label for pair in pairs])
    half = np.array([pair.half for pair in pairs])
    predicted = np.zeros(len(pairs), np.intp)
    for side in (0, 1):
        cuts = best_cuts(values[half != side], labels[half != side])
        predicted[half == side] = np.digitize(values[half == side], cuts)
    return float(macro_f1(confusion(labels, predicted, len(LABELS))))


def main() -> None:
    """Print a row for each similarity, a column for each way to clean."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", nargs="+", type=Path)
    args = parser.parse_args()
    pairs = read(args.pairs)
    print(f"{len(pairs):,} pairs, macro-F1\n")
    print(f"| judge | {' | '.join(TEXTS)} |\n|{'---|' * (len(TEXTS) + 1)}")
    for name, similar in similarities().items():
        print(f"| {name} | {' | '.join(f'{measure(pairs, text, similar):.4f}' for text in TEXTS.values())} |")


if __name__ == "__main__":
    main()
