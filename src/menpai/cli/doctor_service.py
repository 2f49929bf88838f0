"""What a running service says of itself: its /metrics, read without any package, and which stage limits it."""

from __future__ import annotations

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from menpai.errors import NotReadyError

WATCHED_SECONDS = 2.0
FEW = 20  # requests in the watched seconds, below which all since the start are looked at instead
# Who only looks asks for no work: 503 of /readyz while it warms is nothing that was shed.
PROBES = {"/livez", "/readyz", "/metrics"}
PROBED = {"200": "ok", "503": "shed"}
TIMEOUT_SECONDS = 5
LARGEST_PAGE = 10_000_000
_LINE = re.compile(r"(\w+)(?:\{(.*)\})? ([-+.\deE]+|[+-]Inf|NaN)(?: \d+)?")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
Labels = tuple[tuple[str, str], ...]
Samples = dict[tuple[str, Labels], float]


@dataclass(frozen=True, slots=True)
class Service:
    """A service in figures; times in ms, shares of 1, None where nothing says it."""

    url: str
    seconds: float | None  # looked at; None: since the start
    requests: float
    outcomes: dict[str, float]
    stages_ms: dict[str, float]  # on average, for a request that passes the stage
    stage_share: dict[str, float]  # of all time in stages
    p99_ms: float | None
    busy: float | None
    cores_used: float | None
    queue_ms: float
    batch_items: float | None
    padding: float | None
    cache_hits: dict[str, float]
    cache_failures: float
    loop_lag_p99_ms: float | None
    memory: float | None
    gpu_utilisation: float | None
    gpu_memory: float | None
    reloads: float

    @property
    def limit(self) -> str | None:
        """The stage that most time goes to."""
        return max(self.stage_share, key=lambda name: self.stage_share[name], default=None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self) | {"limit": self.limit}


def read_service(url: str, key: str = "") -> Service:
    """The figures of the service at this address; raises NotReadyError if it cannot be read."""
    page = url.rstrip("/") if url.rstrip("/").endswith("/metrics") else url.rstrip("/") + "/metrics"
    first = read_samples(_fetch(page, key))
    started = time.monotonic()
    time.sleep(WATCHED_SECONDS)
    last = read_samples(_fetch(page, key))
    watched = {name: value - first.get(name, 0.0) for name, value in last.items()}
    if sum(_work(watched).values()) >= FEW:
        return _figures(url, watched, last, time.monotonic() - started)
    return _figures(url, last, last, None)


def read_samples(page: str) -> Samples:
    """The samples of a page in Prometheus' text format."""
    samples: Samples = {}
    for line in page.splitlines():
        if found := _LINE.fullmatch(line):
            labels = tuple(sorted(_LABEL.findall(found[2] or "")))
            samples[found[1], labels] = float(found[3])
    return samples


def quantile(samples: Samples, name: str, share: float, **where: str) -> float | None:
    """The quantile of a histogram, linear inside a bucket, as Prometheus reckons it."""
    buckets: dict[float, float] = {}
    for (metric, labels), value in samples.items():
        if metric == f"{name}_bucket" and where.items() <= dict(labels).items():
            bound = float(dict(labels)["le"])
            buckets[bound] = buckets.get(bound, 0.0) + value
    total, below, low = max(buckets.values(), default=0.0), 0.0, 0.0
    for bound, count in sorted(buckets.items()):
        if total and count >= share * total:
            if bound == float("inf"):
                return low
            return low + (bound - low) * (share * total - below) / (count - below or 1)
        below, low = count, bound
    return None


