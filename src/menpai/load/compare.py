"""Two runs side by side: the same load in both, and by how much they differ."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from menpai.errors import UsageError


@dataclass(frozen=True, slots=True)
class Difference:
    """One load in two runs: rates, 99th percentiles and failures, first and second."""

    load: str
    rates: tuple[float, float]
    p99s: tuple[float, float]
    failed: tuple[float, float]

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape; a ratio is second ÷ first, None where the first is nothing."""
        return {
            "load": self.load,
            "requests_per_second": [*self.rates, _ratio(self.rates)],
            "p99_ms": [*self.p99s, _ratio(self.p99s)],
            "failed_share": [*self.failed],
        }


def read_run(path: str) -> dict[str, Any]:
    """A run as `menpai loadtest -o` wrote it; raises UsageError for what is none."""
    try:
        value = json.loads(Path(path).read_bytes())
        assert all(key in value for key in ("workload", "machine", "service"))
        for step in value["steps"]:
            _facts(step)
    except OSError as error:
        raise UsageError("file_failed", path=path, reason=error.strerror or str(error)) from None
    except (ValueError, TypeError, KeyError, AssertionError, AttributeError, RecursionError):
        raise UsageError("load_no_run", path=path) from None
    return dict(value)


def compare(first: dict[str, Any], second: dict[str, Any]) -> list[Difference]:
    """The loads that both have, in the order of the first."""
    others = dict(map(_facts, second["steps"]))
    return [
        Difference(name, *zip(facts, others[name], strict=True))
        for name, facts in map(_facts, first["steps"]) if name in others
    ]  # fmt: skip


def unlike(first: dict[str, Any], second: dict[str, Any]) -> Iterator[str]:
    """What else differs between two runs, so that a reader does not blame the service: workload.route, machine.cores."""
    for part in ("workload", "machine", "service"):
        for name in sorted({*first[part], *second[part]}):
            if first[part].get(name) != second[part].get(name):
                yield f"{part}.{name}"


def _facts(step: dict[str, Any]) -> tuple[str, tuple[float, float, float]]:
    """The load's name, and its rate, P99 in ms (0 without answers) and share of failures."""
    load = f"{step['clients']}" if step["loop"] == "closed" else f"{step['rate']:g}/s"
    failed = sum(
        count for kind, count in step["outcomes"].items() if kind not in ("200", "429", "503", "504")
    )
    p99 = float(step["latency"]["p99"]) if step["latency"] else 0.0
    return load, (float(step["requests_per_second"]), p99, failed / max(int(step["sent"]), 1))


def _ratio(pair: tuple[float, float]) -> float | None:
    return round(pair[1] / pair[0], 3) if pair[0] else None
