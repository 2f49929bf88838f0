"""compare: two readings laid side by side, and what speaks for and against them, by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from menpai.evidence import text
from menpai.evidence.agreement import conflicts, hard_conflicts, level, uncarried_number
from menpai.evidence.comparison import Comparison, compare, compare_sides
from menpai.evidence.containment import CONTAINMENT_FEATURES
from menpai.evidence.elements import ELEMENT_COLUMN, ELEMENT_FEATURES
from menpai.evidence.feature import Feature
from menpai.evidence.relation import Relation
from menpai.evidence.side import Side, side_of

__all__ = [
    "FEATURES",
    "Comparison",
    "Feature",
    "Relation",
    "Side",
    "compare",
    "compare_sides",
    "conflicts",
    "hard_conflicts",
    "level",
    "measure",
    "side_of",
    "uncarried_number",
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
# The last columns speak of the texts and are measured; those before them depend on the relations alone.
_MEASURED = tuple(feature.measure for feature in FEATURES if feature.relates is None)
_RELATED = tuple(feature.relates for feature in FEATURES if feature.relates is not None)
_FURTHER = _RELATED[len(ELEMENT_FEATURES) :]
_FloatArray = NDArray[np.float32]


def measure(comparisons: Sequence[Comparison]) -> _FloatArray:
    """The features of each comparison, [n, len(FEATURES)], each in 0..1."""
    rows = np.empty((len(comparisons), len(FEATURES)), dtype=np.float32)
    if not comparisons:
        return rows
    split = len(_RELATED)
    np.stack([_related(tuple(c.relations.items())) for c in comparisons], out=rows[:, :split])
    rows[:, split:] = [[function(c) for function in _MEASURED] for c in comparisons]
    return rows


@lru_cache(maxsize=4096)
def _related(relations: tuple[tuple[str, Relation], ...]) -> _FloatArray:
    """The features of these relations: pairs are many, the ways in which two addresses relate are few."""
    row = [0.0] * len(ELEMENT_FEATURES)
    for element_and_relation in relations:
        if (at := ELEMENT_COLUMN.get(element_and_relation)) is not None:
            row[at] = 1.0
    by_element = dict(relations)
    return np.array([*row, *(function(by_element) for function in _FURTHER)], dtype=np.float32)
