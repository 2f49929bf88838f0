"""Bytes that are almost HTTP, or none at all: each connection gets a known answer or is closed, and is counted."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from menpai.serving.errors import FAMILY_STATUS, STATUS
from menpai.serving.server import Server
from tests.serving.rig import serving

KNOWN = {200, 204, 307, *STATUS.values(), *FAMILY_STATUS.values()}
WHOLE = (
    b"POST /v1/match HTTP/1.1\r\nhost: localhost\r\nx-request-id: a\r\nx-request-timeout-ms: 50\r\n"
    b"authorization: Bearer x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n"
    b'{"a":"\xe8\xb7\xaf1","b":"\xe8\xb7\xaf2"}'
)
CHUNKED = (
    b"POST /infer HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n"
    b'5\r\n{"a":\r\n3;x=y\r\n"b"\r\n1\r\n}\r\n0\r\ntrailer: t\r\n\r\n'
)
SMUGGLED = WHOLE.replace(b"content-length: 20", b"content-length: 20\r\ntransfer-encoding: chunked")
SEEDS = [WHOLE, CHUNKED, SMUGGLED, b"GET /livez HTTP/1.0\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
         b"GET http://evil/ HTTP/1.1\r\nhost: localhost\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
         b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"]  # fmt: skip
PIECES = st.sampled_from(
    [b"", b"\r\n", b"\n", b"\0", b"\xff\xfe", b": ", b" ", b"\t", b"%00", b"../..", b"content-length: -1\r\n", b"9" * 20,
     b"host: b\r\n", b"a" * 300, b"\r\n\r\n", b"HTTP/9.9", b"\xe8\xb7\xaf", b";", b"0\r\n\r\n"]
)  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> bytes:
    """One of the seeds, or two in a row, with bytes left out, put in or said twice."""
    data = b"".join(draw(st.lists(st.sampled_from(SEEDS), min_size=1, max_size=2)))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.sampled_from([0, 0, 1, 3, 20])))
        data = data[:start] + draw(PIECES | st.binary(max_size=6)) + data[stop:]
    return data


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Server, int]]:
    with serving(None) as found:
        yield found


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=spoiled() | st.binary(max_size=80))
def test_whatever_comes_is_answered_as_agreed_or_closed(served: tuple[Server, int], data: bytes) -> None:
    server, port = served
    before = total(server)
    with socket.create_connection(("127.0.0.1", port), timeout=8) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    statuses = [int(found) for found in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer)]
    assert answer.startswith(b"HTTP/1.") or not answer
    assert set(statuses) <= KNOWN | {100}
    assert total(server) - before >= len([status for status in statuses if status != 100])
    assert b"Traceback" not in answer
    assert server.started


def total(server: Server) -> float:
    """Requests that were counted so far."""
    page = server.service.metrics.page().decode()
    return sum(
        float(line.rsplit(" ", 1)[1])
        for line in page.splitlines()
        if line.startswith("menpai_outcomes_total{")
    )


def test_after_all_that_it_serves_and_its_counts_add_up(served: tuple[Server, int]) -> None:
    server, port = served
    with socket.create_connection(("127.0.0.1", port), timeout=8) as connection:
        connection.sendall(b"GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")
    page = server.service.metrics.page().decode()
    counted = re.findall(r"^menpai_requests_total\{.*\} (.*)$", page, re.MULTILINE)
    assert sum(map(float, counted)) == total(server)
    assert "menpai_connections 0.0" in page or not server.server_state.connections
