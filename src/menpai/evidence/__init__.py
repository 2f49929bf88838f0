"""compare: two readings laid side by side, and what speaks for and against them, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import text
from menpai.evidence.agreement import conflicts, hard_conflicts, level
from menpai.evidence.comparison import Comparison, compare
from menpai.evidence.elements import ELEMENT_FEATURES
from menpai.evidence.feature import Feature
from menpai.evidence.relation import Relation

__all__ = [
    "FEATURES",
    "Comparison",
    "Feature",
    "Relation",
    "compare",
    "conflicts",
    "hard_conflicts",
    "level",
    "measure",
]

# In this order they are the columns that a pack's weights belong to.
FEATURES: tuple[Feature, ...] = (
    *ELEMENT_FEATURES,
    text.text_alike,
    text.detail_alike,
    text.detail_covered,
    text.names_covered,
    text.names_covered_both,
    text.ending_differs,
    text.numbers_shared,
    text.numbers_apart,
    text.direction_differs,
    text.length_apart,
    text.relative_place,
)
_MEASURES = tuple(f.measure for f in FEATURES)


def measure(comparisons: Sequence[Comparison]) -> NDArray[np.float32]:
    """The features of each comparison, [n, len(FEATURES)], each in 0..1."""
    rows = [[m(c) for m in _MEASURES] for c in comparisons]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))
