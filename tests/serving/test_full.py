"""While the queue is full, a head is enough to be refused; the answer is the one that a whole request gets."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from menpai.matcher import Matcher
from menpai.serving import full as module
from menpai.serving import protocol
from menpai.serving.server import Server
from tests.serving.rig import A, Held, serving
from tests.serving.test_protocol import one_answer

NUMBERS = count(1000)
COUNTED = (
    'outcomes_total{outcome="shed"}',
    'outcomes_total{outcome="ok"}',
    'shed_items_total{reason="full"}',
)
HEAD = b"POST %b HTTP/1.1\r\nhost: localhost\r\nx-request-id: %b\r\n%bcontent-length: %d\r\n\r\n"


def pair() -> bytes:
    """A pair that nobody remembers; each is as long as all others."""
    return json.dumps({"a": A, "b": f"文三路{next(NUMBERS)}号"}).encode()


def head(path: bytes = b"/v1/match", name: bytes = b"r1", fields: bytes = b"", body: bytes = b"") -> bytes:
    return HEAD % (path, name, fields, len(body or pair()))


def parts(answer: bytes) -> tuple[int, dict[str, str], Any]:
    top, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = top.decode().split("\r\n")
    named = dict(field.split(": ", 1) for field in fields)
    return int(status.split()[1]), named, json.loads(body)


class Full:
    """A service whose engine holds one pair, so that nothing else can be begun."""

    def __init__(self, server: Server, port: int, held: Held) -> None:
        self.server, self.held = server, held
        self.port = port
        held.hold()
        self._busy = socket.create_connection(("127.0.0.1", port))
        self._busy.sendall(head(name=b"busy") + pair())
        assert held.begun.wait(10)

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.settimeout(10)
        return connection

    def release(self) -> None:
        """Let the engine go on; once."""
        if not self.held.open.is_set():
            self.held.open.set()
            with self._busy:
                assert parts(one_answer(self._busy))[0] == 200

    def counts(self) -> list[float]:
        """Requests that were refused, requests that went well, rows that were refused."""
        page = self.server.service.metrics.page().decode().splitlines()
        found = dict(line.rsplit(" ", 1) for line in page)
        return [float(found.get(f"menpai_{name}", 0)) for name in COUNTED]


@pytest.fixture(scope="module", params=[False, True], ids=["no caches", "caches, a loop that is late"])
def service(request: pytest.FixtureRequest, matcher: Matcher) -> Iterator[tuple[Server, int, Held]]:
    held = Held(matcher)
    with pytest.MonkeyPatch.context() as patch:
        if request.param:
            patch.setattr(module, "LATE_SECONDS", -1.0)
        with serving(held, cache=request.param, queue_seconds=0.0) as (server, port):
            yield server, port, held


@pytest.fixture
def full(service: tuple[Server, int, Held]) -> Iterator[Full]:
    full = Full(*service)
    yield full
    full.release()


def test_a_head_is_enough_and_the_connection_stays_for_the_next(full: Full) -> None:
    before = full.counts()
    with full.connect() as connection:
        connection.sendall(head())
        status, fields, body = parts(one_answer(connection))
        assert (status, body["error"]["code"], fields["x-request-id"]) == (503, "service_full", "r1")
        assert int(fields["retry-after"]) in (1, 2)
        for byte in pair():  # nobody reads it, and it is no request
            connection.sendall(bytes([byte]))
        connection.sendall(head(name=b"r2") + pair())
        assert parts(one_answer(connection))[:1] == (503,)
        full.release()
        connection.sendall(head(name=b"r3") + pair())
        status, fields, _ = parts(one_answer(connection))
        assert (status, fields["x-request-id"]) == (200, "r3")
    assert [now - then for then, now in zip(before, full.counts(), strict=True)] == [2, 2, 2]


@pytest.mark.parametrize("language", [b"", b"accept-language: zh\r\n"])
def test_it_is_the_answer_that_a_whole_request_gets(full: Full, language: bytes) -> None:
    with full.connect() as connection:
        connection.sendall(head(fields=language) + pair())
        short = parts(one_answer(connection))
        connection.sendall(head(fields=language + b"connection: close\r\n") + pair())
        long = parts(one_answer(connection))
    assert long[1].pop("connection") == "close"
    for _, fields, _ in (short, long):
        fields.pop("retry-after"), fields.pop("content-length")
    for _, _, body in (short, long):
        body["error"].pop("hint")
    long[1].pop("server-timing", None)
    assert short == long
    lines = [json.loads(line) for line in full.server.service.log._stream.getvalue().splitlines()]  # type: ignore[union-attr]
    first, second = [line for line in lines if line["event"] == "request"][-2:]
    shared = {"event", "id", "method", "route", "status", "outcome", "code"}
    assert {name: first[name] for name in shared} == {name: second[name] for name in shared}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (b"/v1/parse", json.dumps({"texts": [A]}).encode(), 200),
        (b"/v1/match", b" " * 9_000_000, 413),
        (b"/v1/other", b"{}", 404),
    ],
)
def test_what_does_not_wait_for_the_engine_is_answered_as_ever(
    full: Full, path: bytes, body: bytes, status: int
) -> None:
    with full.connect() as connection:
        connection.sendall(head(path, body=body) + body[:1000])
        assert parts(one_answer(connection))[0] == status


def test_requests_in_a_row_keep_their_order(full: Full) -> None:
    with full.connect() as connection:
        connection.sendall(b"GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n" + head() + pair())
        told = b""
        while b"service_full" not in told:
            told += connection.recv(65536)
    assert re.findall(rb"HTTP/1.1 (\d+)", told) == [b"200", b"503"]


def test_a_slow_rest_of_a_refused_body_is_not_waited_for_long(
    full: Full, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.6)
    with full.connect() as connection:
        connection.sendall(head())
        assert parts(one_answer(connection))[0] == 503
        began = time.monotonic()
        assert connection.recv(100) == b""
        assert time.monotonic() - began < 5
