"""How many of the pairs that belong together were among the candidates, without knowing which do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from menpai.tables.linkage.candidates import Pairs, Places, ranks

_STEEPEST = 0.9


def estimate_coverage(lefts: Places, chosen: Mapping[int, int], limit: int) -> float:
    """By how deep the chosen pairs stood among the candidates of their row: what the last doubling of candidates added
    over the one before, carried on as a geometric series beyond the limit. 1 where nothing was chosen so deep."""
    return coverage_of(ranks(lefts)[np.fromiter(chosen.values(), np.int64, len(chosen))], limit)


def coverage_of_clusters(pairs: Pairs, cluster: Sequence[int]) -> float:
    """Of the pairs of entities inside clusters the share that were candidates: the others were reached through them. 1 where
    no cluster has two."""
    of = np.array(cluster, np.int64)
    sizes = np.bincount(of) if len(of) else of
    total = int((sizes * (sizes - 1) // 2).sum())
    return int((of[pairs.left] == of[pairs.right]).sum()) / total if total else 1.0


def coverage_of(depth: Places, limit: int, times: Places | None = None) -> float:
    """The same by the depths of the chosen pairs, from 0, each with how many there are."""
    times = np.ones(len(depth), np.int64) if times is None else times
    chosen = int(times.sum())
    if not chosen:
        return 1.0
    last = int(times[depth >= limit // 2].sum())
    before = int(times[(depth >= limit // 4) & (depth < limit // 2)].sum())
    ratio = min(_STEEPEST, last / max(1, before))
    return chosen / (chosen + last * ratio / (1 - ratio))
