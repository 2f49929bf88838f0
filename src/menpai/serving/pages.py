"""The page at / and the API pages at /docs, from files on this machine: they work without a network."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from swagger_ui_bundle import swagger_ui_path

from menpai.decide import READINGS
from menpai.evidence import FEATURES
from menpai.policy import POLICIES
from menpai.serving.codec import write_json

ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
_QUIET = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_HEADERS = _QUIET | {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'",
}
# Nothing inline, nothing from elsewhere, no markup out of strings, no form that leaves the page.
PAGE_HEADERS = _QUIET | {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}
_MEDIA = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>menpai 门牌 · HTTP</title>
  <link rel="icon" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="api"></div>
  <noscript>The document itself: <a href="/openapi.json">/openapi.json</a></noscript>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
"""
# The bundled Swagger UI 4 draws documents that call themselves 3.0; ours keeps to what both versions know.
_START = """fetch("/openapi.json").then(answer => answer.json()).then(spec => SwaggerUIBundle({
  spec: {...spec, openapi: "3.0.3"}, dom_id: "#api", deepLinking: true, validatorUrl: null
}));
"""


class _Asset(NamedTuple):
    """A file of the page: what it holds, of what kind, and its digest for the browser's cache."""

    body: bytes
    media: str
    tag: str


@cache
def page_assets() -> dict[str, _Asset]:
    """The files of the page by name, with the templates of all reasons among them; read once."""
    return assets_in("page") | {"reasons.json": _asset("reasons.json", write_json(reason_templates()))}


def assets_in(folder: str) -> dict[str, _Asset]:
    """The files of a folder beside this module, by name."""
    files = (file for file in (resources.files("menpai.serving") / folder).iterdir() if file.is_file())
    return {file.name: _asset(file.name, file.read_bytes()) for file in sorted(files, key=lambda f: f.name)}


def reason_templates() -> dict[str, list[dict[str, str]]]:
    """The texts of each reason in both languages, by its name; the page shows a reason in its own language."""
    found = {each.name: [{"zh": each.zh, "en": each.en}] for each in FEATURES}
    found |= {name: [{"zh": zh, "en": en}] for name, (zh, en) in POLICIES.items()}
    for name, texts in READINGS.items():
        found[name] = [{"zh": zh, "en": en} for zh, en in zip(texts["zh"], texts["en"], strict=True)]
    return found


async def root(request: Request) -> Response:
    """GET /: the page."""
    return answer_asset(request, page_assets()["index.html"])


async def page_asset(request: Request) -> Response:
    """GET /page/<name>: one of the page's files; the router knows no other name."""
    return answer_asset(request, page_assets()[request.url.path.removeprefix("/page/")])


async def docs(_: Request) -> Response:
    """GET /docs: the API, to read and to try."""
    return HTMLResponse(_PAGE, headers=_HEADERS)


async def start(_: Request) -> Response:
    """GET /docs/start.js: opens the document in the page."""
    return Response(_START, media_type="text/javascript", headers=_HEADERS)


async def asset(request: Request) -> Response:
    """GET /docs/<name>: one of the files that the page needs; the router knows no other name."""
    name = request.url.path.removeprefix("/docs/")
    return FileResponse(Path(str(swagger_ui_path)) / name, headers=_HEADERS)


async def openapi(request: Request) -> Response:
    """GET /openapi.json: the document."""
    return Response(request.app.state.document, media_type="application/json")


def _asset(name: str, body: bytes) -> _Asset:
    return _Asset(body, _MEDIA[name.rpartition(".")[2]], f'"{hashlib.sha256(body).hexdigest()[:16]}"')


def answer_asset(request: Request, asset: _Asset) -> Response:
    """The file, or 304 where the browser has it already."""
    headers = PAGE_HEADERS | {"etag": asset.tag}
    if asset.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(asset.body, media_type=asset.media, headers=headers)
