"""What the other pairs of both sides say about a pair: a shop is one shop of the other table."""

from __future__ import annotations

import numpy as np

from menpai.tables.linkage.candidates import Floats, Pairs, Places
from menpai.tables.linkage.weights import ALONE, FIRST, OWN, RIVAL, RIVAL_MOST


def against_rivals(pairs: Pairs, odds: Floats) -> Floats:
    """The log-odds of each pair once its best rivals on either side are known."""
    return weighed(odds, *(best_others(side, odds, ALONE) for side in (pairs.left, pairs.right)))


def weighed(odds: Floats, lefts: Floats, rights: Floats) -> Floats:
    """The same, where the best rivals of either side are known."""
    gaps = [np.clip(odds - others, -RIVAL_MOST, RIVAL_MOST) for others in (lefts, rights)]
    return np.asarray(OWN * odds + RIVAL * (gaps[0] + gaps[1]) + FIRST)


def best_others(groups: Places, values: Floats, nothing: float) -> Floats:
    """For each entry the greatest value of the others of its group; `nothing` where it is alone."""
    if not len(groups):
        return values
    order = np.lexsort((-values, groups))
    sorted_groups, sorted_values = groups[order], values[order]
    first = np.flatnonzero(np.diff(sorted_groups, prepend=-1))
    sizes = np.diff(first, append=len(groups))
    second = np.where(sizes > 1, sorted_values[np.minimum(first + 1, len(groups) - 1)], nothing)
    others = np.repeat(sorted_values[first], sizes)
    others[first] = second
    found = np.empty(len(groups))
    found[order] = others
    return found
