"""What the one who runs the service may ask for over HTTP: another pack, without a lost request."""

from __future__ import annotations

import hmac
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from menpai.errors import UsageError
from menpai.serving.codec import read_json, shaped, write_json
from menpai.serving.lifecycle import service_of
from menpai.serving.wire import Reload


async def reload(request: Request) -> Response:
    """POST /v1/admin/reload: load a pack beside the one in use, check it, exchange them; what changes."""
    service = service_of(request)
    _check_operator(request, service.settings.api_key)
    raw = await request.body()
    body = shaped(read_json(raw) if raw.strip() else {}, Reload)
    settings = service.loaded_settings.replace(pack=body.pack or None)
    report: dict[str, Any] = await service.reload(settings)
    return Response(write_json(report), media_type="application/json")


def _check_operator(request: Request, key: str) -> None:
    """Only the holder of `api_key`; the keys of callers open no doors here."""
    if not key:
        raise UsageError("reload_needs_key")
    given = request.headers.get("authorization", "").partition(" ")[2].strip()
    if not hmac.compare_digest(given.encode(), key.encode()):
        raise UsageError("reload_needs_key")
