"""The page of a review: shows a pair, saves what a person says of it. The door before it is `review_door`."""

from __future__ import annotations

import contextlib
import json
import secrets
import threading
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from menpai.errors import Language, MenpaiError, UsageError
from menpai.matcher import Matcher
from menpai.serving.pages import answer_asset, assets_in, page_assets
from menpai.serving.review_door import Door, refusal, told
from menpai.serving.server import bind
from menpai.tables.review.explained import explain
from menpai.tables.review.session import Session
from menpai.verdict import LABELS

HOST = "127.0.0.1"
LIMIT = 4096  # bytes of a body; an answer has some sixty
PAGE = "review.html"


class Desk:
    """What the page asks for, one request at a time."""

    def __init__(self, session: Session, matcher: Matcher, language: Language, name: str) -> None:
        self._session, self._matcher, self._language, self._name = session, matcher, language, name
        self._lock = threading.Lock()

    def state(self) -> dict[str, Any]:
        """All that the page shows."""
        with self._lock:
            pair = self._session.current
            return {
                "file": self._name,
                "can_undo": self._session.can_undo,
                "pair": pair and explain(pair, self._matcher).to_dict(self._language),
                **self._session.to_dict(),
            }

    def answer(self, key: str, label: str) -> dict[str, Any]:
        """Save a label, or skip where it is empty; the state after that."""
        with self._lock:
            done = self._session.answer(key, label) if label else self._session.skip(key)
        if not done:
            raise UsageError("review_elsewhere")
        return self.state()

    def undo(self) -> dict[str, Any]:
        """Take the last answer back; the state after that."""
        with self._lock:
            self._session.undo()
        return self.state()


def serve(
    session: Session,
    matcher: Matcher,
    language: Language,
    name: str,
    *,
    port: int = 0,
    heard: Callable[[str], None],
) -> None:
    """Serve until the page says that it is finished, or Ctrl-C; `heard` is told the link once it can be opened."""
    token = secrets.token_urlsafe(24)
    ended = threading.Event()
    app = create_app(Desk(session, matcher, language, name), token, language, ended.set)
    config = uvicorn.Config(
        app,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    with contextlib.closing(bind(HOST, port)) as listener:
        heard(f"http://{HOST}:{listener.getsockname()[1]}/?token={token}")
        with contextlib.suppress(KeyboardInterrupt):
            _Server(config, ended).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Uvicorn, until an event."""

    def __init__(self, config: uvicorn.Config, ended: threading.Event) -> None:
        super().__init__(config)
        self._ended = ended

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second: whether to stop."""
        return await super().on_tick(counter) or self._ended.is_set()


def create_app(desk: Desk, token: str, language: Language, end: Callable[[], None]) -> Door:
    """The application behind its door."""

    async def state(_: Request) -> Response:
        return told(await run_in_threadpool(desk.state))

    async def answer(request: Request) -> Response:
        key, label = await _answer_in(request)
        return told(await run_in_threadpool(desk.answer, key, label))

    async def undo(_: Request) -> Response:
        return told(await run_in_threadpool(desk.undo))

    async def finish(_: Request) -> Response:
        end()
        return told({})

    async def refuse(_: Request, error: Exception) -> Response:
        assert isinstance(error, MenpaiError)
        return refusal(error, language)

    posts = {"/answer": answer, "/undo": undo, "/finish": finish}
    app = Starlette(
        routes=[
            Route("/", partial(_asset, _own(), PAGE)),
            Route("/state", state),
            *(Route(path, handler, methods=["POST"]) for path, handler in posts.items()),
            *(Route(f"/page/{name}", partial(_asset, page_assets(), name)) for name in page_assets()),
            *(Route(f"/review/{name}", partial(_asset, _own(), name)) for name in _own()),
        ],
        exception_handlers={MenpaiError: refuse},
    )
    return Door(app, token, language)


@cache
def _own() -> Mapping[str, Any]:
    return assets_in("review_page")


async def _asset(assets: Mapping[str, Any], name: str, request: Request) -> Response:
    return answer_asset(request, assets[name])


async def _answer_in(request: Request) -> tuple[str, str]:
    """The pair's key and the label ("" to skip); UsageError for any other body."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LIMIT:
            raise UsageError("review_answer_wrong", known=", ".join(LABELS))
    try:
        given = json.loads(body)
        key, label = given["key"], given["label"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise UsageError("review_answer_wrong", known=", ".join(LABELS)) from None
    if not isinstance(key, str) or label not in (*LABELS, ""):
        raise UsageError("review_answer_wrong", known=", ".join(LABELS))
    return key, label
