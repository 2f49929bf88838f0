"""Pairs as training batches: labelled rows read from files, normalized, encoded, bucketed by length."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.address import LEVELS
from menpai.scoring.tokens import SPECIAL, Rows, Vocabulary, encode
from menpai.text import normalize
from menpai.verdict import LABELS

# Judged for this project and kept beside the code: drawn from the notices by draw.py, and written.
OURS = ("drawn_pairs.tsv", *(f"written_pairs{n}.tsv" for n in ("", "_2", "_3", "_4")))
# The label of pairs that nobody judged: they teach by their hidden characters alone.
UNJUDGED = -100
LABELS_FOLDER = Path(__file__).with_name("labels")


class Labelled(NamedTuple):
    """A judged pair, as written, with the place by which files are split."""

    a: str
    b: str
    label: int
    place: str
    source: str
    level: str = ""
    conflict: str = ""


class Batch(NamedTuple):
    """Encoded rows of one bucket with their labels; all [n, bucket] but `labels` [n]."""

    rows: Rows
    labels: NDArray[np.int64]


def read_labelled(path: Path) -> list[Labelled]:
    """The rows of a labelled file (address_a, address_b, label, and place if there is one)."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        Labelled(
            row["address_a"], row["address_b"], LABELS.index(row["label"]), row.get("place", ""), path.stem,
            row.get("level", ""), row.get("conflict", ""),
        )
        for row in rows
    ]  # fmt: skip


def with_hints(rows: Sequence[Labelled]) -> NDArray[np.int64]:
    """[n, 3]: the label of each row, its level and its conflict (positions in LEVELS, `UNJUDGED` where none is given)."""
    place = {name: at for at, name in enumerate(LEVELS)}
    return np.array([(r.label, place.get(r.level, UNJUDGED), place.get(r.conflict, UNJUDGED)) for r in rows])


def fold_of(place: str, folds: int) -> int:
    """The fold of a place: stable over runs and machines (SHA-256 of its name)."""
    return int.from_bytes(hashlib.sha256(place.encode()).digest()[:4], "big") % folds


def folds_of_ours(gold: list[Labelled], ours: list[Labelled], folds: int, held: int) -> list[int]:
    """The fold of each of our rows: by its city, or the held one if it names a place that gold holds back."""
    places = {row.place for row in gold if fold_of(row.place, folds) == held and len(row.place) > 1}
    names = re.compile("|".join(map(re.escape, sorted(places)))) if places else re.compile(r"(?!)")
    return [held if names.search(f"{r.a} {r.b}") else fold_of(r.place, folds) for r in ours]


def read_pairs(path: Path) -> tuple[list[tuple[str, str]], NDArray[np.int64]]:
    """Normalized texts and labels of a file that `make_pairs` wrote; `UNJUDGED` where there is none."""
    texts: list[tuple[str, str]] = []
    labels: list[int] = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            texts.append((normalize(row["a"]).text, normalize(row["b"]).text))
            labels.append(LABELS.index(row["label"]) if row["label"] else UNJUDGED)
    return texts, np.array(labels)


def vocabulary_of(texts: Iterable[str], least: int = 3) -> Vocabulary:
    """The characters that occur at least `least` times, most frequent first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    known = sorted((c for c, n in counts.items() if n >= least), key=lambda c: (-counts[c], c))
    return Vocabulary([*SPECIAL, *known])


def batches(
    texts: Sequence[tuple[str, str]],
    labels: NDArray[np.int64],
    vocabulary: Vocabulary,
    size: int,
    rng: np.random.Generator,
) -> Iterator[Batch]:
    """One pass over the pairs in random order; each batch holds pairs of one bucket, about `size` of them."""
    order = rng.permutation(len(texts))
    for start in range(0, len(order), size * 40):
        chunk = order[start : start + size * 40]
        cut = [
            Batch(
                Rows(rows.pairs[at], rows.ids[at], rows.types[at], rows.positions[at]),
                labels[chunk[rows.pairs[at]]],
            )
            for rows in encode([texts[i] for i in chunk], vocabulary)
            for at in np.array_split(np.arange(len(rows.pairs)), max(1, round(len(rows.pairs) / size)))
        ]
        for i in rng.permutation(len(cut)):
            yield cut[i]
