"""One HTTP/1.1 connection that is kept alive: a request goes out, its status comes back, nothing is copied twice.

The answer is read by httptools (the parser of Node.js and Uvicorn): 10 µs of CPU a request with uvloop, where a
general client takes milliseconds.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import cast

import httptools

from menpai.load.target import Target

# What an answer is counted as: its status, or what came instead of an answer.
Outcome = int | str
CONNECT_SECONDS = 10


class Connection(asyncio.Protocol):
    """`send` a request, and `on_answer` is called with its outcome; one request at a time."""

    def __init__(self) -> None:
        self.on_answer: Callable[[Connection, Outcome], None] = nobody
        self.alive = False
        self.free_since = 0.0
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._waiting = False
        self._good = False

    def send(self, request: bytes) -> None:
        """Write a request; its outcome will come to `on_answer`."""
        assert self._transport is not None
        self._waiting, self._good = True, False
        self._transport.write(request)

    def abandon(self, outcome: Outcome) -> None:
        """Wait no longer for the answer: it counts as `outcome`, and the connection is closed."""
        self.close()
        self._finish(outcome)

    def close(self) -> None:
        """Hang up."""
        self.alive = False
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection stands."""
        self._transport, self.alive = cast(asyncio.Transport, transport), True  # uvloop's has another base

    def connection_lost(self, exc: Exception | None) -> None:
        """It fell; what was still asked is lost."""
        self.alive = False
        self._finish("reset" if isinstance(exc, ConnectionResetError) else "closed")

    def data_received(self, data: bytes) -> None:
        """Bytes of an answer."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.abandon("not_http")

    def on_body(self, body: bytes) -> None:
        """A piece of the body."""
        self._good = self._good or bool(body)

    def on_message_complete(self) -> None:
        """The answer is whole."""
        status = self._parser.get_status_code()
        if status < 200:
            return
        if not self._parser.should_keep_alive():
            self.close()
        if status == 200 and not self._good:
            self._finish("no_answer")
        else:
            self._finish(status)

    def _finish(self, outcome: Outcome) -> None:
        if self._waiting:
            self._waiting = False
            self.on_answer(self, outcome)


async def connect(target: Target) -> Connection:
    """An open connection; raises OSError (TimeoutError among them) or ssl.SSLError."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_SECONDS):
        _, connection = await loop.create_connection(
            Connection, target.host, target.port, ssl=target.tls,
            server_hostname=target.host if target.tls else None,
        )  # fmt: skip
    return connection


def why(error: Exception) -> str:
    """The kind of a failed connection, as outcomes are counted."""
    if isinstance(error, ssl.SSLError):
        return "tls"
    if isinstance(error, ConnectionRefusedError):
        return "refused"
    return "connect_timeout" if isinstance(error, TimeoutError) else "connect"


def nobody(connection: Connection, outcome: Outcome) -> None:
    """Outcomes that nobody waits for."""
