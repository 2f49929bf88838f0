"""Killed instances, reloads, a process that sleeps, a stop: under load, each request has one outcome, none a wrong answer."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from menpai import Matcher
from menpai.packs.pack import BUILTIN
from menpai.serving.drift import written
from tests.serving.crowd import CUT, Crowd
from tests.serving.test_journey import Served

pytestmark = pytest.mark.slow

PAIRS = written((8 + n % 53, 7 + n % 47) for n in range(600))
NO_CACHE = {"MENPAI_CACHE": "0"}


@pytest.fixture(scope="module")
def right() -> list[tuple[str, float]]:
    """What the library says to each pair, in this process."""
    return [(answer.label, answer.similarity) for answer in Matcher.open().match_many(PAIRS)]  # type: ignore[union-attr]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Served]:
    monkeypatch.setenv("MENPAI_CACHE", "0")
    started: list[Served] = []

    def start(*flags: str) -> Served:
        started.append(Served("--drain-seconds", "20", *flags))
        started[-1].until_ready()
        return started[-1]

    yield start  # type: ignore[misc]
    for served in started:
        served.process.kill()
        served.process.communicate()


def port_of(served: Served) -> int:
    return int(served.url.rsplit(":", 1)[1])


def counted(served: Served) -> dict[str, int]:
    """Requests to /v1/match by status, as the service counts them."""
    text = httpx.get(f"{served.url}/metrics").text
    found = re.findall(r'menpai_requests_total\{route="/v1/match",status="(\d+)"\} (\S+)', text)
    return {status: int(float(value)) for status, value in found}


def children(served: Served) -> list[int]:
    """The processes that any thread of the service has started."""
    tasks = Path(f"/proc/{served.process.pid}/task").glob("*/children")
    return sorted(int(pid) for task in tasks for pid in task.read_text().split())


def events(served: Served, name: str) -> list[dict[str, object]]:
    return [line for line in list(served.lines) if line["event"] == name]


def until(happened: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def adds_up(served: Served, crowd: Crowd) -> None:
    """Sent = the sum of outcomes = what the service counted, and none was wrong, cut or refused."""
    assert crowd.sent == crowd.outcomes.total()
    assert crowd.wrong == []
    assert crowd.outcomes == {200: crowd.sent}, crowd.codes
    assert counted(served) == {"200": crowd.sent}


def test_instances_that_are_killed_cost_no_answer(
    serve: Callable[..., Served], right: list[tuple[str, float]]
) -> None:
    served = serve("--instances", "2", "--instance-kind", "processes")
    with Crowd(port_of(served), PAIRS, right) as crowd:
        crowd.after(100)
        for killed in range(1, 4):
            os.kill(children(served)[0], signal.SIGKILL)
            until(lambda killed=killed: len(events(served, "worker_restarted")) == killed)  # type: ignore[misc]
            crowd.after(100)
        for instance in children(served):  # all at once: what is accepted waits for the new ones
            os.kill(instance, signal.SIGKILL)
        crowd.after(100)
    adds_up(served, crowd)
    assert len(children(served)) == 2
    assert served.stop()[0] == 0


def test_instances_end_with_the_service(serve: Callable[..., Served]) -> None:
    served = serve("--instances", "2", "--instance-kind", "processes")
    instances = children(served)
    assert len(instances) == 2
    served.process.kill()
    served.process.wait()
    until(lambda: not any(Path(f"/proc/{pid}/stat").exists() for pid in instances))


def test_reloads_lose_nothing_and_the_new_pack_judges(
    serve: Callable[..., Served], right: list[tuple[str, float]], tmp_path: Path
) -> None:
    pack = tmp_path / "mine"
    shutil.copytree(BUILTIN / "menpai-mini", pack)
    served = serve("--pack", str(pack))
    with Crowd(port_of(served), PAIRS, right, callers=4) as crowd:
        for times in (1, 2):
            crowd.after(50)
            served.process.send_signal(signal.SIGHUP)
            until(lambda times=times: len(events(served, "reloaded")) == times)  # type: ignore[misc]
            crowd.after(50)
        (pack / "weights.json").write_text("{}")
        served.process.send_signal(signal.SIGHUP)
        until(lambda: events(served, "reload_failed"))
        crowd.after(50)
    adds_up(served, crowd)
    assert events(served, "reload_failed")[0]["code"] == "pack_damaged"
    report = events(served, "reloaded")[0]
    assert report["trial"]["changed"] == 0  # type: ignore[index]
    assert report["recent"]["pairs"] > 0  # type: ignore[index]


def test_a_service_that_sleeps_answers_after_it_wakes(
    serve: Callable[..., Served], right: list[tuple[str, float]]
) -> None:
    served = serve()
    with Crowd(port_of(served), PAIRS, right, callers=4) as crowd:
        crowd.after(50)
        served.process.send_signal(signal.SIGSTOP)
        time.sleep(5)
        served.process.send_signal(signal.SIGCONT)
        crowd.after(50)
    assert crowd.sent == crowd.outcomes.total() == sum(counted(served).values())
    assert crowd.wrong == []
    assert set(crowd.outcomes) <= {200, 504}
    assert crowd.outcomes[504] <= 4  # those whose deadline passed meanwhile, told so
    assert crowd.slowest >= 4.9


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_a_stop_answers_all_that_was_sent(
    serve: Callable[..., Served], right: list[tuple[str, float]], kind: str
) -> None:
    served = serve("--instances", "2", "--instance-kind", kind)
    with Crowd(port_of(served), PAIRS, right) as crowd:
        crowd.after(200)
        code, errors = served.stop()
    assert (code, errors) == (0, "")
    assert crowd.sent == crowd.outcomes.total()
    assert crowd.wrong == []
    assert crowd.outcomes[CUT] == 0
    assert set(crowd.codes) <= {"service_draining"}
    requests = [line for line in served.lines if line["event"] == "request" and line["route"] == "/v1/match"]
    assert len(requests) == crowd.sent
