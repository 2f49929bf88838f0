"""The service as an ASGI application, put together from its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from starlette.applications import Starlette
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.serving import openapi, pages
from menpai.serving.codec import write_json
from menpai.serving.full import Full
from menpai.serving.guard import HostCheck, KeyCheck, OriginCheck, QuotaCheck, names_in
from menpai.serving.jobs.jobs import Jobs
from menpai.serving.keys import Keys
from menpai.serving.libraries import Libraries
from menpai.serving.lifecycle import OpenMatcher, Service
from menpai.serving.logs import Log
from menpai.serving.metrics import Metrics
from menpai.serving.middleware import BodyLimit, Envelope
from menpai.serving.paths import Handler, Paths
from menpai.serving.quota import Quotas
from menpai.serving.spans import Spans
from menpai.serving.table import OPERATIONS, UPLOAD
from menpai.settings import Settings

PATHS = frozenset(operation.path for operation in OPERATIONS)


def create_app(
    settings: Settings, open_matcher: OpenMatcher | None = None, log: Log | None = None
) -> Starlette:
    """The application; it answers from the start, and with verdicts once its matcher is warmed."""
    log = log or Log(with_text=settings.log_text, salt=settings.log_salt)
    metrics = Metrics()
    keys = Keys(settings.api_key, settings.key_file, partial(_tell_of_keys, log, metrics))
    origins = frozenset(names_in(settings.cors_origins))
    proxies = names_in(settings.trusted_proxies)
    service = Service(settings, open_matcher or (lambda given: Matcher.open(settings=given)), metrics, log)
    libraries = Libraries(settings, log.event)
    # With a port of their own, metrics are nowhere else.
    operations = [each for each in OPERATIONS if not (settings.metrics_port and each.path == "/metrics")]
    jobs = Jobs(settings, lambda: service.loaded_settings, metrics, log.event)
    # Requests pass none of its layers.
    app = Starlette(lifespan=partial(jobs.around, partial(libraries.around, service)))
    paths = app.state.paths = Paths(app.router, _routes(operations))
    limit = int(settings.max_body_mb * 1_000_000)
    envelope: Any = Envelope(
        BodyLimit(paths, limit=limit, streams={UPLOAD: int(settings.jobs_mb * 1_000_000)}),
        log=log,
        metrics=metrics,
        routes=PATHS,
        language=settings.lang,
        origins=origins,
        spans=Spans() if settings.traces else None,
        checks=(
            HostCheck(settings=settings, keyed=keys.wanted),
            OriginCheck(origins=origins),
            KeyCheck(keys=keys, settings=settings),
            QuotaCheck(quotas=Quotas()),
        ),
    )
    outermost: Any = ProxyHeadersMiddleware(envelope, trusted_hosts=proxies) if proxies else envelope
    app.middleware_stack = outermost
    app.state.service = service
    app.state.full = Full(service)
    app.state.libraries = libraries
    app.state.jobs = jobs
    app.state.document = write_json(openapi.document(operations))
    return app


def _routes(operations: Sequence[openapi.Operation]) -> Iterator[tuple[str, str, Handler]]:
    """Method, path and handler of all that is served."""
    yield from ((each.method, each.path, each.handler) for each in operations)
    yield "GET", "/docs/start.js", pages.start
    yield from (("GET", f"/docs/{name}", pages.asset) for name in pages.ASSETS)
    yield from (("GET", f"/page/{name}", pages.page_asset) for name in pages.page_assets())


def _tell_of_keys(log: Log, metrics: Metrics, event: str, error: UsageError | None) -> None:
    """Say that the file of keys was read again, or why it was not taken."""
    metrics.event(event)
    log.event(event, **({"message": error.render("en")[0]} if error else {}))
