"""What Prometheus reads. One registry for each application, so that two in one process do not mix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from menpai._version import __version__
from menpai.errors import Problem
from menpai.verdict import Verdict

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SIZES = (1, 2, 4, 8, 16, 32, 48, 64)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """Counters and histograms of one application. No label ever holds a text."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        self._requests = Counter(
            "menpai_requests", "Requests answered.", ["route", "status"], registry=registry
        )
        self._request_seconds = Histogram(
            "menpai_request_seconds",
            "Whole time of a request.",
            ["route"],
            buckets=SECONDS,
            registry=registry,
        )
        self._stage_seconds = Histogram(
            "menpai_stage_seconds",
            "Time of a request in a stage.",
            ["stage"],
            buckets=SECONDS,
            registry=registry,
        )
        self._batch_items = Histogram(
            "menpai_batch_items", "Items in a batch.", buckets=SIZES, registry=registry
        )
        self._busy_seconds = Counter(
            "menpai_busy_seconds", "Time workers spent on batches.", registry=registry
        )
        self._pairs = Counter("menpai_pairs", "Pairs judged.", ["label", "decided_by"], registry=registry)
        self._problems = Counter(
            "menpai_problems", "Rows that could not be handled.", ["code"], registry=registry
        )
        self._shed = Counter(
            "menpai_shed_items", "Items never run: full, deadline, gone.", ["reason"], registry=registry
        )
        self._queue = Gauge("menpai_queue_items", "Items that wait.", registry=registry)
        self._ready = Gauge("menpai_ready", "1 when warmed and not draining.", registry=registry)
        self._build = Gauge(
            "menpai_build_info",
            "Version, pack and behaviour.",
            ["version", "pack", "behaviour"],
            registry=registry,
        )

    def request(self, route: str, status: int, seconds: float, stages: Mapping[str, float]) -> None:
        """Count an answered request; `stages` are seconds by name."""
        self._requests.labels(route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)
        for stage, spent in stages.items():
            self._stage_seconds.labels(stage).observe(spent)

    def batch(self, items: int, seconds: float) -> None:
        """Count a batch that a worker has run."""
        self._batch_items.observe(items)
        self._busy_seconds.inc(seconds)

    def results(self, results: Sequence[object]) -> int:
        """Count verdicts by label and judge, and problems by code; the number of problems."""
        problems = 0
        for result in results:
            if isinstance(result, Verdict):
                self._pairs.labels(result.label, result.decided_by).inc()
            elif isinstance(result, Problem):
                self._problems.labels(result.code).inc()
                problems += 1
        return problems

    def shed(self, reason: str, items: int) -> None:
        """Count items that were accepted or offered but never run."""
        if items:
            self._shed.labels(reason).inc(items)

    def watch_queue(self, length: Callable[[], float]) -> None:
        """Ask `length` for the queue's length whenever the metrics are read."""
        self._queue.set_function(length)

    def ready(self, ready: bool) -> None:
        """Say whether work is taken."""
        self._ready.set(int(ready))

    def build(self, pack: str, behaviour: str) -> None:
        """Say what is running."""
        self._build.labels(__version__, pack, behaviour).set(1)

    def page(self) -> bytes:
        """The text that Prometheus scrapes."""
        return generate_latest(self.registry)
