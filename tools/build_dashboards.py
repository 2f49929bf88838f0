"""Writes deploy/grafana/dashboards/*.json from the tables of panels below.

Usage: python tools/build_dashboards.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parents[1] / "deploy/grafana/dashboards"
SOURCE = {"type": "prometheus", "uid": "prometheus"}
COLUMNS, WIDTH, HEIGHT = 3, 8, 8


class Panel(NamedTuple):
    """A graph: its title, unit (Grafana's name), and queries with the legend of each."""

    title: str
    unit: str
    queries: tuple[tuple[str, str], ...]
    about: str = ""


def quantiles(metric: str, by: str = "", where: str = "") -> tuple[tuple[str, str], ...]:
    """P50, P95 and P99 of a histogram in all chosen instances."""
    groups = f"le, {by}" if by else "le"
    legend = f"{{{{{by}}}}} P" if by else "P"
    return tuple(
        (f"histogram_quantile(0.{n}, sum by ({groups}) (rate({metric}_bucket{{{HERE}{where}}}[$__rate_interval])))",
         f"{legend}{n}")
        for n in (50, 95, 99)
    )  # fmt: skip


def rate(metric: str, by: str = "", where: str = "") -> str:
    """Events a second in all chosen instances."""
    groups = f" by ({by})" if by else ""
    return f"sum{groups} (rate({metric}{{{HERE}{where}}}[$__rate_interval]))"


HERE = 'job="$job", instance=~"$instance"'
SHARE = "percentunit"
SERVICE = (
    Panel("Requests by outcome", "reqps", ((rate("menpai_outcomes_total", "outcome"), "{{outcome}}"),),
          "Every request is counted once: ok, refused (the caller's mistake), quota, shed, late, cancelled, failed."),
    Panel("Time of a request", "s", quantiles("menpai_request_seconds", where=', route!~"/livez|/readyz|/metrics"')),
    Panel("Share that failed, was shed or came late", SHARE, (
        (rate("menpai_outcomes_total", where=', outcome="failed"') + " / " + rate("menpai_outcomes_total"), "failed"),
        (rate("menpai_outcomes_total", where=', outcome=~"shed|late"') + " / " + rate("menpai_outcomes_total"),
         "shed or late"),
    )),
    Panel("Requests by route", "reqps", ((rate("menpai_requests_total", "route"), "{{route}}"),)),
    Panel("Stages, P95", "s", tuple(query for query in quantiles("menpai_stage_seconds", "stage") if "0.95" in query[0])),
    Panel("Wait before the first batch", "s", quantiles("menpai_queue_seconds", "kind")),
    Panel("Pairs by label", "ops", ((rate("menpai_pairs_total", "label"), "{{label}}"),),
          "A shift that no change of data explains is a reason to look: see the page on troubleshooting."),
    Panel("Pairs by what decided them", "ops", ((rate("menpai_pairs_total", "decided_by"), "{{decided_by}}"),)),
    Panel("Rows that could not be handled", "ops", ((rate("menpai_problems_total", "code"), "{{code}}"),)),
    Panel("Ready", "none", ((f"menpai_ready{{{HERE}}}", "{{instance}}"),)),
    Panel("What runs", "none", (
        (f"menpai_build_info{{{HERE}}}", "{{instance}} {{version}} {{pack}} {{behaviour}}"),)),
    Panel("What seldom happens", "none", (
        (f"sum by (event) (increase(menpai_events_total{{{HERE}}}[$__rate_interval]))", "{{event}}"),)),
)  # fmt: skip
ENGINE = (
    Panel("Work that waits", "s", ((f"menpai_queue_predicted_seconds{{{HERE}}}", "{{instance}}"),),
          "How long what waits will take; scale on this."),
    Panel("Rows that wait", "none", ((f"menpai_queue_items{{{HERE}}}", "{{instance}}"),)),
    Panel("Busy share", SHARE, (
        (f"rate(menpai_busy_seconds_total{{{HERE}}}[$__rate_interval]) / menpai_workers{{{HERE}}}",
         "{{instance}} workers"),
        (f"rate(menpai_engine_seconds_total{{{HERE}}}[$__rate_interval]) / menpai_workers{{{HERE}}}",
         "{{instance}} engine"),
    ), "Of the workers' time; above 1 when rows are read beside the engine's runs."),
    Panel("Rows in a batch", "none", quantiles("menpai_batch_items")),
    Panel("Tokens in a batch", "none", quantiles("menpai_batch_tokens")),
    Panel("Padding", SHARE, (
        (f"{rate('menpai_padding_tokens_total')} / ({rate('menpai_padding_tokens_total')} + "
         f"{rate('menpai_batch_tokens_sum')})", "of all tokens"),)),
    Panel("Why batches ended", "ops", ((rate("menpai_batch_cuts_total", "reason"), "{{reason}}"),)),
    Panel("Rows never run", "ops", ((rate("menpai_shed_items_total", "reason"), "{{reason}}"),)),
    Panel("Cache: share of hits", SHARE, (
        (rate("menpai_cache_lookups_total", "layer", ', result="hit"') + " / "
         + rate("menpai_cache_lookups_total", "layer", ', result=~"hit|miss"'), "{{layer}}"),)),
    Panel("Cache: errors and skipped", "ops", (
        (rate("menpai_cache_lookups_total", "layer, result", ', result!~"hit|miss"'), "{{layer}} {{result}}"),)),
    Panel("Cache: entries", "none", ((f"menpai_cache_entries{{{HERE}}}", "{{instance}} {{layer}}"),)),
    Panel("Cache: bytes", "bytes", ((f"menpai_cache_bytes{{{HERE}}}", "{{instance}} {{layer}}"),)),
    Panel("Memory", "bytes", ((f"menpai_memory_bytes{{{HERE}}}", "{{instance}}"),)),
    Panel("CPU", "none", ((f"rate(process_cpu_seconds_total{{{HERE}}}[$__rate_interval])", "{{instance}} cores"),)),
    Panel("Event loop: how late", "s", quantiles("menpai_loop_lag_seconds")),
    Panel("Connections and open files", "none", (
        (f"menpai_connections{{{HERE}}}", "{{instance}} connections"),
        (f"process_open_fds{{{HERE}}}", "{{instance}} files"),
    )),
    Panel("Uploaded tables: jobs", "none", (
        (f"menpai_jobs{{{HERE}}}", "{{instance}} {{state}}"),
        (rate("menpai_jobs_ended_total", "kind, outcome"), "{{kind}} {{outcome}} a second"),
    )),
    Panel("Uploaded tables: bytes", "bytes", ((f"menpai_jobs_bytes{{{HERE}}}", "{{instance}}"),)),
    Panel("GPU: utilisation", SHARE, ((f"menpai_gpu_utilisation{{{HERE}}}", "{{instance}} {{gpu}}"),),
          "With the extra gpu, where there is one."),
    Panel("GPU: memory", SHARE, (
        (f"menpai_gpu_memory_used_bytes{{{HERE}}} / menpai_gpu_memory_total_bytes{{{HERE}}}", "{{instance}} {{gpu}}"),)),
)  # fmt: skip
DASHBOARDS = {
    "service": ("menpai: the service", SERVICE),
    "engine": ("menpai: queue, engine and caches", ENGINE),
}


def dashboard(name: str) -> dict[str, Any]:
    """The dashboard of this name, as Grafana imports it."""
    title, panels = DASHBOARDS[name]
    return {
        "uid": f"menpai-{name}",
        "title": title,
        "tags": ["menpai"],
        "schemaVersion": 39,
        "editable": True,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [_variable("job", "label_values(menpai_ready, job)", False),
                                _variable("instance", 'label_values(menpai_ready{job="$job"}, instance)', True)]},
        "links": [{"type": "dashboards", "tags": ["menpai"], "title": "menpai", "asDropdown": False}],
        "panels": [_drawn(number, panel) for number, panel in enumerate(panels)],
    }  # fmt: skip


def page(name: str) -> str:
    """The dashboard's file."""
    return json.dumps(dashboard(name), indent=1) + "\n"


def _drawn(number: int, panel: Panel) -> dict[str, Any]:
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": {"x": number % COLUMNS * WIDTH, "y": number // COLUMNS * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [
            {"refId": chr(ord("A") + at), "datasource": SOURCE, "expr": query, "legendFormat": legend}
            for at, (query, legend) in enumerate(panel.queries)
        ],
    }


def _variable(name: str, query: str, several: bool) -> dict[str, Any]:
    every = (
        {"includeAll": True, "allValue": ".*", "current": {"text": "All", "value": "$__all"}}
        if several
        else {}
    )
    return {"name": name, "type": "query", "datasource": SOURCE, "query": query, "definition": query,
            "refresh": 2, "sort": 1, "multi": several, **every}  # fmt: skip


def main() -> None:
    """Write all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in DASHBOARDS:
        (FOLDER / f"{name}.json").write_text(page(name), "utf-8")


if __name__ == "__main__":
    main()
