"""Precision and recall of what was joined, from the answers to the control sample.

Stratified by bins of similarity, as Marchant & Rubinstein (PVLDB 10:1322, 2017, "OASIS") do it. The estimate is the
stratified one (Cochran 1977, Sampling Techniques, ch. 5): each stratum's share of same places times its size. The
interval comes from drawing each stratum's share from its posterior under Jeffreys' prior, Beta(k + ½, n − k + ½) (Brown,
Cai & DasGupta 2001, Statistical Science 16:101), and what was not asked from that share: a stratum that was asked as a
whole adds no doubt, and one without a single same place so far still does.
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
    random = np.random.default_rng(seed)
    drawn = {name: _same(counts, random) for name, counts in strata.items()}
    joined = [name for name in strata if name.joined]
    others = [name for name in strata if not name.joined]
    if not joined:
        return Quality(None, None)
    size = sum(strata[name].size for name in joined)
    right = _sum(drawn[name] for name in joined)
    total = right + _sum(drawn[name] for name in others)
    precision = _estimate(_point(strata, joined), float(size), right / size)
    if not others:
        return Quality(precision, None)
    shares = np.divide(right, total, out=np.ones(DRAWS), where=total > 0)
    every = _point(strata, [*joined, *others])
    return Quality(precision, _estimate(None if every is None else _point(strata, joined), every, shares))


def _sum(draws: Iterable[NDArray[np.float64]]) -> NDArray[np.float64]:
    return sum(draws, np.zeros(DRAWS))


def _same(counts: Counts, random: np.random.Generator) -> NDArray[np.float64]:
    """How many pairs of a stratum may be one place, in DRAWS draws."""
    size, answered, same = counts
    share = random.beta(same + 0.5, answered - same + 0.5, DRAWS)
    return same + random.binomial(size - answered, share).astype(np.float64)


def _point(strata: Mapping[Stratum, Counts], names: list[Stratum]) -> float | None:
    """How many pairs are one place by the answers; None while a stratum has none."""
    counts = [strata[name] for name in names]
    if not all(each.answered for each in counts):
        return None
    return sum(each.size * each.same / each.answered for each in counts)


def _estimate(part: float | None, whole: float | None, shares: NDArray[np.float64]) -> Estimate:
    """The interval holds the value: near 0 and 1 a posterior's tails do not."""
    low, high = (float(each) for each in np.percentile(shares, _TAILS))
    if part is None or not whole:
        return Estimate(None, low, high)
    value = part / whole
    return Estimate(value, min(low, value), max(high, value))
