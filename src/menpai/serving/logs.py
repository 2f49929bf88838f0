"""One JSON line a request on standard output: ids, codes and timings, never a text unless asked to."""

from __future__ import annotations

import contextlib
import hashlib
import queue
import random
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from time import perf_counter, sleep
from typing import Any, TextIO

import msgspec
from starlette.types import Scope

from menpai.serving.codec import write_json
from menpai.serving.metrics import outcome_of

TRACE = "menpai.trace"
# Probes and scrapes come every few seconds and say nothing while all is well.
QUIET = frozenset({"/livez", "/readyz", "/metrics"})
# In the order in which a request passes them; any other stage comes after.
STAGES = ("normalize", "cache", "queue", "infer")
NO_SECONDS = dict.fromkeys(STAGES, 0.0)
WAITING_LINES = 100_000  # for a reader of the log that is slower than the service; further lines are dropped
LINES_AT_ONCE = 1_000
GATHER_SECONDS = 0.005


@dataclass(slots=True)
class Trace:
    """What is known of one request: seconds by stage, and the facts that its log line will hold.

    Facts agreed on: items, problems, label, similarity, decided_by, cache (the layer that answered, or miss),
    batch (items that ran together), code (of an error), gone.
    """

    id: str
    route: str
    method: str
    started: float = field(default_factory=perf_counter)
    at: float = field(default_factory=time.time)
    client: str = ""
    stages: dict[str, float] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Since the request began."""
        return perf_counter() - self.started

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by stage, in the order in which a request passes them."""
        return {stage: self.stages[stage] for stage in STAGES if stage in self.stages} | self.stages

    @property
    def server_timing(self) -> str:
        """The header Server-Timing, in milliseconds; where pairs are judged, all of STAGES are told."""
        told = NO_SECONDS | self.stages if "cache" in self.stages else self.timings
        return ", ".join(f"{stage};dur={seconds * 1000:.2f}" for stage, seconds in told.items())


_ids = random.Random(secrets.randbits(256))


def new_id() -> str:
    """An id for a request: no secret, and so not worth a call of the system, in which Python's lock is lost."""
    return f"{_ids.getrandbits(128):032x}"


def trace_of(scope: Scope) -> Trace:
    """The trace that the outermost middleware put into the scope."""
    trace: Trace = scope[TRACE]
    return trace


class Log:
    """Writes JSON lines; a reader that has gone away costs no request."""

    def __init__(self, *, with_text: bool, stream: TextIO | Background | None = None, salt: str = "") -> None:
        self._with_text = with_text
        self._stream = stream or sys.stdout
        self._salt = hashlib.blake2b(salt.encode() or secrets.token_bytes(32)).digest()
        self.hashed = lru_cache(4096)(self._hashed)

    def request(self, trace: Trace, status: int) -> None:
        """One line for a request that has ended."""
        if trace.route in QUIET and status in (200, 503):
            return
        stages = {f"{stage}_ms": round(seconds * 1000, 3) for stage, seconds in trace.timings.items()}
        self.event(
            "request", id=trace.id, client=self.hashed(trace.client), method=trace.method, route=trace.route,
            status=status, outcome=outcome_of(status), ms=round(trace.seconds * 1000, 3), **stages,
            **trace.facts, **(trace.texts if self._with_text else {}),
        )  # fmt: skip

    def _hashed(self, client: str) -> str | None:
        """The client as it stands in the log: the same in all lines, and nobody's name or address."""
        return hashlib.blake2b(client.encode(), key=self._salt, digest_size=6).hexdigest() if client else None

    def failure(self, trace: Trace, error: Exception) -> None:
        """Note where an unforeseen error came from; its message may quote an address and needs `log_text`."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        trace.facts["error"] = f"{type(error).__name__} in {last.name}, {last.filename}:{last.lineno}"
        trace.texts["error_text"] = str(error)

    def event(self, event: str, **facts: Any) -> None:
        """One line: when, what, and its facts."""
        line = {"time": _written(time.time()), "event": event, **facts}
        try:
            self._stream.write(_line(line))
            self._stream.flush()
        except (OSError, ValueError):
            return


class Background:
    """A stream whose lines another thread writes, many at once: a slow reader of the log holds nobody up.

    When more wait than it may hold, lines are dropped, and `dropped` is told how many.
    """

    def __init__(self, stream: TextIO, dropped: Callable[[int], None] = lambda count: None) -> None:
        self._stream = stream
        self._dropped = dropped
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, daemon=True, name="menpai-log")
        self._serving = False
        with contextlib.suppress(RuntimeError):  # no more threads: what follows will fail, and says so here
            self._thread.start()
            self._serving = True

    def write(self, line: str) -> int:
        """Take a line."""
        if not self._serving:
            return self._stream.write(line)
        if self._lines.qsize() < WAITING_LINES:
            self._lines.put(line)
        else:
            self._dropped(1)
        return len(line)

    def flush(self) -> None:
        """Nothing: the thread does it."""

    def close(self, seconds: float = 2.0) -> None:
        """Write what waits, but not for ever: the reader may have stopped reading."""
        if self._serving:
            self._serving = False
            self._lines.put(None)
            self._thread.join(seconds)

    def _serve(self) -> None:
        while (line := self._lines.get()) is not None:
            sleep(GATHER_SECONDS)  # one wake-up for many lines: each takes Python's lock from a request
            lines, last = [line], False
            while len(lines) < LINES_AT_ONCE and not self._lines.empty() and not last:
                more = self._lines.get()
                last = more is None
                lines.append(more or "")
            try:
                self._stream.write("".join(lines))
                self._stream.flush()
            except (OSError, ValueError):
                self._dropped(len(lines))
            if last:
                return


def _written(now: float) -> str:
    return f"{_second(int(now))}.{int(now % 1 * 1000):03}+00:00"


@lru_cache(2)
def _second(now: int) -> str:
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _line(values: dict[str, Any]) -> str:
    try:
        return msgspec.json.encode(values).decode() + "\n"
    except (TypeError, ValueError, UnicodeEncodeError):  # a lone surrogate, say
        return write_json(values).decode() + "\n"
