"""OpenTelemetry: a span for each request, and one in it for each stage. Needs the extra `otel`.

Made after the request has ended, from what its trace holds: while it runs, nothing is spent on them. Where
they go, and which are kept, say the standard variables (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, …).
"""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from menpai._version import __version__
from menpai.errors import NotReadyError
from menpai.serving.logs import Trace

# Facts of the log line that may stand in a span.
FACTS = ("items", "problems", "label", "similarity", "decided_by", "cache", "batch", "code")


class Spans:
    """Hands ended requests to OpenTelemetry; `provider` is one of the SDK, by default one that sends OTLP."""

    def __init__(self, provider: Any = None) -> None:
        try:
            from opentelemetry import trace  # noqa: PLC0415 (an extra)
            from opentelemetry.propagate import extract  # noqa: PLC0415

            self._provider = provider or _sending()
        except ModuleNotFoundError as error:
            package = f"opentelemetry ({error.name})"
            raise NotReadyError("extra_missing", package=package, extra="otel") from error
        self._trace, self._extract = trace, extract
        self._tracer = self._provider.get_tracer("menpai", __version__)

    def request(self, trace: Trace, status: int, scope: Scope) -> None:
        """The span of a request that has ended, below the caller's own (header traceparent)."""
        began, ended = _nanoseconds(trace.at), _nanoseconds(trace.at + trace.seconds)
        span = self._tracer.start_span(
            f"{trace.method} {trace.route}",
            context=self._extract(dict(Headers(scope=scope))),
            kind=self._trace.SpanKind.SERVER,
            start_time=began,
            attributes=_attributes(trace, status),
        )
        if status >= 500:
            span.set_status(self._trace.StatusCode.ERROR)
        inside = self._trace.set_span_in_context(span)
        at = trace.at
        for stage, seconds in trace.timings.items():
            piece = self._tracer.start_span(stage, context=inside, start_time=_nanoseconds(at))
            at += seconds
            piece.end(min(_nanoseconds(at), ended))
        span.end(ended)


def _sending() -> Any:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    resource = Resource.create({})  # as OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES have it
    if str(resource.attributes["service.name"]).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "menpai", "service.version": __version__}))
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def _attributes(trace: Trace, status: int) -> dict[str, Any]:
    """By the conventions for HTTP servers, and our facts under menpai.*; no text, no caller."""
    values: dict[str, Any] = {
        "http.request.method": trace.method or "_OTHER",
        "http.route": trace.route,
        "http.response.status_code": status,
        "menpai.request_id": trace.id,
    }
    return values | {f"menpai.{name}": trace.facts[name] for name in FACTS if name in trace.facts}


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)
