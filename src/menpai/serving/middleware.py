"""Around every request, as plain ASGI: request id, timings, log line, metrics, spans, size of the body.

No BaseHTTPMiddleware: behind it a handler cannot see that its caller has gone.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from menpai.errors import Language, MenpaiError, NotReadyError, UsageError
from menpai.serving.errors import CLIENT_GONE, RETRY_SECONDS, ClientGoneError, error_response, language_of
from menpai.serving.guard import PREFLIGHT, cors_headers, field, is_preflight
from menpai.serving.logs import TRACE, Log, Trace, new_id, trace_of
from menpai.serving.metrics import Metrics
from menpai.serving.spans import Spans

BODY_SECONDS = 30
LEAST_RATE = 20_000  # bytes a second of a file, on the whole, beyond that time
ARRIVED = "menpai.arrived"  # in a request's scope, where its connection knows whether the body is whole
REFUSED = "menpai.refused"  # there: status and trace of what its connection answered in its place
_GOOD_ID = re.compile(r"[A-Za-z0-9._:/+=@-]{1,128}")


class Envelope:
    """The outermost: whatever happens inside, a request ends with answer, id, log line and count."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        log: Log,
        metrics: Metrics,
        routes: frozenset[str],
        language: Language,
        origins: frozenset[str] = frozenset(),
        spans: Spans | None = None,
        checks: Sequence[Callable[[Scope], None]] = (),
    ) -> None:
        self.app = app
        self.log = log
        self.metrics = metrics
        self.routes = routes
        self.language = language
        self.origins = origins
        self.spans = spans
        self.checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the request inside the envelope."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        trace = scope[TRACE] = self._open(scope)
        status = CLIENT_GONE

        async def stamped(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *self._headers(trace, scope)]
            await send(message)

        try:
            if is_preflight(scope, self.origins):
                await Response(status_code=204, headers=PREFLIGHT)(scope, receive, stamped)
            else:
                for check in self.checks:
                    check(scope)
                await self.app(scope, receive, stamped)
        except (ClientGoneError, ClientDisconnect):
            trace.facts["gone"] = True
        except asyncio.CancelledError:  # the time for draining is over
            error = NotReadyError("service_draining", retry_after=RETRY_SECONDS)
            await self._answer(error, scope, receive, stamped, started=status != CLIENT_GONE)
            raise
        except Exception as error:
            await self._answer(error, scope, receive, stamped, started=status != CLIENT_GONE)
        finally:
            if REFUSED in scope:
                status, told = scope[REFUSED]
                trace.id, trace.facts = told.id, told.facts
            self.metrics.request(trace.route, status, trace.seconds, trace.stages)
            self.log.request(trace, status)
            if self.spans:
                self.spans.request(trace, status, scope)

    def _open(self, scope: Scope) -> Trace:
        route = scope["path"] if scope["path"] in self.routes else "other"
        return Trace(request_id(scope), route, scope["method"])

    def _headers(self, trace: Trace, scope: Scope) -> list[tuple[bytes, bytes]]:
        told = {"x-request-id": trace.id}
        if trace.stages:
            told["server-timing"] = trace.server_timing
        if self.origins:
            told |= cors_headers(self.origins, scope)
        return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told.items()]

    async def _answer(
        self, error: Exception, scope: Scope, receive: Receive, send: Send, *, started: bool
    ) -> None:
        trace = trace_of(scope)
        if not isinstance(error, MenpaiError):
            self.log.failure(trace, error)
            error = MenpaiError("service_failed", request_id=trace.id)
        trace.facts["code"] = error.code
        if not started:
            await error_response(error, language_of(scope, self.language))(scope, receive, send)


def request_id(scope: Scope) -> str:
    """What the caller calls its request, or a new name."""
    given = field(scope, b"x-request-id")
    return given if _GOOD_ID.fullmatch(given) else new_id()


class BodyLimit:
    """A body that is too large or too slow is refused before it is read to the end.

    `streams` are paths whose bodies are files, with limits of their own; their time grows with what has come.
    """

    def __init__(
        self, app: ASGIApp, *, limit: int, streams: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.app = app
        self.limit = limit
        self.streams = streams

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with a counting `receive`; that raises `body_too_large` or `body_slow`."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        announced, arrived = field(scope, b"content-length"), scope.get(ARRIVED, bool)
        stream = scope["path"] in self.streams
        limit = self.streams.get(scope["path"], self.limit)
        _check(int(announced) if announced.isdecimal() else 0, limit)
        if announced and arrived():  # whole, and as long as announced: nothing to watch
            await self.app(scope, receive, send)
            return
        until = asyncio.get_running_loop().time() + BODY_SECONDS
        size, reading = 0, True

        async def counted() -> Message:
            nonlocal size, reading
            if not reading:
                return await receive()
            end = until + size / LEAST_RATE if stream else until
            message = await (receive() if arrived() else _before(end, receive))
            size += len(message.get("body", b""))
            _check(size, limit)
            reading = message.get("more_body", False)
            return message

        await self.app(scope, counted, send)


def _check(size: int, limit: int) -> None:
    if size > limit:
        raise UsageError("body_too_large", limit=limit)


async def _before(until: float, receive: Receive) -> Message:
    try:
        async with asyncio.timeout_at(until):
            return await receive()
    except TimeoutError:
        raise UsageError("body_slow", seconds=BODY_SECONDS) from None
