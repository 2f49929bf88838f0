"""Our handler of a single pair (read, cache, queue, worker, written verdict) in three frameworks.

Around all of them: the envelope with id, timings, log line and metrics. What differs is who routes, reads the body and
makes the answer. `python -m benchmarks.serving.frameworks.apps FRAMEWORK SERVER PORT` serves one of them.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Callable
from typing import Any

import litestar
import uvicorn
import uvloop
from fastapi import FastAPI
from fastapi import Response as FastResponse
from granian.constants import Interfaces
from granian.server.embed import Server as Granian
from litestar.middleware import DefineMiddleware
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

from menpai import Matcher
from menpai.serving import routes
from menpai.serving.lifecycle import Service
from menpai.serving.logs import Log
from menpai.serving.metrics import Metrics
from menpai.serving.middleware import Envelope
from menpai.serving.wire import Pair
from menpai.settings import Settings


class Body(BaseModel):
    """Two addresses, for pydantic."""

    model_config = ConfigDict(extra="forbid")
    a: str
    b: str


def parts() -> tuple[Service, dict[str, Any]]:
    """The service, and the envelope's arguments."""
    settings, metrics, log = Settings.load({}), Metrics(), Log(with_text=False, stream=io.StringIO())
    service = Service(settings, lambda given: Matcher.open(settings=given), metrics, log)
    return service, {"log": log, "metrics": metrics, "routes": frozenset({"/v1/match"}), "language": "en"}


def with_starlette() -> Any:
    """Starlette and msgspec: what menpai serves."""
    service, envelope = parts()
    app = Starlette(routes=[Route("/v1/match", routes.match, methods=["POST"])], lifespan=service.lifespan)
    app.add_middleware(Envelope, **envelope)
    app.state.service = service
    return app


def with_fastapi() -> Any:
    """FastAPI and pydantic; the written verdict goes out as it is."""
    service, envelope = parts()
    app = FastAPI(lifespan=service.lifespan)
    app.add_middleware(Envelope, **envelope)
    app.state.service = service

    @app.post("/v1/match")
    async def match(body: Body, request: Request) -> FastResponse:
        verdict = await routes._match_pair(request, body.a, body.b)
        return FastResponse(verdict.body, media_type="application/json")

    return app


def with_litestar() -> Any:
    """Litestar, which reads the body with msgspec."""
    service, envelope = parts()

    @litestar.post("/v1/match", status_code=200)
    async def match(data: Pair, request: litestar.Request[Any, Any, Any]) -> litestar.Response[bytes]:
        verdict = await routes._match_pair(Request(request.scope, request.receive), data.a, data.b)
        return litestar.Response(verdict.body, media_type="application/json")

    app = litestar.Litestar(
        [match],
        lifespan=[service.lifespan],
        middleware=[DefineMiddleware(Envelope, **envelope)],
        logging_config=None,
    )
    app.state.service = service
    return app


APPS: dict[str, Callable[[], Any]] = {
    "starlette": with_starlette,
    "fastapi": with_fastapi,
    "litestar": with_litestar,
}


def main(framework: str, server: str, port: int) -> None:
    """Serve until killed."""
    app = APPS[framework]()
    if server == "uvicorn":
        uvicorn.run(app, port=port, log_level="warning", access_log=False)
    else:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(Granian(app, port=port, interface=Interfaces.ASGI, log_enabled=False).serve())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
