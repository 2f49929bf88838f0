"""The same pairs by command line, library, HTTP single and list, cache and another process: the same bits."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import httpx
import pytest

from menpai import Matcher, Settings
from menpai.serving.drift import written
from tests.serving.test_journey import Served

pytestmark = pytest.mark.slow

PAIRS = written((8 + n % 53, 7 + n % 47) for n in range(64))


def bits(verdict: dict[str, Any]) -> tuple[Any, ...]:
    """Every number of a verdict, to the last bit, and all that is said."""
    numbers = [float(number).hex() for number in verdict["probabilities"].values()]
    rest = {
        name: value for name, value in verdict.items() if name not in ("id", "similarity", "probabilities")
    }
    return float(verdict["similarity"]).hex(), *numbers, json.dumps(rest, sort_keys=True)


@pytest.fixture(scope="module")
def library() -> list[tuple[Any, ...]]:
    matcher = Matcher.open(settings=Settings(language="en"))
    return [bits(matcher.match(a, b).to_dict()) for a, b in PAIRS]


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_over_http(kind: str, library: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MENPAI_CACHE_FILE", "")
    served = Served("--instance-kind", kind, "--instances", "2")
    try:
        served.until_ready()
        with httpx.Client(base_url=served.url, timeout=60) as client:
            rows = [{"a": a, "b": b} for a, b in PAIRS]
            listed = client.post("/v1/match", json={"pairs": rows[:32]}).json()["verdicts"]
            single = [client.post("/v1/match", json=row).json() for row in rows]  # half of them are cached
            again = [client.post("/v1/match", json=row).json() for row in rows]
            relisted = client.post("/v1/match", json={"pairs": rows}).json()["verdicts"]
        assert served.metric('menpai_cache_lookups_total{layer="memory",result="hit"}') >= 32 + 64 + 64
    finally:
        served.process.kill()
        served.process.communicate()
    assert list(map(bits, listed)) == library[:32]
    for answers in (single, again, relisted):
        assert list(map(bits, answers)) == library


def test_on_the_command_line(library: list[tuple[Any, ...]]) -> None:
    for (a, b), right in list(zip(PAIRS, library, strict=True))[:3]:
        command = [sys.executable, "-m", "menpai", "match", a, b, "--json", "--language", "en"]
        printed = subprocess.run(command, capture_output=True, check=True).stdout
        assert bits(json.loads(printed)) == right
