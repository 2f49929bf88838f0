"""The measured sets: held fifths of our own pairs, the competition's open half, Shenzhen, pairs of public pages."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.verdict import LABELS
from training.data import LABELS_FOLDER, OURS, Labelled, fold_of, folds_of_ours, read_labelled

Pair = tuple[str, str]
GOLD = ("gold/pairs.tsv", "gold/written.tsv")
FOLDS, HELD = 5, 0
_NUMBER = re.compile(r"[0-9]+")


class Judged(NamedTuple):
    """Pairs with their labels; `groups` are places or queries, by which intervals are drawn."""

    pairs: list[Pair]
    labels: NDArray[np.int64]
    groups: list[str]
    levels: list[str]
    conflicts: list[str]


def of_rows(rows: Iterable[Labelled]) -> Judged:
    """Rows of a labelled file."""
    rows = list(rows)
    return Judged(
        [(row.a, row.b) for row in rows],
        np.array([row.label for row in rows]),
        [row.place or row.a for row in rows],
        [row.level for row in rows],
        [row.conflict for row in rows],
    )


def own(data: Path) -> tuple[dict[str, Judged], dict[str, Judged]]:
    """By file: what the built-in pack learned labels from, and the fifth of the places that it did not."""
    gold = [row for name in GOLD for row in read_labelled(data / name)]
    ours = [row for name in OURS for row in read_labelled(LABELS_FOLDER / name)]
    folds = [*(fold_of(row.place, FOLDS) for row in gold), *folds_of_ours(gold, ours, FOLDS, HELD)]
    parts: tuple[dict[str, list[Labelled]], ...] = (defaultdict(list), defaultdict(list))
    for row, fold in zip(gold + ours, folds, strict=True):
        parts[fold == HELD][row.source].append(row)
    seen, held = ({name: of_rows(rows) for name, rows in part.items()} for part in parts)
    return seen, held


def together(parts: Iterable[Judged]) -> Judged:
    """Several sets as one."""
    pairs, labels, *others = zip(*parts, strict=True)
    joined = [[x for part in column for x in part] for column in others]
    return Judged([pair for part in pairs for pair in part], np.concatenate(labels), *joined)


def shenzhen_hard(path: Path) -> Judged:
    """The positives of the set (label 0), and as many hard negatives made from them (label 2).

    A negative is a positive's left text beside the right text of another positive that differs from its own in one
    number, which the left text names, and in nothing else; the nearest number.
    """
    with path.open(encoding="utf-8", newline="") as file:
        same = [r for r in csv.DictReader(file, delimiter="\t") if r["same_building"] == "1"]
    positives = [(row["address_a"], row["address_b"]) for row in same]
    known, by_shape = set(positives), defaultdict(set)
    for _, b in positives:
        by_shape[_NUMBER.sub("0", b)].add(b)
    negatives = []
    for a, b in positives:
        near = [
            (gap, c) for c in by_shape[_NUMBER.sub("0", b)] if (gap := _gap(a, b, c)) and (a, c) not in known
        ]
        if near:
            negatives.append((a, min(near)[1]))
    pairs = positives + negatives
    labels = np.repeat([0, 2], [len(positives), len(negatives)])
    return Judged(pairs, labels, [_NUMBER.sub("", b) for _, b in pairs], [], [])


def _gap(a: str, b: str, c: str) -> int:
    """By how much the one number differs that b and c do not share; 0 if it is not one, or not named in a."""
    apart = [(x, y) for x, y in zip(_NUMBER.findall(b), _NUMBER.findall(c), strict=True) if x != y]
    if len(apart) != 1 or apart[0][0] not in _NUMBER.findall(a):
        return 0
    return abs(int(apart[0][0]) - int(apart[0][1]))


def pages(path: Path) -> Judged:
    """Pairs of public pages without doubtful rows and without bare scores."""
    names = dict(zip(("exact", "partial", "not"), range(len(LABELS)), strict=True))
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t")
            if row["judged"] in names and "doubtful:" not in (row["note"] or "")
        ]
    pairs = [(row["addr_a"], row["addr_b"]) for row in rows]
    return Judged(
        pairs, np.array([names[row["judged"]] for row in rows]), [row["id"] for row in rows], [], []
    )
