"""Who may see a review: whoever has its link, which opens once, on this machine, from its own page.

The link's token is exchanged for a cookie that scripts cannot read. Every request but those for the files of the page
needs it, a name of this machine as host (no DNS rebinding) and, to change something, this page as its origin.
"""

from __future__ import annotations

import html
import json
import secrets

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from menpai.errors import Language, MenpaiError, UsageError
from menpai.serving.guard import HostCheck, OriginCheck
from menpai.serving.pages import PAGE_HEADERS
from menpai.settings import Settings

FILES = ("/page/", "/review/")
_STATUS = {"review_link_used": 403, "host_refused": 403, "origin_refused": 403, "review_elsewhere": 409}
_KEPT_NOWHERE = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class Door:
    """Lets requests in to an application, or says why not."""

    def __init__(self, app: ASGIApp, token: str, language: Language) -> None:
        self._app, self._token, self._language = app, token, language
        self._name, self._secret = f"menpai-review-{secrets.token_hex(4)}", secrets.token_urlsafe(24)
        self._checks = (
            HostCheck(settings=Settings(host="127.0.0.1"), keyed=False),
            OriginCheck(origins=frozenset()),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass the request on."""
        request = Request(scope)
        try:
            for check in self._checks:
                check(scope)
            answer = self._enter(request)
        except UsageError as error:
            answer = refusal(error, self._language, as_page=scope["path"] == "/")
        await (answer or self._app)(scope, receive, send)

    def _enter(self, request: Request) -> Response | None:
        """None for who may pass; who comes with the token gets the cookie for it."""
        path, token = request.url.path, request.query_params.get("token")
        if path.startswith(FILES):
            return None
        known = _equal(request.cookies.get(self._name, ""), self._secret)
        if path == "/" and token is not None:
            if not known and not (self._token and _equal(token, self._token)):
                raise UsageError("review_link_used")
            self._token = ""
            answer = RedirectResponse(f"/?lang={self._language}", 303, headers=_KEPT_NOWHERE)
            answer.set_cookie(self._name, self._secret, httponly=True, samesite="lax")
            return answer
        if not known:
            raise UsageError("review_link_used")
        return None


def told(value: object) -> Response:
    """An answer as JSON, which no cache keeps; a lone surrogate, which UTF-8 lacks, as its escape."""
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(body, media_type="application/json", headers=_KEPT_NOWHERE)


def refusal(error: MenpaiError, language: Language, *, as_page: bool = False) -> Response:
    """Why a request was not answered, in the shape of all errors, or as a page where a person looks at it."""
    message, hint = error.render(language)
    status = _STATUS.get(error.code, 503 if error.family == "not_ready" else 400)
    if as_page:
        text = f"<!doctype html><meta charset=utf-8><title>menpai</title><p>{html.escape(message)}<p>{html.escape(hint)}"
        return HTMLResponse(text, status, headers=PAGE_HEADERS)
    body = {"error": {"code": error.code, "message": message, "hint": hint}}
    return JSONResponse(body, status, headers=_KEPT_NOWHERE)


def _equal(given: str, wanted: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
