"""The grey zone: bounds as they stand in tables, and an error that holds on pairs drawn alike."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from menpai.errors import UsageError
from menpai.tables.calibrate import Judged
from menpai.tables.grey import NEVER, find_grey_zone, joining, pairs_needed, upper_bound
from menpai.tables.labelled import Labelled
from menpai.verdict import Probabilities, Verdict


@pytest.mark.parametrize(
    ("wrong", "pairs", "wanted"),
    [(0, 299, 0.009969), (0, 59, 0.049509), (1, 100, 0.046564), (3, 3, 1.0)],
)  # one-sided 95 % limits of Clopper and Pearson: 1 - beta quantiles, as scipy.stats.beta.ppf(0.95, k + 1, n - k) has them
def test_bounds(wrong: int, pairs: int, wanted: float) -> None:
    assert upper_bound(wrong, pairs) == pytest.approx(wanted, abs=2e-4)


def test_a_bound_is_where_so_few_are_as_likely_as_not_to_be_believed() -> None:
    for wrong, pairs in ((0, 40), (1, 17), (5, 50), (12, 300)):
        p = upper_bound(wrong, pairs)
        chance = sum(comb(pairs, k) * p**k * (1 - p) ** (pairs - k) for k in range(wrong + 1))
        assert chance == pytest.approx(0.05, abs=1e-9)


def test_pairs_needed() -> None:
    for error in (0.01, 0.02, 0.05, 0.1):
        assert upper_bound(0, pairs_needed(error)) <= error < upper_bound(0, pairs_needed(error) - 1)


def drawn(count: int, rng: np.random.Generator) -> Judged:
    """Pairs whose label is drawn by the probabilities that the verdict gives."""
    exact, chance = rng.beta(0.3, 0.3, count), rng.random(count)
    truths = np.where(chance < exact, 0, np.where(chance < exact + 0.6 * (1 - exact), 1, 2)).tolist()
    pairs = [Labelled("a", "b", truth, "") for truth in truths]
    says = [Probabilities(e, 0.6 * (1 - e), 0.4 * (1 - e)) for e in exact.tolist()]
    verdicts = [Verdict(p, "none", (), (), "encoder", "p", "b") for p in says]
    return Judged(pairs, verdicts, 0)


def error_of(zone_from: Judged, other: Judged, max_error: float, accept: str) -> tuple[float, float]:
    """Shares of the unmarked pairs of each side whose decision is wrong; 0 where none stands."""
    zone = find_grey_zone(zone_from, max_error, accept, "drawn", {})
    sides: tuple[list[bool], list[bool]] = ([], [])
    for pair, verdict in zip(other.pairs, other.verdicts, strict=True):
        if not zone.unsure(verdict.label, verdict.probabilities):
            joined = verdict.label == "exact_match" or (
                accept == "partial" and verdict.label == "partial_match"
            )
            truly = (pair.truth or 0) <= (accept == "partial")
            sides[not joined].append(joined != truly)
    return tuple(sum(side) / max(1, len(side)) for side in sides)  # type: ignore[return-value]


@pytest.mark.parametrize("accept", ["exact", "partial"])
def test_the_error_holds_for_pairs_drawn_alike(accept: str) -> None:
    rng = np.random.default_rng(5)
    other = drawn(3000, rng)
    found = [error_of(drawn(500, rng), other, 0.05, accept) for _ in range(12)]
    exceeded = [max(pair) > 0.05 for pair in found]
    assert (
        sum(exceeded) <= 3
    )  # 95 % a side: more than three of twelve is one in a hundred, and the seed is fixed
    assert any(max(pair) > 0 for pair in found)


def test_too_few_labels_leave_all_to_people() -> None:
    judged = drawn(60, np.random.default_rng(2))
    zone = find_grey_zone(judged, 0.01, "exact", "drawn", {})
    assert all(zone.unsure(v.label, v.probabilities) for v in judged.verdicts)
    assert zone.joined.threshold == NEVER
    assert zone.to_dict()["joined"]["threshold"] is None
    assert zone.joined.supported > 0.01


def test_an_error_that_is_none_is_refused() -> None:
    for value in (0.0, 0.5, 2.0):
        with pytest.raises(UsageError) as caught:
            find_grey_zone(drawn(5, np.random.default_rng(1)), value, "exact", "drawn", {})
        assert caught.value.code == "max_error_invalid"


def test_what_joins_is_summed() -> None:
    p = Probabilities(0.5, 0.3, 0.2)
    assert (joining(p, "exact"), joining(p, "partial")) == (0.5, 0.8)
