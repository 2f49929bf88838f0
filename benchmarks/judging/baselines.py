"""What a project has without menpai: a similarity with two thresholds, and boosting over string features.

Both are fitted on the same labels as the pack that they stand beside, and on nothing else. Needs rapidfuzz and scikit-learn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import JaroWinkler, LCSseq, Levenshtein, Postfix, Prefix
from sklearn.ensemble import HistGradientBoostingClassifier

from menpai.tables import metrics

Pair = tuple[str, str]
Probabilities = NDArray[np.float64]
BOOSTING = {"max_iter": 150, "learning_rate": 0.06, "max_leaf_nodes": 10, "l2_regularization": 1.0}
_NUMBER = re.compile(r"[0-9]+")
_SCORERS = (fuzz.ratio, fuzz.partial_ratio, fuzz.token_set_ratio)


class Boosting:
    """Gradient boosting over features of the two strings."""

    def __init__(self, pairs: Sequence[Pair], labels: NDArray[np.int64]) -> None:
        self._model = HistGradientBoostingClassifier(random_state=0, **BOOSTING)
        self._model.fit(features(pairs), labels)

    def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """[n, 3] in the order of LABELS."""
        found: Probabilities = self._model.predict_proba(features(pairs))
        return found


class Thresholds:
    """One similarity of RapidFuzz: above one threshold the same place, below the other not; the scorer and the
    thresholds with the best macro-F1 on the training pairs."""

    def __init__(self, pairs: Sequence[Pair], labels: NDArray[np.int64]) -> None:
        best = -1.0
        for scorer in _SCORERS:
            scores = np.array([scorer(*map(_plain, pair)) for pair in pairs])
            for low, high in combinations(range(20, 101, 2), 2):
                value = metrics.macro_f1(metrics.confusion(labels, _classes(scores, low, high), 3))
                if value > best:
                    best, self.scorer, self.low, self.high = value, scorer, low, high

    def probabilities(self, pairs: Sequence[Pair]) -> Probabilities:
        """A row of 0 and 1 for each pair: it has no doubt."""
        scores = np.array([self.scorer(*map(_plain, pair)) for pair in pairs])
        return np.eye(3)[_classes(scores, self.low, self.high)]


def features(pairs: Sequence[Pair]) -> Probabilities:
    """Similarities, shares, lengths and numbers of the two strings, [n, 19]."""
    return np.array([_row(*map(_plain, pair)) for pair in pairs])


def _classes(scores: Probabilities, low: int, high: int) -> NDArray[np.int64]:
    return np.where(scores >= high, 0, np.where(scores >= low, 1, 2))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).upper()


def _row(a: str, b: str) -> list[float]:
    short, long = sorted((a, b), key=lambda text: (len(text), text))
    some, others = grams(short), grams(long)
    numbers, more = set(_NUMBER.findall(short)), set(_NUMBER.findall(long))
    return [
        fuzz.ratio(short, long), fuzz.partial_ratio(short, long), fuzz.token_set_ratio(short, long),
        JaroWinkler.similarity(short, long), Levenshtein.normalized_similarity(short, long),
        LCSseq.similarity(short, long) / max(1, len(short)), LCSseq.normalized_similarity(short, long),
        Prefix.normalized_similarity(short, long), Postfix.normalized_similarity(short, long),
        len(some & others) / max(1, len(some)), len(some & others) / max(1, len(some | others)),
        len(set(short) & set(long)) / max(1, len(set(short))),
        len(short), len(long), len(short) / max(1, len(long)),
        len(numbers), len(more), len(numbers & more) / max(1, min(len(numbers), len(more))),
        float(bool(numbers - more and more - numbers)),
    ]  # fmt: skip


def grams(text: str) -> set[str]:
    """The pairs of neighbouring characters."""
    return {text[at : at + 2] for at in range(len(text) - 1)}
