"""OpenTelemetry: a span for each request and one in it for each stage, below the caller's own, without texts."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from menpai.errors import NotReadyError
from menpai.matcher import Matcher
from menpai.serving import app, spans
from menpai.serving.spans import Spans
from tests.serving.rig import A, B, Held, Rig, running

PAIR = {"a": A, "b": B}
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture(scope="module")
def traced(matcher: Matcher) -> Iterator[tuple[Rig, InMemorySpanExporter, Held]]:
    exporter, provider, held = InMemorySpanExporter(), TracerProvider(), Held(matcher)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "Spans", lambda: Spans(provider))
        with running(lambda *_: held, traces=True) as rig:
            yield rig, exporter, held
    provider.shutdown()


def told(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    found = {span.name: span for span in exporter.get_finished_spans()}
    exporter.clear()
    return found


def test_a_request_and_its_stages_are_spans_below_the_callers(
    traced: tuple[Rig, InMemorySpanExporter, Held],
) -> None:
    rig, exporter, _ = traced
    rig.ask("/v1/match", PAIR, traceparent=PARENT, x_request_id="order-77")
    found = told(exporter)
    whole = found.pop("POST /v1/match")
    assert set(found) == {"normalize", "cache", "queue", "infer"}
    assert whole.parent
    assert f"{whole.parent.trace_id:032x}-{whole.parent.span_id:016x}" == PARENT[3:-3]
    assert whole.kind is SpanKind.SERVER
    attributes = dict(whole.attributes or {})
    assert attributes["http.response.status_code"] == 200
    assert attributes["menpai.request_id"] == "order-77"
    assert attributes["menpai.label"] == "partial_match"
    assert attributes["menpai.cache"] == "miss"
    at = whole.start_time
    for name in ("normalize", "cache", "queue", "infer"):
        piece = found[name]
        assert piece.parent
        assert piece.parent.span_id == whole.context.span_id
        assert at <= piece.start_time <= piece.end_time <= whole.end_time  # type: ignore[operator]
        at = piece.end_time
    assert "文三路" not in str([span.to_json() for span in (whole, *found.values())])


def test_a_failure_is_one_in_its_span_and_a_mistake_of_the_caller_is_not(
    traced: tuple[Rig, InMemorySpanExporter, Held],
) -> None:
    rig, exporter, held = traced
    rig.ask("/v1/match", b"{")
    refused = told(exporter)["POST /v1/match"]
    assert (refused.status.status_code, refused.attributes["menpai.code"]) == (
        StatusCode.UNSET,
        "body_not_json",
    )  # type: ignore[index]
    assert refused.parent is None
    rig.ask("/v1/match", {"a": A, "b": held.poison})
    failed = told(exporter)["POST /v1/match"]
    assert failed.status.status_code is StatusCode.ERROR
    assert held.poison not in failed.to_json()


def test_without_the_setting_nothing_is_imported_and_without_the_extra_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "opentelemetry"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with running(lambda *_: None, warmed=False):
        pass
    with pytest.raises(NotReadyError) as caught:
        spans.Spans()
    assert caught.value.details["extra"] == "otel"
