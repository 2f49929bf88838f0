"""Jobs that end otherwise: deleted while they run, killed by the system, cut off by a stop of the service; and latency."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from menpai.load.service import service
from menpai.load.target import Target
from tests.serving.rig import A, B

pytestmark = pytest.mark.slow
STREETS = "文一路 文二路 文三路 学院路 教工路 莫干山路 古墩路 天目山路 余杭塘路 丰潭路".split()


def rows(count: int) -> bytes:
    lines = [f"{at},杭州市西湖区{STREETS[at % 10]}{at % 997}号{at % 31}幢{at % 7}单元" for at in range(count)]
    return ("id,address\n" + "\n".join(lines) + "\n").encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "jobs"


@pytest.fixture
def target(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Target]:
    monkeypatch.setenv("MENPAI_JOBS_FOLDER", str(folder))
    with service(["--language", "en"], "") as target:
        yield target


def client(target: Target) -> httpx.Client:
    return httpx.Client(base_url=target.url, timeout=60)


def begin(http: httpx.Client, count: int) -> str:
    table = http.post("/v1/jobs/table", params={"name": "many.csv"}, content=rows(count)).json()["table"]
    found: str = http.post("/v1/jobs", json={"kind": "dedupe", "tables": [table]}).json()["id"]
    return found


def status(http: httpx.Client, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = http.get("/v1/jobs", params={"id": id_}).json()
    return found


def until(happened: Callable[[], Any], seconds: float = 90) -> Any:
    end = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def workers(folder: Path) -> list[int]:
    """The processes that work in the folder: those of the jobs."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(path.readlink()).startswith(str(folder)):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_a_worker_that_the_system_kills_is_told_and_the_next_job_runs(target: Target, folder: Path) -> None:
    with client(target) as http:
        job = begin(http, 20_000)
        (pid, *_) = until(lambda: workers(folder))
        until(lambda: status(http, job)["state"] == "running")
        os.kill(pid, signal.SIGKILL)
        told = until(lambda: (now := status(http, job))["state"] == "failed" and now)
        assert told["problem"]["code"] == "job_died"
        assert "signal 9" in told["problem"]["message"]
        other = begin(http, 3)
        until(lambda: status(http, other)["state"] == "done")


def test_a_job_that_is_deleted_ends_and_leaves_nothing(target: Target, folder: Path) -> None:
    with client(target) as http:
        job = begin(http, 20_000)
        until(lambda: workers(folder))
        assert http.request("DELETE", "/v1/jobs", params={"id": job}).json() == {"deleted": job}
        until(lambda: not workers(folder))
        assert not list((folder / "jobs").iterdir())


def test_progress_is_told_while_pairs_are_judged_as_fast_as_before(target: Target, folder: Path) -> None:
    """The loop and the queue have no part in a job: only cores are shared, and the job stands back."""
    with client(target) as http:
        job = begin(http, 4_000)
        until(lambda: status(http, job)["state"] == "running")
        seen, slowest = set[str](), 0.0
        while (told := status(http, job))["state"] == "running":
            seen.add(told["progress"].get("stage", ""))
            began = time.monotonic()
            http.post("/v1/match", json={"a": A, "b": B, }).raise_for_status()  # fmt: skip
            slowest = max(slowest, time.monotonic() - began)
        assert told["state"] == "done", told
        assert "score" in seen
        assert slowest < 2.0
        assert "menpai_jobs_ended_total" in http.get("/metrics").text


def test_a_stop_of_the_service_keeps_the_job_for_the_next_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENPAI_JOBS_FOLDER", str(folder))
    with service(["--language", "en"], "") as target, client(target) as http:
        job = begin(http, 3_000)
        until(lambda: status(http, job)["state"] == "running")
    assert not workers(folder)
    record = json.loads((folder / "jobs" / job / "job.json").read_text("utf-8"))
    assert (record["state"], record["attempts"]) == ("waiting", 0)
    with service(["--language", "en"], "") as target, client(target) as http:
        told = until(lambda: (now := status(http, job))["state"] == "done" and now)
        assert told["summary"]["counts"]["rows"] == 3000


def test_no_worker_outlives_a_service_that_was_killed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENPAI_JOBS_FOLDER", str(folder))
    with service(["--language", "en"], "") as target, client(target) as http:
        job = begin(http, 20_000)
        (pid, *_) = until(lambda: workers(folder))
        parent = int(Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[1])
        os.kill(parent, signal.SIGKILL)
        until(lambda: not workers(folder), 10)
    assert json.loads((folder / "jobs" / job / "job.json").read_text("utf-8"))["state"] == "running"
