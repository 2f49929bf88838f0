"""This project's judged pairs, read and compared: what the fit, the calibration and the judging work on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import compare, measure
from menpai.parsing import parse
from menpai.scoring.encoder import encoder_texts
from menpai.text import normalize
from menpai.verdict import LABELS
from training.data import LABELS_FOLDER, OURS, Labelled, fold_of, folds_of_ours, read_labelled

GOLD = ("gold/pairs.tsv", "gold/written.tsv")


class Judged(NamedTuple):
    """Judged rows with everything that is computed from them."""

    rows: list[Labelled]
    texts: list[tuple[str, str]]
    labels: NDArray[np.int64]
    features: NDArray[np.float32]
    folds: NDArray[np.int64]
    identical: NDArray[np.bool_]

    def take(self, chosen: NDArray[np.bool_]) -> Judged:
        """The chosen rows."""
        at = np.flatnonzero(chosen)
        return Judged(
            [self.rows[i] for i in at], [self.texts[i] for i in at], self.labels[at], self.features[at],
            self.folds[at], self.identical[at],
        )  # fmt: skip

    def of(self, *sources: str) -> NDArray[np.bool_]:
        """Which rows come from these files."""
        return np.array([row.source in sources for row in self.rows], dtype=bool)


def read_judged(data: Path, folds: int, held: int) -> tuple[Judged, Judged]:
    """The judged rows to learn from and those of the held fold, with texts, features and folds by place."""
    gold = [row for name in GOLD for row in read_labelled(data / name)]
    ours = [row for name in OURS for row in read_labelled(LABELS_FOLDER / name)]
    rows = gold + ours
    comparisons = [compare(parse(normalize(r.a)), parse(normalize(r.b))) for r in rows]
    at = np.array([*(fold_of(row.place, folds) for row in gold), *folds_of_ours(gold, ours, folds, held)])
    labels = np.array([row.label for row in rows])
    same = np.array([c.identical for c in comparisons], dtype=bool)
    judged = Judged(rows, [encoder_texts(c) for c in comparisons], labels, measure(comparisons), at, same)
    return judged.take(at != held), judged.take(at == held)


def write_held(rows: Sequence[Labelled], work: Path) -> None:
    """The rows of each file as `held_FILE.tsv`, for `menpai evaluate`."""
    for source in sorted({row.source for row in rows}):
        lines = ["address_a\taddress_b\tlabel\tlevel\tconflict\tplace\n"]
        lines += [
            f"{r.a}\t{r.b}\t{LABELS[r.label]}\t{r.level}\t{r.conflict}\t{r.place}\n"
            for r in rows
            if r.source == source
        ]
        (work / f"held_{source}.tsv").write_text("".join(lines), encoding="utf-8")
