"""Closed and open loop: every request is counted once, by what it came to, and timed from when it should have left."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from itertools import islice, pairwise, repeat

import pytest

from menpai.load.arrivals import Arrivals, arrivals
from menpai.load.clients import Clients
from menpai.load.pairs import generated
from menpai.load.plan import Plan, Rate, begin, capacity, steps
from menpai.load.tally import Latency, Tally
from menpai.load.target import Target
from tests.load.server import Answer, answer, serving

CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
CLOSING = answer(extra=b"connection: close\r\n")


def closed(port: int, clients: int = 4, seconds: float = 0.1, timeout: float = 0.1) -> Tally:
    target = Target.of(f"127.0.0.1:{port}")
    requests = target.requests("/v1/match", repeat(("甲", "乙")), 1)
    return asyncio.run(Clients(target, requests, timeout).run(clients, seconds, 0.0))


def opened(
    port: int, rate: float, seconds: float = 0.5, timeout: float = 2.0, connections: int = 50
) -> Tally:
    target = Target.of(f"127.0.0.1:{port}")
    requests = target.requests("/v1/match", repeat(("甲", "乙")), 1)
    load = Arrivals(target, requests, timeout, connections)
    return asyncio.run(load.run(arrivals(rate, "constant", 1), seconds, 0.0))


LOOPS: list[Callable[[int, float], Tally]] = [
    lambda port, timeout: closed(port, timeout=timeout),
    lambda port, timeout: opened(port, 60, 0.1, timeout),
]


@pytest.mark.parametrize("loop", LOOPS, ids=["closed", "open"])
@pytest.mark.parametrize(
    ("how", "kinds"),
    [
        (lambda n: (0, answer()), {"200"}),
        (lambda n: (0, CHUNKED), {"200"}),
        (lambda n: (0, CLOSING), {"200"}),
        (lambda n: (0, answer(503) if n % 2 else answer()), {"200", "503"}),
        (lambda n: (0, answer(500)), {"500"}),
        (lambda n: (0, answer(body=b"")), {"no_answer"}),
        (lambda n: (0, b"SSH-2.0-nothing\r\n\r\n"), {"not_http"}),
        (lambda n: (0, b""), {"closed"}),
        (lambda n: (0, None), {"timeout"}),
        (lambda n: (0, answer()[:-3]), {"timeout"}),
    ],
    ids=["plain", "chunked", "closing", "half refused", "broken", "empty", "ssh", "hung up", "silent", "cut off"],
)  # fmt: skip
def test_every_request_is_counted_once_by_its_outcome(
    loop: Callable[[int, float], Tally], how: Answer, kinds: set[str]
) -> None:
    with serving(how) as server:
        tally = loop(server.port, 0.1 if kinds == {"timeout"} else 10.0)
    assert set(tally.outcomes) == kinds
    assert tally.sent == sum(tally.outcomes.values()) > 0
    assert len(tally.answered) == tally.outcomes["200"]
    assert len(tally.refused) == tally.outcomes["503"]
    assert len(server.seen) >= tally.outcomes["200"]


@pytest.mark.parametrize("loop", LOOPS, ids=["closed", "open"])
def test_nobody_listening_is_counted_and_ends(loop: Callable[[int, float], Tally]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening
        tally = loop(taken.getsockname()[1], 10.0)
    assert set(tally.outcomes) == {"refused"}
    assert tally.sent == tally.outcomes["refused"] > 0


def test_nobody_is_forgotten_while_connections_fail() -> None:
    """A request that came between a failure and the next attempt waited until it was too late."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        for _ in range(5):
            tally = opened(taken.getsockname()[1], 3000, 0.1, 0.3)
            assert set(tally.outcomes) == {"refused"}


def test_a_client_keeps_its_connection() -> None:
    with serving() as server:
        tally = closed(server.port, clients=3, timeout=5.0)
    assert server.connections == 3
    assert tally.outcomes["200"] > 3


def test_the_closed_loop_waits_for_the_answer() -> None:
    with serving(lambda n: (0.05, answer())) as server:
        tally = closed(server.port, clients=2, seconds=0.4, timeout=5.0)
    assert 2 <= tally.sent <= 18  # two clients, 50 ms each


def test_the_open_loop_does_not_wait() -> None:
    with serving(lambda n: (0.2, answer())) as server:
        tally = opened(server.port, rate=100)
    assert tally.sent == 50
    assert tally.outcomes == {"200": 50}


