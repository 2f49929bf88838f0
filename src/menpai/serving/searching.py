"""POST /v1/search and GET /v1/nearby: candidates from a library for addresses, and around a point."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from menpai.errors import Language
from menpai.search.nearby import nearby as nearby_in
from menpai.search.question import read_question, read_radius
from menpai.search.search import JUDGED
from menpai.search.search import search as search_in
from menpai.search.standardize import standardize
from menpai.search.values import Candidate
from menpai.serving.codec import read_json, shaped, shaped_query, write_json
from menpai.serving.errors import language_of
from menpai.serving.lifecycle import service_of
from menpai.serving.logs import trace_of
from menpai.serving.routes import Task, ask_one, read_texts
from menpai.serving.wire import NearbyQuery, SearchQueries, SearchQuery


async def search(request: Request) -> Response:
    """POST /v1/search: candidates for one query, or for each of several; with `standardize` the one row or why not."""
    matcher = service_of(request).matcher
    value = read_json(await request.body())
    many = isinstance(value, dict) and "queries" in value
    body: SearchQueries | SearchQuery = shaped(value, SearchQueries) if many else shaped(value, SearchQuery)
    radius = read_radius(None if body.radius is UNSET else body.radius)
    library = await asyncio.to_thread(request.app.state.libraries.get, body.library)
    if body.standardize:
        task = Task("judge", partial(standardize, library.view, judge=matcher.match_many, radius=radius))
    elif body.verdicts:
        work = partial(search_in, library.view, k=body.k, judge=matcher.match_many, radius=radius)
        task = Task("judge", work, max(1.0, (body.k + 1) / JUDGED))
    else:
        task = Task("search", partial(search_in, library.view, k=body.k, radius=radius))
    task = task._replace(stage="search")
    show = partial(_shown, language=language_of(request.scope, service_of(request).settings.lang))
    if isinstance(body, SearchQueries):
        return await read_texts(request, task, body.queries, show)
    trace_of(request.scope).texts |= {"query": body.query}
    read_question(body.query)  # what is wrong with the only query is the request's failure
    found = await ask_one(request, task, body.query)
    return Response(write_json(show(found)), media_type="application/json")


async def nearby(request: Request) -> Response:
    """GET /v1/nearby: the rows nearest to a point."""
    _ = service_of(request).matcher
    query = shaped_query(request.query_params, NearbyQuery)
    radius = read_radius(None if query.radius is UNSET else query.radius)
    library = await asyncio.to_thread(request.app.state.libraries.get, query.library)

    def work(_: Any) -> list[Candidate]:
        return nearby_in(library.view, query.lat, query.lon, query.k, radius=radius, crs=query.crs)

    found = await ask_one(request, Task("nearby", work, stage="search"), "")
    return Response(write_json(_shown(found)), media_type="application/json")


def _shown(found: Any, language: Language = "en") -> dict[str, Any]:
    """{"candidates": […]}, or what standardize says."""
    if isinstance(found, Sequence):
        return {"candidates": [candidate.to_dict() for candidate in found]}
    shown: dict[str, Any] = found.to_dict(language)
    return shown
