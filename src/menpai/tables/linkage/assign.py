"""Assignment: which right entity a left entity gets, the surest pairs first."""

from __future__ import annotations

import numpy as np

from menpai.search.candidates import Mask
from menpai.tables.linkage.candidates import Floats
from menpai.tables.linkage.scoring import Scored


def assign(scored: Scored, similarity: Floats, joins: Mask, *, one: Mask) -> dict[int, int]:
    """Left entity → its pair, of those that `joins`; a right entity that a pair of `one` took is given away.

    The surest first: by similarity, then by shared keys, then by the texts' order, so that no order of rows matters.
    """
    pairs = scored.pairs
    order = np.lexsort((pairs.right, pairs.left, -pairs.score, -similarity, -scored.odds))
    taken: set[int] = set()
    chosen: dict[int, int] = {}
    alone = one.tolist()
    for at in order[joins[order]].tolist():
        left, right = int(pairs.left[at]), int(pairs.right[at])
        if left in chosen or (alone[at] and right in taken):
            continue
        chosen[left] = at
        if alone[at]:
            taken.add(right)
    return chosen