def test_a_stall_is_charged_to_all_who_would_have_come() -> None:
    """With one connection and one stall of 0.3 s a closed loop would count one slow request; here half are slow."""
    with serving(lambda n: (0.3 if n == 1 else 0.0, answer())) as server:
        tally = opened(server.port, rate=100, seconds=0.5, connections=1)
    latency = Latency.of(tally.answered)
    assert latency is not None
    assert latency.count == tally.sent == 50
    assert latency.max >= 290
    assert sum(seconds > 0.05 for seconds in tally.answered) >= 20


def test_what_waits_too_long_for_a_connection_times_out() -> None:
    with serving(lambda n: (0, None)) as server:
        tally = opened(server.port, rate=50, seconds=0.2, timeout=0.1, connections=1)
    assert tally.outcomes == {"timeout": tally.sent}


def test_at_a_rate_beyond_the_tester_answers_are_still_heard() -> None:
    """With 20 connections the 21st request leaves when an answer was heard: here while the tester is still behind."""
    drawn = 0

    def requests(target: Target) -> Iterator[bytes]:
        nonlocal drawn
        for request in target.requests("/v1/match", repeat(("甲", "乙")), 1):
            drawn += 1
            yield request

    def times() -> Iterator[float]:
        """All of them long past, so that the tester never catches up, until an answer was heard."""
        for number in range(500_000):
            if drawn > 20:
                break
            yield number / 1e9
        assert drawn > 20, "while the tester was behind it heard no answer"

    with serving() as server:
        target = Target.of(f"127.0.0.1:{server.port}")
        load = Arrivals(target, requests(target), 60.0, 20)
        tally = asyncio.run(load.run(times(), 0.1, 0.0))
    assert tally.sent == tally.outcomes["200"] > 20


def test_the_warm_up_does_not_count() -> None:
    with serving() as server:
        target = Target.of(f"127.0.0.1:{server.port}")
        run = begin(target, Plan(clients=(2,), rates=(Rate(50),), seconds=0.2, warm_up=0.2))
        measured = list(steps(run, target, generated(1), lambda load: None))
    assert len(server.seen) > sum(step.sent for step in measured)
    assert 5 <= measured[1].sent <= 25  # a second of Poisson would be 50
    assert run.service == {"pack": "toy@1", "behaviour": "0"}


def test_a_rate_may_be_so_many_times_what_the_closed_loop_reached() -> None:
    with serving(lambda n: (0.01, answer())) as server:
        target = Target.of(f"127.0.0.1:{server.port}")
        plan = Plan(
            clients=(1, 2),
            rates=(Rate.of("0.5x"), Rate.of("30")),
            seconds=0.2,
            warm_up=0.0,
            arrivals="constant",
        )
        run = begin(target, plan)
        one, two, half, thirty = steps(run, target, generated(1), lambda load: None)
    assert capacity([one, two]) == max(one.requests_per_second, two.requests_per_second)
    assert half.rate == pytest.approx(0.5 * capacity([one, two]), abs=0.01)
    assert thirty.sent == 6
    assert {"cpu_share", "late_ms_p99"} == set(thirty.tester)


@pytest.mark.parametrize("text", ["", "0", "-1", "x", "nan", "inf", "1e9", "2y"])
def test_a_rate_is_a_number_above_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Rate.of(text)


def test_poisson_arrivals_repeat_and_come_at_their_rate() -> None:
    times = list(islice(arrivals(200, "poisson", 7), 4000))
    assert times == list(islice(arrivals(200, "poisson", 7), 4000))
    assert times == sorted(times)
    assert times[-1] == pytest.approx(20, rel=0.1)
    gaps = [b - a for a, b in pairwise(times)]
    assert sum(gap < 1 / 200 for gap in gaps) / len(gaps) == pytest.approx(0.632, abs=0.03)  # 1 - 1/e


def test_percentiles_are_times_that_occurred() -> None:
    tally = Tally()
    for n in range(100):
        tally.count(200, (n + 1) / 1000, True)
    latency = Latency.of(tally.answered)
    assert latency is not None
    assert (latency.p50, latency.p95, latency.p99, latency.max) == (51, 96, 100, 100)
    assert latency.mean == pytest.approx(50.5)
    assert Latency.of(tally.refused) is None
