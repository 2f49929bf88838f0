"""A real Prometheus scrapes the service: it takes the rules, and every graph of the dashboards draws something."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from menpai.matcher import Matcher
from tests.serving.rig import A, B, serving
from tests.serving.test_dashboards import BOARDS, RULES

pytestmark = pytest.mark.slow
# Nothing of these was counted here: no GPU, no failure, no reload, no list that had to be cut, no uploaded table.
QUIET = ("menpai_gpu", "menpai_events", "menpai_problems", "menpai_shed", 'result!~"hit|miss"', 'outcome="failed"',
         'outcome=~"shed|late"', "menpai_jobs")  # fmt: skip


def test_the_rules_are_good_and_wake_when_they_should(tmp_path: Path) -> None:
    series = {
        'menpai_outcomes_total{job="menpai", instance="a", outcome="failed"}': "0+6x30",
        'menpai_outcomes_total{job="menpai", instance="a", outcome="ok"}': "0+60x30",
        'menpai_queue_predicted_seconds{job="menpai", instance="a"}': "2x30",
        'menpai_ready{job="menpai", instance="b"}': "0x30",
        'menpai_ready{job="menpai", instance="a"}': "1x30",
        'menpai_events_total{job="menpai", instance="a", event="keys_refused"}': "0 0 0 0 0 1x20",
        'up{job="menpai", instance="c"}': "0x30",
    }
    expected = {"MenpaiFailing": 1, "MenpaiQueueGrows": 1, "MenpaiNotReady": 1, "MenpaiDown": 1, "MenpaiShedding": 0,
                "MenpaiChangeRefused": 1, "MenpaiGpuFull": 0}  # fmt: skip
    inputs = "".join(f"      - {{series: '{name}', values: '{values}'}}\n" for name, values in series.items())
    asked = "".join(
        f'      - expr: count(ALERTS{{alertname="{name}", alertstate="firing"}}) or vector(0)\n'
        f"        eval_time: 12m\n        exp_samples: [{{labels: '{{}}', value: {count}}}]\n"
        for name, count in expected.items()
    )
    file = tmp_path / "test.yml"
    file.write_text(
        f"rule_files: [{RULES}]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n{inputs}"
        f"    promql_expr_test:\n{asked}"
    )
    for command in (["check", "rules", str(RULES)], ["test", "rules", str(file)]):
        done = subprocess.run(["promtool", *command], capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def prometheus(matcher: Matcher, tmp_path: Path) -> Iterator[httpx.Client]:
    """A Prometheus that has scraped a busy service for some seconds."""
    with serving(matcher) as (_, port), socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        own = free.getsockname()[1]
        free.close()
        config = tmp_path / "prometheus.yml"
        config.write_text(
            f"global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [{RULES}]\nscrape_configs:\n"
            f"  - job_name: menpai\n    static_configs: [{{targets: ['127.0.0.1:{port}']}}]\n"
        )
        command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'data'}",
                   f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"]  # fmt: skip
        process = subprocess.Popen(command)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{own}", timeout=10) as client:
                for number in range(40):
                    work(port, number)
                yield client
        finally:
            process.terminate()
            process.wait(20)


def work(port: int, number: int) -> None:
    body = {
        "pairs": [
            {"a": f"{A}{number}", "b": B},
            {"a": f"望京园{number}号楼", "b": f"望京街道望京园{number}号楼"},
        ]
    }
    assert httpx.post(f"http://127.0.0.1:{port}/v1/match", json=body).status_code == 200
    time.sleep(0.15)


def ask(prometheus: httpx.Client, expression: str) -> list[Any]:
    expression = (
        expression.replace("$__rate_interval", "10s").replace("$job", "menpai").replace("$instance", ".*")
    )
    answer = prometheus.get("/api/v1/query", params={"query": expression}).json()
    assert answer["status"] == "success", (expression, answer)
    result: list[Any] = answer["data"]["result"]
    return result


def test_every_graph_draws_something(prometheus: httpx.Client) -> None:
    empty = [
        target["expr"] for board in BOARDS for panel in json.loads(board.read_text("utf-8"))["panels"]
        for target in panel["targets"] if not ask(prometheus, target["expr"])
    ]  # fmt: skip
    assert not [expression for expression in empty if not any(quiet in expression for quiet in QUIET)]
    assert ask(prometheus, "menpai_ready")[0]["value"][1] == "1"
    rules = prometheus.get("/api/v1/rules").json()["data"]["groups"][0]["rules"]
    assert {rule["health"] for rule in rules} == {"ok"}
    assert not [rule["name"] for rule in rules if rule["state"] == "firing"]
