"""The locustfile runs: Locust calls a real service, every answer is a verdict."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from menpai.load.service import service
from tests.deploy.files import DEPLOY

pytestmark = pytest.mark.slow


def test_locust_calls_the_service_and_gets_verdicts(tmp_path: Path) -> None:
    with service([], "") as target:
        command = [sys.executable, "-m", "locust", "-f", str(DEPLOY / "locustfile.py"), "--host", target.url]
        options = [
            "--headless",
            "--users",
            "4",
            "--spawn-rate",
            "4",
            "--run-time",
            "4s",
            "--csv",
            str(tmp_path / "run"),
        ]
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=100, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    with (tmp_path / "run_stats.csv").open(newline="", encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["Name"] == "/v1/match")
    assert int(row["Request Count"]) > 20
    assert int(row["Failure Count"]) == 0
