"""The pairs on which the built-in encoder goes on: synthetic ones with labels, research texts without.

Every query of the research set stands beside its candidates, and its candidates beside each other: texts that
share much, whose hidden characters can only be guessed from what they share. No label of the set is written; those
of this project's own judged pairs are.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from pathlib import Path
from random import Random

from menpai.scoring.tokens import Vocabulary
from menpai.text import normalize
from menpai.verdict import LABELS
from training.data import Labelled


def write_mixed(
    synthetic: Path, every: int, research: list[Labelled], judged: list[Labelled], out: Path, seed: int
) -> None:
    """One file in the shape of `make_pairs`: each `every`-th synthetic row, the research texts without labels, and
    the judged pairs with theirs."""
    rows = [(a, b, "", "", "research") for a, b in related(research)]
    rows += [(row.a, row.b, LABELS[row.label], "", row.source) for row in judged]
    with synthetic.open(encoding="utf-8", newline="") as file:
        lines = islice(csv.reader(file, delimiter="\t"), 1, None, every)
        rows += [(a, b, label, ops, style) for a, b, label, ops, style in lines]
    Random(seed).shuffle(rows)
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(("a", "b", "label", "ops", "style"))
        writer.writerows(rows)


def related(rows: list[Labelled]) -> Iterator[tuple[str, str]]:
    """Each query with each candidate, and the candidates of a query with each other; no pair twice."""
    groups: dict[str, dict[str, None]] = {}
    for row in rows:
        groups.setdefault(row.a, {})[row.b] = None
    for query, candidates in groups.items():
        yield from combinations(dict.fromkeys([query, *candidates]), 2)


def widened(known: Vocabulary, texts: Iterable[str], least: int) -> Vocabulary:
    """The vocabulary with the characters that occur at least `least` times in the texts and are not in it."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(normalize(text).text)
    seen = set(known.entries)
    new = [c for c, n in counts.items() if n >= least and c not in seen]
    return Vocabulary([*known.entries, *sorted(new, key=lambda c: (-counts[c], c))])
