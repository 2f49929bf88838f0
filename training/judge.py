"""Judge probabilities against labels: macro-F1, per class, calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.verdict import LABELS


def judge(probabilities: NDArray[np.float64], labels: NDArray[np.int64]) -> dict[str, Any]:
    """macro_f1, f1 per label, counts, log loss and expected calibration error (15 bins)."""
    guesses = probabilities.argmax(1)
    f1 = []
    for k in range(3):
        hit = int(((guesses == k) & (labels == k)).sum())
        f1.append(2 * hit / max(1, int((guesses == k).sum() + (labels == k).sum())))
    sure = probabilities.max(1)
    bins = np.minimum((sure * 15).astype(int), 14)
    ece = sum(
        abs(sure[bins == b].mean() - (guesses == labels)[bins == b].mean()) * (bins == b).mean()
        for b in np.unique(bins)
    )
    loss = -np.log(np.maximum(probabilities[np.arange(len(labels)), labels], 1e-12)).mean()
    return {
        "macro_f1": round(float(np.mean(f1)), 4),
        "f1": {name: round(value, 4) for name, value in zip(LABELS, f1, strict=True)},
        "count": dict(zip(LABELS, np.bincount(labels, minlength=3).tolist(), strict=True)),
        "log_loss": round(float(loss), 4),
        "ece": round(float(ece), 4),
    }