def _figures(url: str, counted: Samples, now: Samples, seconds: float | None) -> Service:
    outcomes = _work(counted)
    spent = _by(counted, "menpai_stage_seconds_sum", "stage")
    passed = _by(counted, "menpai_stage_seconds_count", "stage")
    whole = sum(spent.values())
    lived = seconds or (time.time() - _sum(now, "process_start_time_seconds"))
    workers = _sum(now, "menpai_workers")
    tokens, padding = _sum(counted, "menpai_batch_tokens_sum"), _sum(counted, "menpai_padding_tokens_total")
    batches = _sum(counted, "menpai_batch_items_count")
    lag = quantile(counted, "menpai_loop_lag_seconds", 0.99)
    gpu_memory = _sum(now, "menpai_gpu_memory_total_bytes")
    slow = [quantile(counted, "menpai_request_seconds", 0.99, route=route) for route in _routes(counted)]
    return Service(
        url=url,
        seconds=seconds and round(seconds, 1),
        requests=sum(outcomes.values()),
        outcomes=outcomes,
        stages_ms={name: 1000 * took / passed[name] for name, took in spent.items() if passed.get(name)},
        stage_share={name: took / whole for name, took in spent.items()} if whole else {},
        p99_ms=max((1000 * value for value in slow if value is not None), default=None),
        busy=_sum(counted, "menpai_busy_seconds_total") / lived / workers if workers else None,
        cores_used=_sum(counted, "process_cpu_seconds_total") / lived,
        queue_ms=1000 * _sum(now, "menpai_queue_predicted_seconds"),
        batch_items=_sum(counted, "menpai_batch_items_sum") / batches if batches else None,
        padding=padding / (padding + tokens) if padding + tokens else None,
        cache_hits=_hits(counted),
        cache_failures=sum(
            value
            for (metric, labels), value in counted.items()
            if metric == "menpai_cache_lookups_total" and dict(labels)["result"] not in ("hit", "miss")
        ),
        loop_lag_p99_ms=None if lag is None else 1000 * lag,
        memory=_sum(now, "menpai_memory_bytes") or None,
        gpu_utilisation=max(_by(now, "menpai_gpu_utilisation", "gpu").values(), default=None),
        gpu_memory=_sum(now, "menpai_gpu_memory_used_bytes") / gpu_memory if gpu_memory else None,
        reloads=_by(counted, "menpai_events_total", "event").get("reloaded", 0.0),
    )


def _work(samples: Samples) -> dict[str, float]:
    """Requests by outcome, without those of probes and scrapers."""
    outcomes = _by(samples, "menpai_outcomes_total", "outcome")
    for (metric, labels), value in samples.items():
        told = dict(labels)
        if metric == "menpai_requests_total" and told["route"] in PROBES and told["status"] in PROBED:
            outcomes[PROBED[told["status"]]] = outcomes.get(PROBED[told["status"]], 0.0) - value
    return {outcome: count for outcome, count in outcomes.items() if count > 0}


def _hits(samples: Samples) -> dict[str, float]:
    """Share of lookups that a cache knew, by layer."""
    found: dict[str, list[float]] = {}
    for (metric, labels), value in samples.items():
        if metric == "menpai_cache_lookups_total" and dict(labels)["result"] in ("hit", "miss"):
            counts = found.setdefault(dict(labels)["layer"], [0.0, 0.0])
            counts[dict(labels)["result"] == "miss"] += value
    return {layer: hits / (hits + misses) for layer, (hits, misses) in found.items() if hits + misses}


def _routes(samples: Samples) -> Iterable[str]:
    return [
        name
        for name in _by(samples, "menpai_request_seconds_count", "route")
        if "match" in name or name == "/infer"
    ]


def _by(samples: Samples, name: str, label: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for (metric, labels), value in samples.items():
        if metric == name and value:
            key = dict(labels)[label]
            found[key] = found.get(key, 0.0) + value
    return found


def _sum(samples: Samples, name: str) -> float:
    return sum(value for (metric, _), value in samples.items() if metric == name)


def _fetch(url: str, key: str) -> str:
    try:
        request = urllib.request.Request(url, headers={"authorization": f"Bearer {key}"} if key else {})
        straight = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # as load tests do
        with straight.open(request, timeout=TIMEOUT_SECONDS) as answer:
            page: bytes = answer.read(LARGEST_PAGE)
    except urllib.error.HTTPError as error:
        error.close()
        raise NotReadyError("metrics_unreadable", url=url, reason=f"{error.code} {error.reason}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = str(getattr(error, "reason", "") or error).strip()
        raise NotReadyError("metrics_unreadable", url=url, reason=reason) from None
    if b"menpai_ready" not in page:
        raise NotReadyError("metrics_unreadable", url=url, reason="no menpai_ready in it")
    return page.decode("utf-8", "replace")
