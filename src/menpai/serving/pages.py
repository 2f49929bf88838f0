"""The API pages, from files on this machine: they work without a network."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from swagger_ui_bundle import swagger_ui_path

ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
_HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
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


async def root(_: Request) -> Response:
    """GET /: to the API pages."""
    return RedirectResponse("/docs")


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
