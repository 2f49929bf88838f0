"""What the routes under /v1/jobs do."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from menpai.errors import UsageError
from menpai.serving.codec import read_json, shaped, shaped_query, write_json
from menpai.serving.errors import language_of
from menpai.serving.guard import CLIENT, field
from menpai.serving.jobs import wire
from menpai.serving.jobs.command import REPORT
from menpai.serving.jobs.jobs import jobs_of
from menpai.serving.jobs.names import result_name
from menpai.serving.jobs.record import Job, Upload
from menpai.serving.jobs.store import OUT, Store
from menpai.serving.lifecycle import service_of
from menpai.serving.paths import Json

_PIECE = 1 << 20
_FILE_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


async def upload(request: Request) -> Response:
    """POST /v1/jobs/table: the body is a table; it is written to the disk as it comes, then looked at."""
    _ = service_of(request).matcher
    jobs, query = jobs_of(request), shaped_query(request.query_params, wire.UploadQuery)
    store = await jobs.opened()
    announced = field(request.scope, b"content-length")
    size = int(announced) if announced.isdecimal() else 0
    async with jobs.arriving:
        table, path = await asyncio.to_thread(store.begin, _owner(request), query.name, size)
        try:
            table.bytes = await _received(request, path)
            return _told_of(table, store, await jobs.look(table, _language(request), query.sheet))
        except BaseException:
            await asyncio.to_thread(store.drop, table)
            raise


async def look(request: Request) -> Response:
    """GET /v1/jobs/table: an uploaded table once more, another sheet of it."""
    jobs, query = jobs_of(request), shaped_query(request.query_params, wire.LookQuery)
    store = await jobs.opened()
    table = store.upload(query.id, _owner(request))
    return _told_of(table, store, await jobs.look(table, _language(request), query.sheet))


async def begin(request: Request) -> Response:
    """POST /v1/jobs: a job for tables that were uploaded."""
    _ = service_of(request).matcher
    jobs, body = jobs_of(request), shaped(read_json(await request.body()), wire.NewJob)
    store, owner = await jobs.opened(), _owner(request)
    if len(body.tables) != (2 if body.kind == "link" else 1) or len(set(body.tables)) < len(body.tables):
        raise UsageError("job_two_tables", kind=body.kind)
    tables = [store.upload(id_, owner) for id_ in body.tables]
    made = Job(
        secrets.token_urlsafe(16),
        owner,
        body.kind,
        _language(request),
        [],
        wire.options_of(body),
        time.time(),
    )
    await asyncio.to_thread(store.add, made, tables)
    jobs.wake()
    return _status(made, store)


async def status(request: Request) -> Response:
    """GET /v1/jobs: how far a job is, and what came of it."""
    store = await jobs_of(request).opened()
    query = shaped_query(request.query_params, wire.JobQuery)
    return _status(store.job(query.id, _owner(request)), store)


async def result(request: Request) -> Response:
    """GET /v1/jobs/result: the table with its answers, or the report, to be saved."""
    store = await jobs_of(request).opened()
    query = shaped_query(request.query_params, wire.ResultQuery)
    job = store.job(query.id, _owner(request))
    name = _result_of(job)
    path = store.folder_of(job) / OUT / (name if query.file == "table" else REPORT)
    if job.state != "done" or not path.is_file():
        raise UsageError("job_has_no_result", id=job.id, file=query.file, state=job.state)
    shown = name if query.file == "table" else f"{Path(name).stem}.html"
    return FileResponse(path, filename=shown, media_type="application/octet-stream", headers=_FILE_HEADERS)


async def delete(request: Request) -> Response:
    """DELETE /v1/jobs: end a job, or forget a table, and delete all its files."""
    jobs, query = jobs_of(request), shaped_query(request.query_params, wire.JobQuery)
    store, owner = await jobs.opened(), _owner(request)
    try:
        table = store.upload(query.id, owner)
    except UsageError:
        await jobs.delete(store.job(query.id, owner))
    else:
        await asyncio.to_thread(store.drop, table)
    return Json(write_json({"deleted": query.id}))


async def _received(request: Request, path: Path) -> int:
    """Write the body in large pieces, in a thread; how many bytes it had."""
    size, held = 0, bytearray()
    stream = await asyncio.to_thread(open, path, "xb", opener=_private)
    try:
        async for piece in request.stream():
            held += piece
            if len(held) >= _PIECE:
                size += await asyncio.to_thread(_write, stream, held)
        size += await asyncio.to_thread(_write, stream, held)
    finally:
        stream.close()
    return size


def _write(stream: BinaryIO, held: bytearray) -> int:
    try:
        written = stream.write(held)
    except OSError as error:
        raise UsageError("disk_full", path="", reason=error.strerror or error) from error
    held.clear()
    return written


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _told_of(table: Upload, store: Store, found: dict[str, object]) -> Response:
    facts = {"table": table.id, "name": table.name, "bytes": table.bytes}
    return Json(write_json(facts | found))


def _status(job: Job, store: Store) -> Response:
    before = [each.id for each in store.waiting()]
    told = {
        "id": job.id, "kind": job.kind, "tables": [Path(name).name for name in job.tables], "state": job.state,
        "notes": job.notes, "rows_had_problems": job.rows_had_problems, "created": job.created,
    }  # fmt: skip
    more: dict[str, Callable[[], object]] = {
        "waiting": lambda: {"before": before.index(job.id) if job.id in before else 0},
        "running": lambda: {
            "progress": {name: value for name, value in job.progress.items() if value is not None}
        },
        "done": lambda: {
            "summary": job.summary or {},
            "result": _result_of(job),
            "expires": store.expires(job),
        },
        "failed": lambda: {"problem": job.problem, "expires": store.expires(job)},
    }
    found = more[job.state]()
    assert isinstance(found, dict)
    return Json(write_json(told | found))


def _result_of(job: Job) -> str:
    return result_name(Path(job.tables[0]).name)


def _owner(request: Request) -> str:
    name: str = request.scope[CLIENT].name
    return name


def _language(request: Request) -> str:
    return language_of(request.scope, service_of(request).settings.lang)
