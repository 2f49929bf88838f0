"""Figures of judging: confusion, precision, recall, F1, accuracy and calibration error, in plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def confusion(gold: Ints, predicted: Ints, classes: int) -> Ints:
    """Counts with a row for each gold class and a column for each predicted one."""
    return np.bincount(gold * classes + predicted, minlength=classes * classes).reshape(classes, classes)


def per_class(counts: Ints) -> list[dict[str, float]]:
    """Precision, recall, F1 and gold count of each class; a quotient without a denominator is 0."""
    hits, gold, predicted = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    return [
        {
            "precision": _ratio(hits[i], predicted[i]),
            "recall": _ratio(hits[i], gold[i]),
            "f1": _ratio(2 * hits[i], gold[i] + predicted[i]),
            "count": int(gold[i]),
        }
        for i in range(len(counts))
    ]


def macro_f1(counts: Ints) -> float:
    """The mean F1 over the classes that occur in gold."""
    scores = [row["f1"] for row in per_class(counts) if row["count"]]
    return sum(scores) / len(scores) if scores else 0.0


def accuracy(counts: Ints) -> float:
    """The share on the diagonal."""
    return _ratio(np.trace(counts), counts.sum())


def ece(confidence: Floats, correct: NDArray[np.bool_], bins: int = 15) -> float:
    """Expected calibration error: |accuracy - confidence| in equal bins of confidence, weighted by size."""
    if not len(confidence):
        return 0.0
    which = np.clip(np.ceil(confidence * bins).astype(np.int64) - 1, 0, bins - 1)
    sure = np.bincount(which, confidence, bins)
    right = np.bincount(which, correct.astype(np.float64), bins)
    return float(np.abs(sure - right).sum() / len(confidence))


def _ratio(part: Any, whole: Any) -> float:
    return float(part) / float(whole) if whole else 0.0
