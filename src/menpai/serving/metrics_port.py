"""Metrics and health on a port of their own, in the same process and loop, for a network that only scrapers see."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from menpai.serving import routes
from menpai.serving.errors import on_http_error
from menpai.serving.lifecycle import Service
from menpai.serving.middleware import Envelope
from menpai.serving.protocol import GuardedProtocol

ROUTES = {"/metrics": routes.metrics, "/livez": routes.livez, "/readyz": routes.readyz}


class MetricsServer(uvicorn.Server):
    """A second server beside the service's; signals are the other's."""

    def __init__(self, service: Service) -> None:
        app = Starlette(
            routes=[Route(path, handler) for path, handler in ROUTES.items()],
            middleware=[
                Middleware(
                    Envelope,
                    log=service.log,
                    metrics=service.metrics,
                    routes=frozenset(ROUTES),
                    language=service.settings.lang,
                )
            ],
            exception_handlers={HTTPException: on_http_error},
        )
        app.state.service = service
        super().__init__(
            uvicorn.Config(
                app,
                http=GuardedProtocol,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
            )
        )

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """None of them."""
        yield
