"""Dashboards and alerts name metrics, labels and values that there are, and each alert has its page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from menpai.serving.logs import STAGES
from menpai.serving.metrics import OUTCOME_FAMILIES, OUTCOMES, Metrics
from tools import build_dashboards

ROOT = Path(__file__).parents[2]
RULES = ROOT / "deploy/prometheus/rules/menpai.yml"
BOARDS = sorted((ROOT / "deploy/grafana/dashboards").glob("*.json"))
FOREIGN = {"up"}  # Prometheus writes it itself
NOT_METRICS = {"job", "instance"}


def full() -> Metrics:
    """Metrics in which everything was counted once, so that each name and label shows."""
    metrics = Metrics()
    metrics.request("/v1/match", 200, 0.1, dict.fromkeys(STAGES, 0.1))
    metrics.batch(1, 0.1)
    metrics.cut("empty", 10, 1)
    metrics.queued("bulk", 0.1)
    metrics.engine(0.1)
    metrics.cached("memory", "hit")
    metrics.shed("full", 1)
    metrics.event("reloaded")
    metrics.loop_lag(0.0)
    metrics.watch_queue(lambda: 0, lambda: 0)
    metrics.watch_cache("memory", lambda: 0, lambda: 0)
    metrics.build("pack", "behaviour")
    metrics.watch_jobs(lambda: {"waiting": 0}, lambda: 0)
    metrics.job_ended("link", "done")
    metrics._pairs.labels("exact_match", "rules").inc()
    metrics._problems.labels("address_empty").inc()
    return metrics


def known() -> dict[str, set[str]]:
    """The labels of every sample; GPUs have none here, so theirs are told."""
    names = {
        sample.name: set(sample.labels) for family in full().registry.collect() for sample in family.samples
    }
    return names | {family.name: {"gpu"} for family in full().registry.collect() if "_gpu_" in family.name}


def expressions() -> list[str]:
    drawn = [
        target["expr"] for board in BOARDS for panel in json.loads(board.read_text("utf-8"))["panels"]
        for target in panel["targets"]
    ]  # fmt: skip
    alerts = re.split(r"\n      - alert: ", RULES.read_text("utf-8"))[1:]
    return drawn + [
        re.search(r"expr: (?:>\n)?(.*?)\n        (?:for|labels):", rule, re.DOTALL)[1] for rule in alerts
    ]  # type: ignore[index]


def test_every_metric_and_label_exists() -> None:
    names = known()
    assert len(expressions()) > 50
    for expression in expressions():
        found = re.findall(r"\b((?:menpai|process|python)_\w+)(?:\{([^}]*)\})?", expression)
        assert found or "up{" in expression, expression
        for name, inside in found:
            labels = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", inside)) - NOT_METRICS
            assert name in names, name
            assert labels <= names[name], (name, labels)
        grouped = {
            label.strip() for part in re.findall(r"by \(([^)]*)\)", expression) for label in part.split(",")
        }
        assert grouped - NOT_METRICS <= {label for name, _ in found for label in names[name]}, expression


def test_every_outcome_exists() -> None:
    outcomes = {*OUTCOMES.values(), *OUTCOME_FAMILIES.values()}
    for expression in expressions():
        for value in re.findall(r'outcome=~?"([^"]*)"', expression):
            assert set(value.split("|")) <= outcomes


def test_every_metric_is_drawn() -> None:
    text = "".join(expressions())
    ours = {family.name for family in full().registry.collect() if family.name.startswith("menpai_")}
    assert not {name for name in ours if name not in text}


@pytest.mark.parametrize("name", build_dashboards.DASHBOARDS)
def test_a_dashboard_is_what_its_table_says(name: str) -> None:
    assert (build_dashboards.FOLDER / f"{name}.json").read_text("utf-8") == build_dashboards.page(name)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_alert_tells_what_to_do(language: str) -> None:
    page = (ROOT / "docs" / language / "observability.md").read_text("utf-8")
    rules = RULES.read_text("utf-8")
    alerts = re.findall(r"alert: (\w+)", rules)
    assert re.findall(r"^### (Menpai\w+)$", page, re.MULTILINE) == alerts
    assert re.findall(r"runbook: docs/en/observability.md#(\w+)", rules) == [name.lower() for name in alerts]
