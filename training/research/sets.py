"""What the research pack learns from and is measured on: the competition's pairs, and this project's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import Comparison, compare, measure
from menpai.parsing import parse
from menpai.scoring.encoder import encoder_texts
from menpai.text import normalize
from training.data import LABELS_FOLDER, OURS, Labelled, fold_of, folds_of_ours, read_labelled
from training.judged import GOLD

LEARNED = "pairs/ccks_round1.tsv"
MEASURED = "pairs/ccks_round2_open.tsv"


class Prepared(NamedTuple):
    """Judged rows as the encoder and the evidence see them."""

    texts: list[tuple[str, str]]
    labels: NDArray[np.int64]
    features: NDArray[np.float32]
    identical: NDArray[np.bool_]
    groups: list[str]
    "Query or place: rows of one group stand in one fold."

    def take(self, at: NDArray[np.intp]) -> Prepared:
        """The rows with these numbers."""
        return Prepared(
            [self.texts[i] for i in at], self.labels[at], self.features[at], self.identical[at],
            [self.groups[i] for i in at],
        )  # fmt: skip

    def folds(self, count: int) -> NDArray[np.int64]:
        """The fold of each row."""
        return np.array([fold_of(group, count) for group in self.groups])


def prepared(rows: Sequence[Labelled]) -> Prepared:
    """The rows read and compared; grouped by place, or by query where a row has none."""
    comparisons = [compare(parse(normalize(r.a)), parse(normalize(r.b))) for r in rows]
    return Prepared(
        [encoder_texts(c) for c in comparisons],
        np.array([row.label for row in rows]),
        measure(comparisons),
        _identical(comparisons),
        [row.place or row.a for row in rows],
    )


def own_rows(data: Path, folds: int, held: int) -> tuple[list[Labelled], list[Labelled]]:
    """This project's judged pairs: those to learn from, and the fifth of the places that the built-in pack holds back."""
    gold = [row for name in GOLD for row in read_labelled(data / name)]
    ours = [row for name in OURS for row in read_labelled(LABELS_FOLDER / name)]
    at = [*(fold_of(row.place, folds) for row in gold), *folds_of_ours(gold, ours, folds, held)]
    rows = list(zip(gold + ours, at, strict=True))
    return [row for row, fold in rows if fold != held], [row for row, fold in rows if fold == held]


def _identical(comparisons: Sequence[Comparison]) -> NDArray[np.bool_]:
    return np.array([c.identical for c in comparisons], dtype=bool)
