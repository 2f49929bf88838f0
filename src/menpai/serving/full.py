"""Refusing at the connection, while the queue is full: no body is read and no handler run, which takes a third of the time.

Only what would be refused anyway is: with caches a request has to be read first, for what is remembered is answered
also when the queue is full. If the event loop itself is late, that promise would cost everybody more than it gives.
"""

from __future__ import annotations

from functools import lru_cache

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from menpai.errors import Language, NotReadyError
from menpai.serving.admission import refusal
from menpai.serving.errors import error_response, language_of, status_of
from menpai.serving.guard import field
from menpai.serving.lifecycle import Service
from menpai.serving.logs import Trace
from menpai.serving.middleware import request_id

JUDGED = frozenset({b"/v1/match", b"/infer", b"/match"})
Fields = list[tuple[bytes, bytes]]
LATE_SECONDS = 0.2  # for a timer of the event loop


class Full:
    """Asked for each head that has come; `limit` is that of a body, and what is longer is looked at elsewhere."""

    def __init__(self, service: Service) -> None:
        settings = service.settings
        self._service = service
        self._cached = settings.cache
        self._off = settings.traces or bool(
            settings.cors_origins
        )  # whose answers need more than is made here
        self._limit = int(settings.max_body_mb * 1_000_000)

    def refuse(self, method: bytes, url: bytes, headers: Fields, defaults: Fields) -> bytes | None:
        """The whole answer to a request that cannot be judged in time, which is then counted; None for any other.

        `defaults` are fields that stand in all answers.
        """
        path = url.partition(b"?")[0]
        if self._off or method != b"POST" or path not in JUDGED:
            return None
        service, scope = self._service, {"headers": headers}
        if self._cached and service.lag < LATE_SECONDS:
            return None
        wait, bound = service.short_wait, service.settings.queue_seconds
        length = field(scope, b"content-length")
        if wait <= bound or not length.isdecimal() or int(length) > self._limit:
            return None
        error = refusal(wait, bound)
        trace = Trace(request_id(scope), path.decode(), "POST", facts={"code": error.code})
        service.metrics.shed("full", 1)
        service.metrics.request(trace.route, status_of(error), trace.seconds, {})
        service.log.request(trace, status_of(error))
        language = language_of(scope, service.settings.lang)
        head, body = _written(round(wait, 1), error.details["retry_after"], language)
        return head + _lines([*defaults, (b"x-request-id", trace.id.encode("latin-1"))]) + b"\r\n" + body


@lru_cache(512)
def _written(wait: float, retry_after: int, language: Language) -> tuple[bytes, bytes]:
    """The head but for what is each answer's own, and the body; the same for all who are refused in this moment."""
    error = NotReadyError("service_full", wait=wait, retry_after=retry_after)
    response = error_response(error, language)
    return STATUS_LINE[response.status_code] + _lines(response.raw_headers), bytes(response.body)


def _lines(fields: Fields) -> bytes:
    return b"".join([name + b": " + value + b"\r\n" for name, value in fields])
