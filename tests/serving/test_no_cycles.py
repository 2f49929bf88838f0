"""What a request or a connection needed is free when it ends: the collector, which comes seldom, finds nothing of it."""

from __future__ import annotations

import gc
import http.client
import json
import socket
import struct
import time
from collections.abc import Iterator

import pytest
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from menpai.matcher import Matcher
from menpai.serving.protocol import GuardedProtocol
from tests.serving.rig import A, B, serving


@pytest.fixture
def port(matcher: Matcher) -> Iterator[int]:
    with serving(matcher) as (_, port):
        yield port


def held() -> int:
    """Requests and connections that are in memory."""
    return sum(isinstance(value, RequestResponseCycle | GuardedProtocol) for value in gc.get_objects())


def ask(port: int, method: str, path: str, body: bytes, headers: dict[str, str]) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, {"Content-Type": "application/json", **headers})
    connection.getresponse().read()
    connection.close()


def leave(port: int, after: int = 0) -> None:
    """Ask, read so many bytes of the answer, and go without a farewell."""
    body = json.dumps({"a": A, "b": B}).encode()
    with socket.create_connection(("127.0.0.1", port)) as caller:
        head = f"POST /v1/match HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        caller.sendall(head.encode() + body)
        if after:
            caller.recv(after)
            caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_nothing_waits_for_the_collector(port: int) -> None:
    pair = json.dumps({"a": A, "b": B}).encode()
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            ask(port, "POST", "/v1/match", pair, {})
            ask(port, "POST", "/v1/match", pair, {"X-Request-Timeout-Ms": "1"})
            ask(port, "POST", "/v1/match", b'{"pairs": [{"a": "", "b": "x"}]}', {})
            ask(port, "POST", "/v1/match", b"{no json", {})
            ask(port, "DELETE", "/v1/match", b"", {})
            ask(port, "GET", "/nowhere", b"", {})
            leave(port)
            leave(port, after=65536)
        deadline = time.monotonic() + 20
        while held() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert held() == 0
    finally:
        gc.enable()
