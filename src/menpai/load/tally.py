"""What was sent and what came back: times and outcomes of one step."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from menpai.load.connection import Outcome

# The service's own words for "not now": they are refusals, not failures.
REFUSALS = frozenset({429, 503, 504})


@dataclass(frozen=True, slots=True)
class Latency:
    """Of how many answers, and how long they took, in milliseconds."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float
    max: float

    @classmethod
    def of(cls, seconds: array[float]) -> Latency | None:
        """The latency of these times; None of none. A percentile is a time that occurred, never one between."""
        if not seconds:
            return None
        times = np.sort(np.frombuffer(seconds)) * 1000
        at = [times[min(len(times) - 1, int(share * len(times)))] for share in (0.5, 0.95, 0.99)]
        rounded = [round(float(value), 3) for value in (times.mean(), *at, times[-1])]
        return cls(len(times), *rounded)


class Tally:
    """Counts every request once. Times of answers and of refusals are kept apart."""

    def __init__(self) -> None:
        self.sent = 0
        self.outcomes: Counter[str] = Counter()
        self.answered = array("d")
        self.refused = array("d")
        self.in_time = 0

    def count(self, outcome: Outcome, seconds: float, in_time: bool) -> None:
        """A request came to its end; `in_time`: while the step still ran, so that it counts in the rate."""
        self.outcomes[str(outcome)] += 1
        if outcome == 200:
            self.answered.append(seconds)
            self.in_time += in_time
        elif outcome in REFUSALS:
            self.refused.append(seconds)


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the report: how much load, for how long, and what came of it."""

    loop: Literal["closed", "open"]
    clients: int
    rate: float
    arrivals: str
    seconds: float
    sent: int
    outcomes: dict[str, int]
    requests_per_second: float
    pairs_per_second: float
    latency: Latency | None
    refusals: Latency | None
    tester: dict[str, float]
    warnings: tuple[str, ...]

    @property
    def failed(self) -> int:
        """Requests that ended otherwise than with an answer or a refusal."""
        return sum(n for kind, n in self.outcomes.items() if kind != "200" and not _is_refusal(kind))

    @property
    def refused(self) -> int:
        """Requests that the service refused."""
        return sum(n for kind, n in self.outcomes.items() if _is_refusal(kind))

    @property
    def load(self) -> str:
        """The load as the report names it: clients, or requests a second."""
        return str(self.clients) if self.loop == "closed" else f"{self.rate:g}/s"

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        return asdict(self)


def _is_refusal(kind: str) -> bool:
    return kind.isdigit() and int(kind) in REFUSALS
