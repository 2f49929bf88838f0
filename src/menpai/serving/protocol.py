"""One connection: Uvicorn's protocol, with limits on heads and on slow readers, and refusals in our shape.

Uvicorn limits neither with httptools; a head is read before any key is checked, and an answer that nobody reads stays
in memory, even when the connection is being closed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, cast
from weakref import ref

import httptools
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from menpai.errors import UsageError
from menpai.serving.batching import WHEN_LOST
from menpai.serving.errors import error_response, status_of
from menpai.serving.full import Full
from menpai.serving.joined import Joined
from menpai.serving.lifecycle import Service
from menpai.serving.logs import Trace, new_id
from menpai.serving.middleware import ARRIVED, REFUSED

HEAD_BYTES = 32_768
HEAD_SECONDS = 10
WRITE_SECONDS = 30
LEAST_READ = 65_536  # bytes of an answer that a caller must take in WRITE_SECONDS, if it is not at its end


class _Parser(httptools.HttpRequestParser):
    """Offers the request again without its wish for another protocol; httptools would skip the body."""

    def __init__(self, protocol: GuardedProtocol) -> None:
        super().__init__(protocol)
        self._protocol = protocol
        with contextlib.suppress(AttributeError):  # as Uvicorn has it; httptools before 0.6.3 cannot
            self.set_dangerous_leniencies(lenient_data_after_close=True)

    def feed_data(self, data: Any) -> None:
        """Read on."""
        try:
            super().feed_data(data)
        except httptools.HttpParserUpgrade as wish:
            self._protocol.stay(data[wish.args[0] :])


class GuardedProtocol(HttpToolsProtocol):
    """Closes a connection on which no request arrives in time, and refuses a head that is too large."""

    _timer: asyncio.TimerHandle | None = None
    _unparsed = 0  # bytes since the last piece of a body or the last whole head
    _head = 0  # bytes of the fields in this head
    _refusal: UsageError | None = None
    _refused = False
    _wishing = False  # this head asks for another protocol
    _turned_away = False  # this request was answered by its head alone: its body is read over
    _tell: Callable[[], None] | None = None
    _unread = (0.0, 0)  # since when, and how many bytes of answers wait for their reader

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The time for the first head begins."""
        super().connection_made(cast(Any, Joined(transport, self.loop, self._unheard)))
        self.parser = _Parser(self)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read on; a head, trailer or chunk line without end is refused before it fills the memory."""
        if self.transport.is_closing():  # it is heard out
            return
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > HEAD_BYTES and not self.transport.is_closing():
            self._refuse(UsageError("head_too_large", limit=HEAD_BYTES))
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end; no timer outlives it, and who waits for it is told."""
        self._stop_timer()
        self._unset_keepalive_if_required()  # Uvicorn leaves it where the caller reset the connection
        super().connection_lost(exc)
        if self._tell is not None:
            self._tell()
        # A connection that holds itself is memory until the collector comes, which is seldom.
        self._tell, self.cycle, self.scope = None, None, cast(Any, {})  # type: ignore[assignment]
        cast(Joined, self.transport).lost()

    def when_lost(self, tell: Callable[[], None] | None) -> bool:
        """Call `tell` once this connection is lost, in place of what was given before; whether it is lost already."""
        self._tell = tell
        self.flow.resume_reading()  # a long body may have stopped it, and who does not read never hears of the end
        return bool(self.transport.is_closing())

    def check_reader(self, now: float) -> bool:
        """Called every second: cut the connection of a caller who does not read its answer; whether it did."""
        waiting = self.transport.get_write_buffer_size()
        since, before = self._unread
        if not waiting or not before:
            self._unread = (now, waiting)
        elif now - since >= WRITE_SECONDS:
            self._unread = (now, waiting)
            if before - waiting < LEAST_READ:
                self.transport.abort()
                return True
        return False

    def on_message_begin(self) -> None:
        """Count a new head."""
        self._head = 0
        self._unset_keepalive_if_required()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """A part of the target."""
        self._grow(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the head or of a trailer."""
        self._grow(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """A head has come whole."""
        self._unparsed = 0
        self._wishing = self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT"
        self._turned_away = not self._wishing and self._turn_away()
        if not (self._wishing or self._turned_away):
            super().on_headers_complete()
            self.scope |= {WHEN_LOST: self.when_lost, ARRIVED: partial(_arrived, ref(self.cycle))}  # type: ignore[misc]

    def on_body(self, body: bytes) -> None:
        """A piece of a body; its size is the application's to limit."""
        self._unparsed = 0
        if not self._turned_away:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """A request has come whole."""
        if self._turned_away:
            self.on_response_complete()  # the connection stays for the next
        elif not self._wishing:
            super().on_message_complete()

    def _turn_away(self) -> bool:
        """Answer at once that too much waits, if it does; whether it was done. Requests in a row take the long way."""
        full: Full | None = getattr(cast(Starlette, self.config.app).state, "full", None)
        if full is None or not (self._idle and self.parser.should_keep_alive()) or self.expect_100_continue:
            return False
        answer = full.refuse(
            self.parser.get_method(), self.url, self.headers, self.server_state.default_headers
        )
        if answer is not None:
            self.transport.write(answer)
        return answer is not None

    def stay(self, rest: bytes) -> None:
        """Read a request that asks for another protocol (Java's client does, h2c) as plain HTTP/1.1."""
        head = self.parser.get_method() + b" " + self.url + b" HTTP/1.1\r\n"
        fields = [name + b": " + value + b"\r\n" for name, value in self.headers if name != b"upgrade"]
        self.parser = _Parser(self)
        self.parser.feed_data(head + b"".join(fields) + b"\r\n" + rest)

    def send_400_response(self, msg: str) -> None:
        """What Uvicorn calls when the parser gives up, also over a field that is too large."""
        self._refuse(self._refusal or UsageError("http_invalid"))

    def _grow(self, size: int) -> None:
        self._head += size
        if self._head > HEAD_BYTES:
            self._refusal = UsageError("head_too_large", limit=HEAD_BYTES)
            raise ValueError  # the parser hands it on as an error of its own

    def _watch(self) -> None:
        """A timer runs while, and only while, no request is being answered."""
        if not self._idle or self.transport.is_closing() or self.timeout_keep_alive_task is not None:
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._time_out)

    @property
    def _idle(self) -> bool:
        """Whether no request is in an application's hands."""
        return self.cycle is None or self.cycle.response_complete

    def _time_out(self) -> None:
        if self._unparsed:
            self._refuse(UsageError("head_slow", seconds=HEAD_SECONDS))
        else:  # nobody spoke
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _unheard(self) -> bool:
        """Whether the caller is still sending; reading goes on then, or it would never come to its answer."""
        sends = self._refused or (self.cycle is not None and self.cycle.more_body)
        if sends:
            self.flow.resume_reading()
        return sends

    def _refuse(self, error: UsageError) -> None:
        """Answer outside of any request, or in place of the one whose body this is; it is counted once. Then close."""
        service: Service = cast(Starlette, self.config.app).state.service
        status, cycle = status_of(error), self.cycle
        trace = Trace(new_id(), "other", "", facts={"code": error.code})
        self._refused = error.code != "head_slow"  # whose sender has nothing more on its way
        response = error_response(error, service.settings.lang)
        response.headers["x-request-id"] = trace.id
        response.headers["connection"] = "close"
        if cycle is not None and cycle.more_body and not cycle.response_complete:
            cycle.scope[REFUSED] = (status, trace)  # type: ignore[literal-required]
            cycle.disconnected = True
            cycle.message_event.set()
        else:
            service.metrics.request(trace.route, status, trace.seconds, {})
            service.log.request(trace, status)
        fields = [name + b": " + value + b"\r\n" for name, value in response.raw_headers]
        self.transport.write(STATUS_LINE[status] + b"".join(fields) + b"\r\n" + bytes(response.body))
        self.transport.close()


def _arrived(cycle: Callable[[], Any]) -> bool:
    """Whether the body of a request has come whole; then nobody need watch the clock. The cycle is referred to weakly:
    it holds the scope that holds this, and what waits for the collector is memory."""
    return not getattr(cycle(), "more_body", False)
