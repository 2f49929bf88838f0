"""compare: two readings laid side by side, and what speaks for and against them, by name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import text
from menpai.evidence.agreement import conflicts, hard_conflicts, level
from menpai.evidence.comparison import Comparison, compare
from menpai.evidence.containment import CONTAINMENT_FEATURES
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
    *CONTAINMENT_FEATURES,
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
_COLUMN = {feature.name: at for at, feature in enumerate(FEATURES)}
# An element feature is 1 for one relation: looked up, not called. The others are called.
_RELATION_COLUMNS = {
    (feature.element, relation): _COLUMN[feature.name]
    for feature in ELEMENT_FEATURES
    for relation in Relation
    if feature.name == f"{feature.element}_{relation.name.lower()}"
}
_CALLED = tuple(
    (at, feature.measure) for at, feature in enumerate(FEATURES) if feature not in ELEMENT_FEATURES
)


def measure(comparisons: Sequence[Comparison]) -> NDArray[np.float32]:
    """The features of each comparison, [n, len(FEATURES)], each in 0..1."""
    rows = np.zeros((len(comparisons), len(FEATURES)), dtype=np.float32)
    for row, comparison in zip(rows, comparisons, strict=True):
        values = [0.0] * len(FEATURES)
        for relation in comparison.relations.items():
            if (at := _RELATION_COLUMNS.get(relation)) is not None:
                values[at] = 1.0
        for at, called in _CALLED:
            values[at] = called(comparison)
        row[:] = values
    return rows
