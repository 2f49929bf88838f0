"""Connections as rude callers make them: silent, half-sent, endless, or no HTTP at all."""

from __future__ import annotations

import io
import json
import re
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from menpai.matcher import Matcher
from menpai.serving import protocol
from menpai.serving.logs import Log
from menpai.serving.server import bind, make_server
from menpai.settings import Settings
from tests.serving.rig import A, B

BODY = json.dumps({"a": A, "b": B}).encode()
WHOLE = b"POST /v1/match HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY


def one_answer(connection: socket.socket) -> bytes:
    """Head and body of one answer on a connection that stays open; they may arrive in pieces."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])  # type: ignore[index]
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@pytest.fixture(scope="module")
def port(matcher: Matcher) -> Iterator[int]:
    """A server in a thread that gives a head one second."""
    with pytest.MonkeyPatch.context() as patch, bind("127.0.0.1", 0) as listener:
        patch.setattr(protocol, "HEAD_SECONDS", 1)
        log = Log(with_text=False, stream=io.StringIO())
        server = make_server(Settings(language="en", api_key=""), log, open_matcher=lambda _: matcher)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while server.service.phase != "ready":
            time.sleep(0.01)
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join(30)


def read(connection: socket.socket) -> bytes:
    """What comes until the server closes."""
    connection.settimeout(10)
    return b"".join(iter(lambda: connection.recv(65536), b""))


def send(port: int, *parts: bytes, pause: float = 0.0) -> tuple[bytes, float]:
    """What came back until the server closed, and after how many seconds."""
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        return read(connection), time.monotonic() - started


def code_of(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    fields = head.lower()
    assert b"connection: close" in fields
    assert b"x-request-id: " in fields
    assert b"content-length: %d" % len(body) in fields
    error = json.loads(body)["error"]
    assert error["message"]
    assert error["hint"]
    return int(head.split()[1]), error["code"]


def test_a_connection_on_which_nobody_speaks_is_closed(port: int) -> None:
    answer, seconds = send(port)
    assert answer == b""
    assert 0.9 < seconds < 3


@pytest.mark.parametrize("start", [b"", WHOLE], ids=["first", "second request"])
def test_a_head_that_drips_is_given_up(port: int, start: bytes) -> None:
    drips = [b"GET /livez HTTP/1.1\r\n", *[b"x: y\r\n"] * 5]
    answer, seconds = send(port, start, *drips, pause=0.1)
    assert code_of(answer[answer.rindex(b"HTTP/1.1 ") :]) == (408, "head_slow")
    assert seconds < 3


@pytest.mark.parametrize(
    "head",
    [
        b"GET /livez HTTP/1.1\r\nx: " + b"y" * 40_000,
        b"GET /livez HTTP/1.1\r\n" + b"x: y\r\n" * 9_000,
        b"GET /livez HTTP/1.1\r\n" + b"x: y\r\n" * 20_000 + b"\r\n",
        b"GET /livez?q=" + b"y" * 40_000 + b" HTTP/1.1\r\n\r\n",
    ],
    ids=["one field", "many fields", "whole", "target"],
)
def test_a_head_without_end_is_refused(port: int, head: bytes) -> None:
    answer, seconds = send(port, head)
    assert code_of(answer) == (431, "head_too_large")
    assert seconds < 0.9


def test_a_trailer_without_end_is_refused(port: int) -> None:
    head = b"POST /v1/match HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: "
    assert code_of(send(port, head, b"y" * 40_000, pause=0.1)[0]) == (431, "head_too_large")


@pytest.mark.parametrize(
    "sent",
    ["GET /v1/match?q=北京 HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00", "你好\r\n\r\n"],
    ids=["target", "TLS", "words"],
)
def test_what_is_no_http_is_told_so_in_our_shape(port: int, sent: str) -> None:
    assert code_of(send(port, sent.encode())[0]) == (400, "http_invalid")


def test_whoever_keeps_to_the_rules_is_not_hurried(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(WHOLE[:-9])
        time.sleep(1.3)  # a body may take longer than a head
        connection.sendall(WHOLE[-9:])
        assert one_answer(connection).startswith(b"HTTP/1.1 200")
        connection.sendall(WHOLE.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))
        assert read(connection).startswith(b"HTTP/1.1 200")


def test_a_wish_for_another_protocol_costs_no_body(port: int) -> None:
    wish = b"\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEA\r\n\r\n"
    asked = WHOLE.replace(b"\r\n\r\n", wish, 1)
    with socket.create_connection(("127.0.0.1", port)) as connection:
        for cut in (len(asked), len(asked) - 9, 40):
            connection.sendall(asked[:cut])
            time.sleep(0.05)
            connection.sendall(asked[cut:])
            assert one_answer(connection).startswith(b"HTTP/1.1 200")


def test_a_tunnel_is_refused(port: int) -> None:
    assert code_of(send(port, b"CONNECT m:80 HTTP/1.1\r\nhost: localhost\r\n\r\n")[0]) == (
        400,
        "http_invalid",
    )


def test_a_websocket_is_answered_like_any_request(port: int) -> None:
    ask = b"GET /v1/match HTTP/1.1\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n"
    answer, _ = send(port, ask)
    assert answer.startswith(b"HTTP/1.1 405")
    assert b'"method_wrong"' in answer


def outcomes(port: int) -> dict[str, float]:
    """What /metrics counts by now."""
    page = send(port, b"GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")[0].decode()
    found = re.findall(r'^menpai_outcomes_total\{outcome="(\w+)"\} (\S+)', page, re.MULTILINE)
    return {outcome: float(count) for outcome, count in found}


@pytest.mark.parametrize("length", [b"content-length: 20000000\r\n", b"transfer-encoding: chunked\r\n"])
def test_who_sends_too_much_still_reads_why_not(port: int, length: bytes) -> None:
    """Bytes that nobody reads reset a connection when it is closed, and its answer with it."""
    answer, seconds = send(
        port,
        b"POST /v1/match HTTP/1.1\r\nhost: localhost\r\n" + length + b"\r\n1312d00\r\n",
        *[b"[" * 5_000_000] * 4,
    )
    assert code_of(answer) == (413, "body_too_large")
    assert seconds < 4


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"ZZ\r\n\r\n", 400), (b"2\r\n{}\r\nZZ\r\n\r\n", 400), (b"1;" + b"x" * 200_000, 431)],
    ids=["no chunk", "a chunk, then none", "endless chunk line"],
)
def test_a_request_whose_body_breaks_is_counted_once(port: int, body: bytes, status: int) -> None:
    before = outcomes(port)
    head = b"POST /v1/match HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    assert code_of(send(port, head, body)[0])[0] == status
    time.sleep(0.1)
    after = outcomes(port)
    grown = {name: count - before.get(name, 0) for name, count in after.items() if count != before.get(name)}
    assert grown == {"refused": 1, "ok": 1}  # the other is the first look at /metrics
