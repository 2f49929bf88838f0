"""What is said of pairs once all their rivals are known, and who gets whom: linkage.linking and linkage.assign by groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from menpai.columnar import import_arrow
from menpai.tables.linkage.assign import assign
from menpai.tables.linkage.candidates import Pairs, ranks
from menpai.tables.linkage.linked import DIGITS
from menpai.tables.linkage.linking import joins_by, labels_of, similarities_of
from menpai.tables.linkage.plan import Plan
from menpai.tables.linkage.rivals import best_others, weighed
from menpai.tables.linkage.scoring import Scored, Verdicts
from menpai.tables.linkage.weights import ALONE
from menpai.tables.spark.arrow import batch_of, numbers, texts, whole_groups

ANSWERS = (
    "a long, b long, score double, odds double, named boolean, label string, similarity double, shown double,"
    " level string, conflicts string, gap double, joins boolean, depth long"
)
CHOSEN = "a long, b long"
_NONE = np.zeros(0, np.int64)


def rivalled(batches: Iterator[Any]) -> Iterator[Any]:
    """The pairs of each right entity with the best of its other pairs."""
    arrow = import_arrow()
    for table in whole_groups(batches, "b"):
        others = best_others(_slots(table, "b"), numbers(table, "odds"), ALONE)
        yield from table.append_column("rival", arrow.array(others)).combine_chunks().to_batches()


def answered(plan: Plan, batches: Iterator[Any]) -> Iterator[Any]:
    """The pairs of each left entity with label, similarity, and the gap to the next one."""
    for table in whole_groups(batches, "a"):
        slots, named = _slots(table, "a"), numbers(table, "named")
        odds, rival = numbers(table, "odds"), numbers(table, "rival")
        settled = np.where(named, weighed(odds, best_others(slots, odds, ALONE), rival), odds)
        scored = _scored(table, slots, settled)
        labels, similarity = labels_of(scored), similarities_of(scored)
        gaps = similarity - best_others(slots, similarity, 0.0)
        kept = {name: table.column(name).combine_chunks() for name in table.column_names}
        yield batch_of(
            a=kept["a"],
            b=kept["b"],
            score=kept["score"],
            odds=settled,
            named=kept["named"],
            label=texts(labels),
            similarity=similarity,
            shown=[round(value, DIGITS) for value in similarity.tolist()],
            level=kept["level"],
            conflicts=kept["conflicts"],
            gap=[round(value, DIGITS) for value in gaps.tolist()],
            joins=[joins_by(label, plan) for label in labels],
            depth=ranks(slots),
        )


def assigned(batches: Iterator[Any]) -> Iterator[Any]:
    """The chosen pairs of each component."""
    for table in whole_groups(batches, "component"):
        a, left = np.unique(numbers(table, "a"), return_inverse=True)
        b, right = np.unique(numbers(table, "b"), return_inverse=True)
        scored = _unjudged(Pairs(left, right, numbers(table, "score")), numbers(table, "odds"))
        joins = np.ones(len(left), bool)
        chosen = assign(scored, numbers(table, "similarity"), joins, one=numbers(table, "alone"))
        places = np.array(list(chosen.values()), np.int64)
        yield batch_of(a=a[left[places]], b=b[right[places]])


def _scored(table: Any, slots: NDArray[np.int64], odds: NDArray[np.float64]) -> Scored:
    """The pairs of a table as the core has them."""
    pairs = Pairs(slots, numbers(table, "b"), numbers(table, "score"))
    verdicts = Verdicts(len(slots))
    verdicts.probabilities[:] = np.stack([numbers(table, name) for name in ("exact", "partial", "apart")], 1)
    return _unjudged(pairs, odds)._replace(named=numbers(table, "named"), verdicts=verdicts)


def _unjudged(pairs: Pairs, odds: NDArray[np.float64]) -> Scored:
    count = len(odds)
    nothing = Pairs(_NONE, _NONE, _NONE.astype(np.float64))
    return Scored(
        pairs, odds, np.zeros(count, bool), np.arange(count), Verdicts(0), nothing, nothing.score, [], _NONE
    )


def _slots(table: Any, column: str) -> NDArray[np.int64]:
    """The place of each entry's group, for a sorted column."""
    found: NDArray[np.int64] = np.unique(numbers(table, column), return_inverse=True)[1]
    return found
