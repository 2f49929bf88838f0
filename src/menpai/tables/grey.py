"""The grey zone: which verdicts a person should look at, from labelled pairs and the error that is accepted.

Two thresholds on the probability that a pair joins: above one, pairs that join stand; below the other, pairs that do
not join stand; what lies between is for review. On each side the share of wrong ones is at most the accepted error,
with 95 % confidence: Clopper-Pearson bounds on thresholds tested from the surest down until one fails (fixed-sequence
testing; Geifman and El-Yaniv 2017, "Selective classification"; Angelopoulos et al. 2021, "Learn then test").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from menpai.errors import UsageError
from menpai.tables.calibrate import Judged
from menpai.verdict import Probabilities

CONFIDENCE = 0.95
NEVER = 2.0
"A threshold that no probability reaches."
_LOOKED_AT = 50
"Thresholds that are tried for the least error that the labels support."


class Zone(NamedTuple):
    """One side: from which sureness on its verdicts stand; how many labelled pairs are there, and how many are wrong."""

    threshold: float
    pairs: int
    sure: int
    wrong: int
    bound: float
    "The share of wrong ones among the sure is below this, with the confidence."
    supported: float
    "The least accepted error with which these labels let any verdict stand."


@dataclass(frozen=True, slots=True)
class GreyZone:
    """The accepted error, what joins, both sides, and the labelled pairs that it holds for."""

    max_error: float
    accept: str
    joined: Zone
    apart: Zone
    labels: str
    counts: dict[str, int]

    def unsure(self, label: str, probabilities: Probabilities) -> bool:
        """Whether a person should look at a pair with this label."""
        chance = joining(probabilities, self.accept)
        if joins(label, self.accept):
            return chance < self.joined.threshold
        return 1 - chance < self.apart.threshold

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return {
            "max_error": self.max_error, "confidence": CONFIDENCE, "accept": self.accept, "labels": self.labels,
            "counts": self.counts, "joined": _plain(self.joined), "apart": _plain(self.apart),
        }  # fmt: skip


def joins(label: str, accept: str) -> bool:
    """Whether pairs with this label are joined."""
    return label == "exact_match" or (accept == "partial" and label == "partial_match")


def joining(probabilities: Probabilities, accept: str) -> float:
    """The probability of a label that joins."""
    partial = probabilities.partial_match if accept == "partial" else 0.0
    return probabilities.exact_match + partial


def find_grey_zone(
    judged: Judged, max_error: float, accept: str, labels: str, counts: dict[str, int]
) -> GreyZone:
    """The grey zone by labelled pairs; `labels` says where they come from."""
    if not 0 < max_error < 0.5:
        raise UsageError("max_error_invalid", value=max_error)
    sides: tuple[list[tuple[float, bool]], list[tuple[float, bool]]] = ([], [])
    for pair, verdict in zip(judged.pairs, judged.verdicts, strict=True):
        joined = joins(verdict.label, accept)
        chance = joining(verdict.probabilities, accept)
        sides[not joined].append((chance if joined else 1 - chance, joined != _truly(pair.truth, accept)))
    return GreyZone(max_error, accept, _zone(sides[0], max_error), _zone(sides[1], max_error), labels, counts)


def _truly(truth: int | bool | None, accept: str) -> bool:
    return truth if isinstance(truth, bool) else (truth or 0) <= (accept == "partial")


def _zone(side: Sequence[tuple[float, bool]], max_error: float) -> Zone:
    """The lowest threshold that passes; equal sureness stands or falls together.

    The surest pairs are tested first and one failure ends it, so that all tests together have the one confidence; where
    it starts follows from the number of pairs alone, with room for one wrong among them that was very sure.
    """
    ordered = sorted(side, key=lambda pair: -pair[0])
    wrong = np.cumsum([pair[1] for pair in ordered]).tolist() if ordered else []
    ends = [at for at, pair in enumerate(ordered, 1) if at == len(ordered) or ordered[at][0] < pair[0]]
    needed, passed = pairs_needed(max_error), 0
    first = max(needed, min(3 * needed, len(ordered) // 2))
    for end in (end for end in ends if end >= first):
        if _at_most(wrong[end - 1], end, max_error) > 1 - CONFIDENCE:
            break
        passed = end
    some = ends[:: len(ends) // _LOOKED_AT + 1]
    supported = min((upper_bound(wrong[end - 1], end) for end in some), default=1.0)
    if not passed:
        return Zone(NEVER, len(ordered), 0, 0, 1.0, supported)
    bound = upper_bound(wrong[passed - 1], passed)
    return Zone(ordered[passed - 1][0], len(ordered), passed, wrong[passed - 1], bound, supported)


def pairs_needed(max_error: float) -> int:
    """Pairs without a wrong one that it takes to be confident of this error."""
    return math.ceil(math.log(1 - CONFIDENCE) / math.log1p(-max_error))


def upper_bound(wrong: int, pairs: int) -> float:
    """The upper end of the one-sided Clopper-Pearson interval: the greatest share with which so few wrong ones are
    not too unlikely (Clopper and Pearson 1934)."""
    if wrong >= pairs:
        return 1.0
    low, high = wrong / pairs, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(wrong, pairs, middle) > 1 - CONFIDENCE else (low, middle)
    return high


def _at_most(wrong: int, pairs: int, share: float) -> float:
    """The probability of `wrong` or fewer among the pairs if each is wrong with this probability."""
    if share <= 0:
        return 1.0
    term, total = pairs * math.log1p(-share), 0.0
    for count in range(wrong + 1):
        total += math.exp(term)
        term += math.log((pairs - count) / (count + 1)) + math.log(share) - math.log1p(-share)
    return total


def review_column(added: Sequence[str]) -> tuple[str, ...]:
    """The columns that are added, with `review` before the last, which is `problem`."""
    return (*added[:-1], "review", added[-1])


def with_review(cells: tuple[Any, ...], review: bool) -> tuple[Any, ...]:
    """The cells with that of `review`, which is empty for a row with a problem."""
    return (*cells[:-1], review if cells[-1] is None else None, cells[-1])


def _plain(zone: Zone) -> dict[str, Any]:
    """A side as JSON; without any verdict that stands, its threshold is null."""
    return zone._asdict() | {"threshold": None if zone.threshold >= NEVER else zone.threshold}
