"""GET /v1/suggest: completions from a library while somebody types."""

from __future__ import annotations

import asyncio
from functools import partial

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from menpai.search.question import read_point
from menpai.serving.codec import shaped_query, write_json
from menpai.serving.lifecycle import service_of
from menpai.serving.logs import trace_of
from menpai.serving.routes import Task, ask_one
from menpai.serving.wire import SuggestQuery


async def suggest(request: Request) -> Response:
    """The suggestions as JSON; one that nobody waits for any more is dropped from the queue."""
    _ = service_of(request).matcher
    query = shaped_query(request.query_params, SuggestQuery)
    trace_of(request.scope).texts |= {"q": query.q}
    lat, lon = (None if part is UNSET else part for part in (query.lat, query.lon))
    near = read_point(lat, lon, query.crs)
    library = await asyncio.to_thread(request.app.state.libraries.get, query.library)
    task = partial(library.suggest, k=query.k, city=query.city, near=near)
    found = await ask_one(request, Task("suggest", task), query.q)
    body = write_json({"suggestions": [suggestion.to_dict() for suggestion in found]})
    return Response(body, media_type="application/json")
