"""A server on real sockets: HTTPS, metrics on a port of their own, readers that do not read, connections that wait."""

from __future__ import annotations

import contextlib
import io
import json
import socket
import ssl
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme

from menpai.cli.entry import main
from menpai.serving import protocol, tls
from menpai.serving.logs import Background, Log
from tests.serving.rig import serving


def until(happened: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)


class Papers:
    """A certificate for localhost, in files, from an authority of its own."""

    def __init__(self, folder: Path) -> None:
        self.chain, self.key = folder / "cert.pem", folder / "key.pem"
        self.authority = trustme.CA()
        self.renew()

    def renew(self) -> None:
        issued = self.authority.issue_cert("localhost", "127.0.0.1")
        issued.private_key_pem.write_to_path(self.key)
        self.chain.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))

    def trusting(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        return context


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    return Papers(tmp_path_factory.mktemp("tls"))


def serial(port: int, context: ssl.SSLContext) -> str:
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        context.wrap_socket(plain, server_hostname="localhost") as connection,
    ):
        return str((connection.getpeercert() or {})["serialNumber"])


def test_https_with_a_certificate_and_a_renewed_one(papers: Papers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tls, "LOOK_SECONDS", 0.0)
    with serving(None, tls_cert=str(papers.chain), tls_key=str(papers.key)) as (server, port):
        context = papers.trusting()
        answer = httpx.get(f"https://localhost:{port}/livez", verify=context)
        assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
        with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
            httpx.get(f"https://localhost:{port}/livez")
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"http://localhost:{port}/livez")
        old = serial(port, context)
        papers.chain.write_text("half a certi")
        time.sleep(0.3)
        assert serial(port, context) == old
        page = server.service.metrics.page().decode()
        assert (
            'menpai_events_total{event="certificate_refused"} 1.0' in page
        )  # told once, tried again and again
        papers.renew()
        until(lambda: serial(port, context) != old)


def test_papers_that_do_not_belong_together_are_named(
    papers: Papers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Papers(tmp_path)
    for cert, key in (
        (papers.chain, other.key),
        (tmp_path / "none.pem", other.key),
        (papers.key, papers.key),
        (papers.chain, ""),
    ):
        assert (
            main(["serve", "--port", "0", "--tls-cert", str(cert), "--tls-key", str(key), "--language", "en"])
            == 2
        )
        captured = capsys.readouterr()
        assert f"cannot use the certificate {cert}" in captured.err
        assert "Traceback" not in captured.err
        assert captured.out == ""


def test_metrics_have_a_port_of_their_own(papers: Papers) -> None:
    with serving(None, beside=True, api_key="s3cret") as (server, port):
        assert server.beside
        other = f"http://127.0.0.1:{server.beside.getsockname()[1]}"
        until(lambda: server._metrics_server.started)
        page = httpx.get(f"{other}/metrics")
        assert (page.status_code, "menpai_connections 0.0" in page.text) == (200, True)
        assert httpx.get(f"{other}/readyz").status_code == 500
        assert httpx.get(f"{other}/docs").status_code == 404
        keyed = {"authorization": "Bearer s3cret"}
        assert httpx.get(f"http://127.0.0.1:{port}/metrics", headers=keyed).status_code == 404
        assert "/metrics" not in httpx.get(f"http://127.0.0.1:{port}/openapi.json").json()["paths"]
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{other}/metrics")


def test_a_caller_that_does_not_read_is_cut_and_a_slow_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "WRITE_SECONDS", 0.5)
    ask = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    with serving(None) as (server, port):
        (listening,) = server.servers[0].sockets
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
        with calling(port) as lazy, calling(port) as slow:
            lazy.sendall(ask)
            slow.sendall(ask)
            got = 0
            while part := slow.recv(65_536):  # 1 MB at half a megabyte a second
                got += len(part)
                time.sleep(len(part) / 500_000)
            assert got > 1_000_000
            until(lambda: not server.server_state.connections)
            events = 'menpai_events_total{event="slow_reader_cut"} 1.0'
            assert events in server.service.metrics.page().decode()
            lazy.settimeout(5)
            with contextlib.suppress(ConnectionResetError):
                assert len(b"".join(iter(lambda: lazy.recv(65_536), b""))) < 1_000_000


def calling(port: int) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.connect(("127.0.0.1", port))
    return connection


class Stuck(io.StringIO):
    """A stream whose reader has stopped reading."""

    def __init__(self) -> None:
        super().__init__()
        self.free = threading.Event()

    def write(self, text: str) -> int:
        assert self.free.wait(30)
        return super().write(text)


def test_a_log_that_nobody_reads_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("menpai.serving.logs.WAITING_LINES", 100)
    stream, dropped = Stuck(), []
    lines = Background(stream, dropped.append)
    log = Log(with_text=False, stream=lines)
    started = time.monotonic()
    for number in range(500):
        log.event("test", number=number)
    assert time.monotonic() - started < 1
    assert sum(dropped) in (399, 400)  # the thread may hold one line
    stream.free.set()
    lines.close()
    written = [json.loads(line)["number"] for line in stream.getvalue().splitlines()]
    assert written == list(range(500 - sum(dropped)))


def test_what_was_logged_is_written_before_the_end() -> None:
    stream = io.StringIO()
    lines = Background(stream)
    log = Log(with_text=False, stream=lines)
    for number in range(2500):
        log.event("test", number=number)
    lines.close()
    assert [json.loads(line)["number"] for line in stream.getvalue().splitlines()] == list(range(2500))


def test_many_new_connections_are_taken_in_one_turn_of_the_loop() -> None:
    """One in a turn left hundreds waiting for seconds, where turns are long."""
    turns = 0
    with serving(None) as (server, port), contextlib.ExitStack() as stack:
        loop, open_ones = server.servers[0].get_loop(), server.server_state.connections

        def turn() -> None:
            nonlocal turns
            if len(open_ones) < 64:
                turns += 1
                loop.call_soon(turn)

        loop.call_soon_threadsafe(time.sleep, 0.3)
        for _ in range(64):
            stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        loop.call_soon_threadsafe(turn)
        until(lambda: len(open_ones) == 64)
        assert 0 < turns < 32
        listening = [
            line for line in server.service.log._stream.getvalue().splitlines() if "listening" in line
        ]
        assert len(listening) == 1
