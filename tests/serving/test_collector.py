"""Spans reach a collector over OTLP, under the service's name, from a service that was told by variables alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from menpai.serving import spans
from menpai.serving.logs import Trace

pytestmark = pytest.mark.slow


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    got: list[tuple[str, bytes]] = []

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", got
        server.shutdown()


@pytest.mark.parametrize(("name", "told"), [(None, b"menpai"), ("addresses-berlin", b"addresses-berlin")])
def test_spans_arrive(
    collector: tuple[str, list[tuple[str, bytes]]],
    monkeypatch: pytest.MonkeyPatch,
    name: str | None,
    told: bytes,
) -> None:
    url, got = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", url)
    if name:
        monkeypatch.setenv("OTEL_SERVICE_NAME", name)
    sending = spans.Spans()
    trace = Trace("order-77", "/v1/match", "POST", stages={"queue": 0.001})
    sending.request(trace, 200, {"type": "http", "headers": []})
    sending._provider.shutdown()
    ((path, body),) = got
    assert path == "/v1/traces"
    assert told in body
    assert b"order-77" in body
    assert b"POST /v1/match" in body
