"""What Prometheus reads. One registry for each application, so that two in one process do not mix.

The parts of the service call the methods of `Metrics`; names, labels and buckets are known here only. Labels
hold codes and names of ours: never a text, never a caller.
Long because: it is one list of metrics, and the method that feeds each of them.
"""

from __future__ import annotations

import contextlib
import mmap
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from menpai._version import __version__
from menpai.engines.gpu import read_gpus
from menpai.errors import Problem
from menpai.serving.cache.written import Written

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LAGS = (0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1.0)
SIZES = (1, 2, 4, 8, 16, 32, 48, 64, 128, 256)
TOKENS = (32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
CONTENT_TYPE = CONTENT_TYPE_LATEST
PAGE = mmap.PAGESIZE

# How a request ended, by its status; a status that is not named goes by its hundreds.
OUTCOMES = {429: "quota", 499: "cancelled", 503: "shed", 504: "late"}
OUTCOME_FAMILIES = {2: "ok", 3: "ok", 4: "refused", 5: "failed"}

Kind = TypeVar("Kind", Counter, Gauge, Histogram)


def resident(processes: Sequence[int]) -> int:
    """Bytes that processes hold in memory; those that have ended, or a system without /proc, count as none."""
    pages = 0
    for process in processes:
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages += int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * PAGE


def outcome_of(status: int) -> str:
    """ok, refused (the caller's mistake), quota, shed, late, cancelled or failed."""
    return OUTCOMES.get(status) or OUTCOME_FAMILIES[status // 100]


class Metrics:
    """Counters, gauges and histograms of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        for collector in (ProcessCollector, GCCollector, GpuCollector):
            collector(registry=self.registry)
        self._child = lru_cache(512)(_labelled)
        self._lookups: dict[tuple[str, str], tuple[Callable[[], int], int]] = {}
        self._make_requests()
        self._make_work()
        self._make_state()

    def request(self, route: str, status: int, seconds: float, stages: Mapping[str, float]) -> None:
        """Count an answered request; `stages` are seconds by name."""
        child = self._child
        child(self._requests, route, str(status)).inc()
        child(self._outcomes, outcome_of(status)).inc()
        child(self._request_seconds, route).observe(seconds)
        for stage, spent in stages.items():
            child(self._stage_seconds, stage).observe(spent)

    def batch(self, items: int, seconds: float) -> None:
        """Count a batch that a worker has run, and the time it took."""
        self._batch_items.observe(items)
        self._busy_seconds.inc(seconds)

    def cut(self, reason: str, tokens: int = 0, padding: int = 0) -> None:
        """Count a batch that was cut: why it ended there, its tokens, and those more that only fill it up."""
        self._child(self._cuts, reason).inc()
        if tokens:
            self._batch_tokens.observe(tokens)
            self._padding.inc(padding)

    def queued(self, kind: str, seconds: float) -> None:
        """Note how long a request of a kind (interactive, bulk) waited for its first batch."""
        self._child(self._queue_wait, kind).observe(seconds)

    def engine(self, seconds: float) -> None:
        """Add time for which a pack's graph ran."""
        self._engine_seconds.inc(seconds)

    def results(self, results: Sequence[object]) -> int:
        """Count verdicts by label and judge, and problems by code; the number of problems."""
        counts: defaultdict[tuple[Any, ...], int] = defaultdict(int)
        problems = 0
        for each in results:
            if isinstance(each, Written):
                counts[self._pairs, each.label, each.decided_by] += 1
            elif isinstance(each, Problem):
                counts[self._problems, each.code] += 1
                problems += 1
        for kind, count in counts.items():
            self._child(*kind).inc(count)
        return problems

    def cached(self, layer: str, result: str, lookups: int = 1) -> None:
        """Count lookups in a cache (normalized, memory, disk, redis, flight): hit, miss, error or skipped."""
        if lookups:
            self._child(self._cache, layer, result).inc(lookups)

    def shed(self, reason: str, items: int) -> None:
        """Count items that were accepted or offered but never run."""
        if items:
            self._child(self._shed, reason).inc(items)

    def event(self, event: str) -> None:
        """Count what seldom happens: worker_restarted, batch_retried, reloaded, reload_refused, keys_reloaded …"""
        self._events.labels(event).inc()

    def loop_lag(self, seconds: float) -> None:
        """Note by how much the event loop was late for a timer."""
        self._loop_lag.observe(seconds)

    def watch_queue(self, length: Callable[[], float], seconds: Callable[[], float] | None = None) -> None:
        """Ask for the queue's length in items, and in predicted seconds, whenever the metrics are read."""
        self._queue.set_function(length)
        if seconds is not None:
            self._queue_predicted.set_function(seconds)

    def watch_cache(
        self, layer: str, entries: Callable[[], float], size: Callable[[], float] | None = None
    ) -> None:
        """Ask for a cache's entries, and its bytes, whenever the metrics are read."""
        self._cache_entries.labels(layer).set_function(entries)
        if size is not None:
            self._cache_bytes.labels(layer).set_function(size)

    def watch_lookups(self, layer: str, hits: Callable[[], int], misses: Callable[[], int]) -> None:
        """Ask for a cache's own counts whenever the metrics are read; counts that begin anew go on from here."""
        for result, count in (("hit", hits), ("miss", misses)):
            self._lookups[layer, result] = (count, count())

    def watch_jobs(self, counts: Callable[[], Mapping[str, int]], size: Callable[[], float]) -> None:
        """Ask for the jobs in each state, and the bytes of all tables and results, whenever the metrics are read."""
        for state in counts():
            self._jobs.labels(state).set_function(partial(_value, counts, state))
        self._jobs_bytes.set_function(size)

    def job_ended(self, kind: str, outcome: str) -> None:
        """Count a job that has ended: done, failed or deleted."""
        self._jobs_ended.labels(kind, outcome).inc()

    def watch_connections(self, count: Callable[[], float]) -> None:
        """Ask for the number of open connections whenever the metrics are read."""
        self._connections.set_function(count)

    def watch_instances(self, processes: Callable[[], Sequence[int]]) -> None:
        """Count the memory of these processes, too, whenever the metrics are read."""
        self._memory.set_function(lambda: resident([os.getpid(), *processes()]))

    def workers(self, count: int) -> None:
        """Say how many workers run batches: busy share = rate of busy seconds ÷ workers."""
        self._workers.set(count)

    def ready(self, ready: bool) -> None:
        """Say whether work is taken."""
        self._ready.set(int(ready))

    def build(self, pack: str, behaviour: str) -> None:
        """Say what is running."""
        self._build.clear()
        self._build.labels(__version__, pack, behaviour).set(1)

    def page(self) -> bytes:
        """The text that Prometheus scrapes."""
        for (layer, result), (count, seen) in self._lookups.items():
            now = count()
            self.cached(layer, result, max(0, now - seen))
            self._lookups[layer, result] = (count, now)
        return generate_latest(self.registry)

    def _make(self, kind: type[Kind], name: str, about: str, *labels: str, **more: Any) -> Kind:
        return kind(f"menpai_{name}", about, labels, registry=self.registry, **more)

    def _make_requests(self) -> None:
        make = self._make
        self._requests = make(Counter, "requests", "Requests answered.", "route", "status")
        self._outcomes = make(Counter, "outcomes", "How requests ended; each is counted once.", "outcome")
        self._request_seconds = make(
            Histogram, "request_seconds", "Whole time of a request.", "route", buckets=SECONDS
        )
        self._stage_seconds = make(
            Histogram, "stage_seconds", "Time of a request in a stage.", "stage", buckets=SECONDS
        )
        self._pairs = make(Counter, "pairs", "Pairs judged.", "label", "decided_by")
        self._problems = make(Counter, "problems", "Rows that could not be handled.", "code")
        self._shed = make(Counter, "shed_items", "Items never run: full, deadline, gone.", "reason")
        self._cache = make(Counter, "cache_lookups", "Lookups in a cache.", "layer", "result")

    def _make_work(self) -> None:
        make = self._make
        self._batch_items = make(Histogram, "batch_items", "Items in a batch.", buckets=SIZES)
        self._batch_tokens = make(Histogram, "batch_tokens", "Tokens in a batch, unpadded.", buckets=TOKENS)
        self._padding = make(Counter, "padding_tokens", "Tokens that only fill batches up.")
        self._cuts = make(Counter, "batch_cuts", "Why batches ended where they did.", "reason")
        self._busy_seconds = make(Counter, "busy_seconds", "Time workers spent on batches.")
        self._engine_seconds = make(Counter, "engine_seconds", "Time the pack's graph ran.")
        self._workers = make(Gauge, "workers", "Workers that run batches.")
        self._queue = make(Gauge, "queue_items", "Items that wait.")
        self._queue_predicted = make(Gauge, "queue_predicted_seconds", "How long what waits will take.")
        self._queue_wait = make(
            Histogram, "queue_seconds", "Wait of a request for its first batch.", "kind", buckets=SECONDS
        )

    def _make_state(self) -> None:
        make = self._make
        self._ready = make(Gauge, "ready", "1 when warmed and not draining.")
        self._build = make(Gauge, "build_info", "Version, pack, behaviour.", "version", "pack", "behaviour")
        self._events = make(Counter, "events", "What seldom happens: restarts, reloads, retries.", "event")
        self._cache_entries = make(Gauge, "cache_entries", "Entries in a cache.", "layer")
        self._cache_bytes = make(Gauge, "cache_bytes", "Bytes of a cache.", "layer")
        self._jobs = make(Gauge, "jobs", "Jobs of uploaded tables.", "state")
        self._jobs_ended = make(Counter, "jobs_ended", "Jobs that have ended.", "kind", "outcome")
        self._jobs_bytes = make(Gauge, "jobs_bytes", "Bytes of uploaded tables and their results.")
        self._memory = make(Gauge, "memory_bytes", "Resident memory of the service with its instances.")
        self.watch_instances(list)
        self._connections = make(Gauge, "connections", "Open connections.")
        self._loop_lag = make(
            Histogram, "loop_lag_seconds", "How late the event loop was for a timer.", buckets=LAGS
        )


def _value(counts: Callable[[], Mapping[str, int]], name: str) -> int:
    return counts()[name]


def _labelled(metric: Any, *labels: str) -> Any:
    """The child of a metric for these labels; prometheus_client checks them anew, under a lock, whenever it is asked."""
    return metric.labels(*labels)


class GpuCollector(Collector):
    """Asks the driver whenever the metrics are read; without a driver the families stay empty."""

    def __init__(self, registry: CollectorRegistry) -> None:
        registry.register(self)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The families, a sample for each GPU."""
        busy = GaugeMetricFamily("menpai_gpu_utilisation", "Share of time the GPU computed.", labels=["gpu"])
        used = GaugeMetricFamily("menpai_gpu_memory_used_bytes", "Memory in use.", labels=["gpu"])
        total = GaugeMetricFamily("menpai_gpu_memory_total_bytes", "Memory of the GPU.", labels=["gpu"])
        for gpu in read_gpus():
            busy.add_metric([str(gpu.index)], gpu.utilisation)
            used.add_metric([str(gpu.index)], gpu.memory_used)
            total.add_metric([str(gpu.index)], gpu.memory_total)
        yield from (busy, used, total)
