"""Metrics and health on a port of their own, in the same process and loop, for a network that only scrapers see."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.applications import Starlette

from menpai.serving import routes
from menpai.serving.lifecycle import Service
from menpai.serving.middleware import Envelope
from menpai.serving.paths import Paths
from menpai.serving.protocol import GuardedProtocol

ROUTES = {"/metrics": routes.metrics, "/livez": routes.livez, "/readyz": routes.readyz}


class MetricsServer(uvicorn.Server):
    """A second server beside the service's; signals are the other's."""

    def __init__(self, service: Service) -> None:
        app = Starlette()
        app.middleware_stack = Envelope(
            Paths(app.router, [("GET", path, handler) for path, handler in ROUTES.items()]),
            log=service.log,
            metrics=service.metrics,
            routes=frozenset(ROUTES),
            language=service.settings.lang,
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
