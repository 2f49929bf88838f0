"""The service as an ASGI application, put together from its parts."""

from __future__ import annotations

from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.serving import openapi, pages
from menpai.serving.codec import write_json
from menpai.serving.errors import on_http_error
from menpai.serving.guard import HostCheck, KeyCheck, OriginCheck, QuotaCheck, names_in
from menpai.serving.keys import Keys
from menpai.serving.libraries import Libraries
from menpai.serving.lifecycle import OpenMatcher, Service
from menpai.serving.logs import Log
from menpai.serving.metrics import Metrics
from menpai.serving.middleware import BodyLimit, Envelope
from menpai.serving.quota import Quotas
from menpai.serving.spans import Spans
from menpai.serving.table import OPERATIONS
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
    app = Starlette(
        routes=[
            *(Route(each.path, each.handler, methods=[each.method]) for each in operations),
            Route("/docs/start.js", pages.start),
            *(Route(f"/docs/{name}", pages.asset) for name in pages.ASSETS),
            *(Route(f"/page/{name}", pages.page_asset) for name in pages.page_assets()),
        ],
        middleware=[
            *([Middleware(ProxyHeadersMiddleware, trusted_hosts=proxies)] if proxies else []),
            Middleware(
                Envelope,
                log=log,
                metrics=metrics,
                routes=PATHS,
                language=settings.lang,
                origins=origins,
                spans=Spans() if settings.traces else None,
            ),
            Middleware(HostCheck, settings=settings, keyed=keys.wanted),
            Middleware(OriginCheck, origins=origins),
            Middleware(KeyCheck, keys=keys, settings=settings),
            Middleware(QuotaCheck, quotas=Quotas()),
            Middleware(BodyLimit, limit=int(settings.max_body_mb * 1_000_000)),
        ],
        exception_handlers={HTTPException: on_http_error},
        lifespan=partial(libraries.around, service),
    )
    app.router.redirect_slashes = False
    app.state.service = service
    app.state.libraries = libraries
    app.state.document = write_json(openapi.document(operations))
    return app


def _tell_of_keys(log: Log, metrics: Metrics, event: str, error: UsageError | None) -> None:
    """Say that the file of keys was read again, or why it was not taken."""
    metrics.event(event)
    log.event(event, **({"message": error.render("en")[0]} if error else {}))
