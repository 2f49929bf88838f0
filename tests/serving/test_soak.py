"""Good and bad requests for a minute, and thousands of connections: the measures by hand, at the size of CI."""

from __future__ import annotations

import resource

import pytest

from benchmarks.serving import connections
from benchmarks.serving.soak import soak
from menpai.serving.descriptors import raise_limit


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_minute_of_everything_leaves_no_trace() -> None:
    report = soak(60)
    assert report["unwanted"] == {}
    assert report["sent"] == report["counted"]
    assert report["wrong"] == [], report


@pytest.mark.slow
def test_two_thousand_connections_wait_and_64_are_served() -> None:
    report = connections.measure(2000, 64, 6)
    assert report["failed"] == 0
    assert report["open_at_the_end"] >= 2000
    assert report["memory_mb"] < 400
    assert report["loop_lag_p99_ms"] < 100, report  # the goal of 20 is for a machine with nothing else to do


def test_as_many_files_as_may_be_had_are_asked_for() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
        assert raise_limit() == hard
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == hard
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
