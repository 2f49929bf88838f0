"""Precision and recall of what was joined, from the answers to the control sample.

Stratified by bins of similarity, as Marchant & Rubinstein (PVLDB 10:1322, 2017, "OASIS") do it. The estimate is the
stratified one (Cochran 1977, Sampling Techniques, ch. 5): each stratum's share of same places times its size. Of one
stratum, the interval is that of Clopper & Pearson (Biometrika 26:404, 1934); of several, the distributions whose tails
those bounds are, Beta(k, n − k + 1) and Beta(k + 1, n − k), are added up by drawing from them, and what was not asked is
drawn from the share. So a stratum that was asked as a whole adds no doubt, and one without a single same place among its
answers still does. The intervals are rather too wide than too narrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.tables.review.sample import Stratum

DRAWS = 4000
_TAILS = (2.5, 97.5)


class Counts(NamedTuple):
    """Of a stratum: how many pairs it has, how many of its control sample were answered, and how many are one place."""

    size: int
    answered: int
    same: int


class Estimate(NamedTuple):
    """A share (None: too few answers for one) and its 95 % interval."""

    value: float | None
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """The JSON shape."""
        value = None if self.value is None else round(self.value, 4)
        return {"value": value, "low": round(self.low, 4), "high": round(self.high, 4)}


class Quality(NamedTuple):
    """Of the pairs of an output: which share of the joined ones is right, and which share of the right ones is joined.

    None where the output holds no joined pairs, or none that were not joined.
    """

    precision: Estimate | None
    recall: Estimate | None


def estimate(strata: Mapping[Stratum, Counts], seed: int = 0) -> Quality:
    """Both estimates; the same answers give the same ones."""
    joined = {name: counts for name, counts in strata.items() if name.joined}
    others = {name: counts for name, counts in strata.items() if not name.joined}
    if not joined:
        return Quality(None, None)
    random = np.random.default_rng(seed)
    fewest, most = (_same(joined.values(), random, most=most) for most in (False, True))
    size = sum(counts.size for counts in joined.values())
    right = _point(joined.values())
    precision = _estimate(right, float(size), fewest / size, most / size)
    if not others:
        return Quality(precision, None)
    missed, few_missed = (_same(others.values(), random, most=most) for most in (True, False))
    total = _point(strata.values())
    recall = _estimate(
        None if total is None else right, total, _share(fewest, missed), _share(most, few_missed)
    )
    return Quality(precision, recall)


def _same(strata: Iterable[Counts], random: np.random.Generator, *, most: bool) -> NDArray[np.float64]:
    """How many pairs of all strata are one place at the fewest, or at the most, in DRAWS draws."""
    total = np.zeros(DRAWS)
    for size, answered, same in strata:
        a, b = (same + 1, answered - same) if most else (same, answered - same + 1)
        share = random.beta(a, b, DRAWS) if a and b else np.full(DRAWS, float(most))
        total += same + random.binomial(size - answered, share)
    return total


def _share(part: NDArray[np.float64], rest: NDArray[np.float64]) -> NDArray[np.float64]:
    """The part of both; all of nothing."""
    total = part + rest
    return np.divide(part, total, out=np.ones(DRAWS), where=total > 0)


def _point(strata: Iterable[Counts]) -> float | None:
    """How many pairs are one place by the answers; None while a stratum has none."""
    counts = list(strata)
    if not all(each.answered for each in counts):
        return None
    return sum(each.size * each.same / each.answered for each in counts)


def _estimate(
    part: float | None, whole: float | None, fewest: NDArray[np.float64], most: NDArray[np.float64]
) -> Estimate:
    """The value between its bounds, which hold it whatever the draws were."""
    low, high = (float(np.percentile(*each)) for each in zip((fewest, most), _TAILS, strict=True))
    if part is None or not whole:
        return Estimate(None, low, high)
    value = part / whole
    return Estimate(value, min(low, value), max(high, value))
