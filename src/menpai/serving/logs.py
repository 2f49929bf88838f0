"""One JSON line a request on standard output: ids, codes and timings, never a text unless asked to."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, TextIO

from starlette.types import Scope

from menpai.serving.codec import write_json

TRACE = "menpai.trace"
# Probes and scrapes come every few seconds and say nothing while all is well.
QUIET = frozenset({"/livez", "/readyz", "/metrics"})


@dataclass(slots=True)
class Trace:
    """What is known of one request: seconds by stage, and the facts that its log line will hold."""

    id: str
    route: str
    method: str
    started: float = field(default_factory=perf_counter)
    stages: dict[str, float] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Since the request began."""
        return perf_counter() - self.started

    @property
    def server_timing(self) -> str:
        """The header Server-Timing, in milliseconds."""
        return ", ".join(f"{stage};dur={seconds * 1000:.2f}" for stage, seconds in self.stages.items())


def trace_of(scope: Scope) -> Trace:
    """The trace that the outermost middleware put into the scope."""
    trace: Trace = scope[TRACE]
    return trace


class Log:
    """Writes JSON lines; a reader that has gone away costs no request."""

    def __init__(self, *, with_text: bool, stream: TextIO | None = None) -> None:
        self._with_text = with_text
        self._stream = stream or sys.stdout

    def request(self, trace: Trace, status: int) -> None:
        """One line for a request that has ended."""
        if trace.route in QUIET and status in (200, 503):
            return
        stages = {f"{stage}_ms": round(seconds * 1000, 3) for stage, seconds in trace.stages.items()}
        self.event(
            "request", id=trace.id, method=trace.method, route=trace.route, status=status,
            ms=round(trace.seconds * 1000, 3), **stages, **trace.facts,
            **(trace.texts if self._with_text else {}),
        )  # fmt: skip

    def failure(self, trace: Trace, error: Exception) -> None:
        """Note where an unforeseen error came from; its message may quote an address and needs `log_text`."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        trace.facts["error"] = f"{type(error).__name__} in {last.name}, {last.filename}:{last.lineno}"
        trace.texts["error_text"] = str(error)

    def event(self, event: str, **facts: Any) -> None:
        """One line: when, what, and its facts."""
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = write_json({"time": time, "event": event, **facts}).decode()
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            return
