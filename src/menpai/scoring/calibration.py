"""Calibration of a pack on judged pairs: two questions, each a logistic line over what the scorer thinks.

Same place? And if not, the same area? Each answer is a rising function of the scorer's own, so what makes the scorer
less sure of "exact" never raises P(exact) here, and neither the order of a pair nor its neighbours matter (decision
0026). Platt (1999), "Probabilistic outputs for support vector machines"; for three classes as nested dichotomies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from menpai.verdict import Probabilities

Floats = NDArray[np.float64]

_LEAST_SLOPE = 0.05
_TINY = 1e-12
# What holds slope and shift to 1 and 0: as much as one doubtful pair in two directions.
_PRIOR = 1.0


class Line(NamedTuple):
    """A logistic line: log-odds · slope + shift; the slope is above 0."""

    slope: float = 1.0
    shift: float = 0.0

    def at(self, odds: float) -> float:
        """The probability at these log-odds."""
        value = self.slope * odds + self.shift
        power = math.exp(-abs(value))
        return 1 / (1 + power) if value >= 0 else power / (1 + power)

    def after(self, first: Line) -> Line:
        """The line that does what `first` does, and then this one."""
        return Line(self.slope * first.slope, self.slope * first.shift + self.shift)


class Calibration(NamedTuple):
    """`same`: is it the same place? `area`: if not, the same area? The default changes nothing."""

    same: Line = Line()
    area: Line = Line()

    def apply(self, given: Probabilities) -> Probabilities:
        """The calibrated probabilities of one pair."""
        exact = self.same.at(odds_of(given.exact_match, given.partial_match + given.not_match))
        partial = self.area.at(odds_of(given.partial_match, given.not_match))
        return Probabilities(exact, (1 - exact) * partial, (1 - exact) * (1 - partial))

    def after(self, first: Calibration) -> Calibration:
        """One calibration for both, `first` and then this one."""
        return Calibration(self.same.after(first.same), self.area.after(first.area))

    def to_json(self) -> dict[str, list[float]]:
        """The shape that `from_json` reads: slope and shift of each question."""
        return {"same": list(self.same), "area": list(self.area)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Calibration:
        """The calibration of a pack's file; raises ValueError for one that is not two rising lines."""
        lines = [Line(float(slope), float(shift)) for slope, shift in (value["same"], value["area"])]
        if not all(math.isfinite(line.shift) and 0 < line.slope < math.inf for line in lines):
            raise ValueError("calibration: each line has a slope above 0 and a shift")
        return cls(*lines)


def odds_of(share: float, rest: float) -> float:
    """The log-odds of two probabilities, finite whatever they are."""
    return math.log(max(share, _TINY) / max(rest, _TINY))


def fit(scores: Sequence[Sequence[float]], truths: Sequence[int | bool]) -> Calibration:
    """The calibration that makes the truths likeliest, held to changing nothing where they say little.

    `truths` are places in LABELS, or whether each pair is the same place; then only that question is answered.
    """
    same = [truth is True or (truth is not False and truth == 0) for truth in truths]
    first = fit_line([odds_of(p[0], p[1] + p[2]) for p in scores], same)
    apart = [(p, truth) for p, truth in zip(scores, truths, strict=True) if type(truth) is int and truth > 0]
    second = fit_line([odds_of(p[1], p[2]) for p, _ in apart], [truth == 1 for _, truth in apart])
    return Calibration(first, second)


def fit_line(odds: Sequence[float], truths: Sequence[bool]) -> Line:
    """Newton's method on the penalised likelihood, damped; it is convex, so there is one answer."""
    x, y = np.asarray(odds, np.float64), np.asarray(truths, np.float64)
    now, start = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(now[0] * x + now[1], -500, 500)))
        wrong, weight = chance - y, chance * (1 - chance)
        gradient = np.array([wrong @ x, wrong.sum()]) + _PRIOR * (now - start)
        curvature = np.array([[weight @ (x * x), weight @ x], [weight @ x, weight.sum()]])
        step = np.linalg.solve(curvature + _PRIOR * np.eye(2), gradient)
        now = now - np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    return Line(max(float(now[0]), _LEAST_SLOPE), float(now[1]))
