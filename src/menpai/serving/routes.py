"""What each route does. A handler reads its body, puts the rows on the queue, and writes what comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from menpai.door import normalizer
from menpai.errors import Language, Problem, UsageError
from menpai.parsing.dated import gazetteer_as_of
from menpai.parsing.hints import make_hints
from menpai.parsing.styled import check, styled
from menpai.serving.batching import WHEN_LOST, Batcher
from menpai.serving.cache.flights import Patience
from menpai.serving.cache.written import Written
from menpai.serving.codec import match_body, read_json, shaped, write_json, write_rows
from menpai.serving.errors import language_of
from menpai.serving.guard import charge, field
from menpai.serving.lifecycle import Service, service_of
from menpai.serving.line import SLICE_ITEMS, Deadline, Job
from menpai.serving.logs import Trace, trace_of
from menpai.serving.metrics import CONTENT_TYPE
from menpai.serving.paths import Json
from menpai.serving.prices import length_of
from menpai.serving.wire import Candidates, InferPair, Pair, PairList, ParseTexts, Texts
from menpai.settings import Settings
from menpai.text import changes

LONGEST_TIMEOUT_DIGITS = 9
UNNAMED = "no deadline"
MOST_CHARACTERS = 2_000_000  # in the addresses of one request: its readings are held until it is answered


async def match(request: Request) -> Response:
    """POST /v1/match: one pair, a list of pairs, or a query with candidates."""
    body = match_body(await _read(request))
    if isinstance(body, PairList):
        return await _match_list(request, body)
    if isinstance(body, Candidates):
        return await _match_candidates(request, body)
    assert isinstance(body, Pair)
    return Json((await _match_pair(request, body.a, body.b)).body)


async def infer(request: Request) -> Response:
    """POST /infer: the articles' contract; the verdict holds `similarity`."""
    body = shaped(await _read(request), InferPair)
    return Json((await _match_pair(request, body.addr1, body.addr2)).body)


async def score(request: Request) -> Response:
    """POST /match: the articles' contract; `score` and the verdict, answered when done."""
    body = shaped(await _read(request), Pair)
    verdict = await _match_pair(request, body.a, body.b)
    return Json(verdict.row(score=verdict.similarity))


async def normalize(request: Request) -> Response:
    """POST /v1/normalize: cleaned texts, in order."""
    body = shaped(await _read(request), Texts)
    service = service_of(request)
    task = normalizer(service.settings, body.skip) if body.skip else service.matcher.normalize

    def show(found: Any) -> dict[str, Any]:
        steps = changes(found.raw, body.skip) if body.explain else ()
        row: dict[str, Any] = found.to_dict()
        return row | ({"changes": [step._asdict() for step in steps]} if body.explain else {})

    return await read_texts(request, Task("normalize", task), body.texts, show)


async def parse(request: Request) -> Response:
    """POST /v1/parse: readings, in order."""
    body = shaped(await _read(request), ParseTexts)
    service = service_of(request)
    city, as_of, convention = body.default_city or None, body.as_of or None, body.convention or None
    near = (body.near[0], body.near[1]) if body.near else None
    check(body.style, convention)
    # The divisions of another year are built at their first use.
    units = await asyncio.to_thread(gazetteer_as_of, as_of, service.settings.overrides)
    make_hints(units, city, near)  # a bad hint is the request's failure
    task = partial(service.matcher.parse, default_city=city, near=near, as_of=as_of)

    def show(found: Any) -> dict[str, Any]:
        if body.style == "elements":
            plain: dict[str, Any] = found.to_dict()
            return plain
        return styled(found, body.style, convention, units)

    return await read_texts(request, Task("parse", task), body.texts, show)


async def livez(_: Request) -> Response:
    """GET /livez: the process answers."""
    return _json({"status": "alive"})


async def readyz(request: Request) -> Response:
    """GET /readyz: warmed and not draining; what would judge."""
    matcher = await service_of(request).check()
    return _json({"status": "ready", "pack": matcher.pack_id, "behaviour": matcher.behaviour})


async def metrics(request: Request) -> Response:
    """GET /metrics: what Prometheus scrapes."""
    return Response(service_of(request).metrics.page(), media_type=CONTENT_TYPE)


async def _match_pair(request: Request, a: Any, b: Any) -> Written:
    """The verdict on one pair; a bad address is the request's failure, never a label."""
    trace = trace_of(request.scope)
    trace.texts |= {"a": a, "b": b}
    (result,) = await _judge(request, [(a, b)])
    if isinstance(result, Problem):
        raise UsageError(result.code, **result.details)
    trace.facts |= {
        "label": result.label,
        "similarity": result.similarity,
        "decided_by": result.decided_by,
    }
    return result


async def _match_list(request: Request, body: PairList) -> Response:
    results = await _judge(request, [(row.a, row.b) for row in body.pairs])
    ids = [{"id": row.id} if isinstance(row.id, str | int) else {} for row in body.pairs]
    language = _language(request)
    rows = zip(ids, results, strict=True)
    return await _rows("verdicts", list(rows), lambda row: _row(row[1], language, **row[0]))


async def _match_candidates(request: Request, body: Candidates) -> Response:
    results = await _judge(request, [(body.query, candidate) for candidate in body.candidates])
    _check_query(results)
    order = sorted(range(len(results)), key=lambda at: _rank(results[at]))
    language = _language(request)
    return await _rows(
        "ranked",
        order,
        lambda at: _row(results[at], language, index=at, candidate=body.candidates[at]),
    )


async def _judge(request: Request, pairs: Sequence[tuple[Any, Any]]) -> list[Written | Problem]:
    """The answers on pairs: what is remembered, and the rest from the queue."""
    service, trace = service_of(request), trace_of(request.scope)
    batcher = service.pairs
    _check(request, service, len(pairs), sum(map(batcher.size, pairs)))
    deadline = _deadline(request, service.settings)
    waited = Patience(deadline.timeout_ms, lambda: _gone(request))
    started = perf_counter()

    async def run(left: list[Any]) -> Sequence[Any]:
        trace.stages["cache"] = perf_counter() - started
        return (await _run(request, service.pairs, left, deadline)).results

    found = await service.cache.judge(service.matcher, pairs, run, waited)
    trace.stages.setdefault("cache", perf_counter() - started)
    trace.facts["cache"] = found.source
    _count(trace, service, found.answers)
    return found.answers


class Task(NamedTuple):
    """What is to be done with a text: its kind of price, how much larger it is than a usual one, its stage."""

    kind: str
    work: Callable[[Any], Any]
    times: float = 1.0
    stage: str = ""


async def read_texts(
    request: Request, task: Task, texts: Sequence[Any], show: Callable[[Any], dict[str, Any]]
) -> Response:
    """Each text's answer as `show` has it, or its problem."""
    results, language = await _do(request, task, texts), _language(request)
    return await _rows(
        "", results, lambda found: _row(found, language) if isinstance(found, Problem) else show(found)
    )


async def ask_one(request: Request, task: Task, text: Any) -> Any:
    """What a task answers to one text, through the queue; what is wrong with it is the request's failure."""
    (found,) = await _do(request, task, [text])
    if isinstance(found, Problem):
        raise UsageError(found.code, **found.details)
    return found


async def _do(request: Request, task: Task, texts: Sequence[Any]) -> Sequence[Any]:
    """What a task answers to each text, through the queue."""
    service, trace = service_of(request), trace_of(request.scope)
    batcher = service.texts
    _check(request, service, len(texts), sum(map(length_of, texts)))
    items = [service.prices.ask(task.kind, task.work, text, task.times) for text in texts]
    results = (await _run(request, batcher, items, _deadline(request, service.settings))).results
    trace.stages[task.stage or task.kind] = trace.stages.pop("normalize") + trace.stages.pop("infer")
    _count(trace, service, results)
    return results


def _check(request: Request, service: Service, count: int, characters: int) -> None:
    """Refuse what is too much for one request, before any work; the client pays for the rest."""
    trace_of(request.scope).facts["items"] = count
    limit = service.settings.max_pairs
    if count > limit:
        raise UsageError("too_many_rows", count=count, limit=limit)
    if characters > MOST_CHARACTERS:
        raise UsageError("too_many_characters", count=characters, limit=MOST_CHARACTERS)
    charge(request.scope, count)


async def _run(request: Request, batcher: Batcher[Any], items: Sequence[Any], deadline: Deadline) -> Job[Any]:
    """Send items through the queue, and note what it took."""
    trace = trace_of(request.scope)
    job = await batcher.run(items, deadline, lambda: _gone(request), request.scope.get(WHEN_LOST))
    trace.stages |= {"normalize": job.read_seconds, "queue": job.queue_seconds, "infer": job.infer_seconds}
    trace.facts["batch"] = job.together
    return job


def _count(trace: Trace, service: Service, results: Sequence[Any]) -> None:
    problems = service.metrics.results(results)
    if problems:
        trace.facts["problems"] = problems


async def _read(request: Request) -> Any:
    """The body as plain values; a service that takes no work says so first."""
    _ = service_of(request).matcher
    return read_json(await request.body())


def _deadline(request: Request, settings: Settings) -> Deadline:
    given = field(request.scope, b"x-request-timeout-ms", UNNAMED)
    if given is UNNAMED:
        return Deadline(settings.timeout_ms)
    if not (given.isascii() and given.isdigit() and len(given) <= LONGEST_TIMEOUT_DIGITS and int(given)):
        raise UsageError("timeout_invalid", value=given[:40])
    return Deadline(int(given), strict=True)


async def _gone(request: Request) -> None:
    """Returns when the caller has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _check_query(results: Sequence[Written | Problem]) -> None:
    """A query that cannot be judged is the request's failure, not that of each candidate."""
    for result in results[:1]:
        if isinstance(result, Problem) and result.details.get("side") == " a":
            raise UsageError(result.code, **result.details)


def _rank(result: Written | Problem) -> float:
    return -result.similarity if isinstance(result, Written) else 1.0


def _row(result: Written | Problem, language: Language, **before: Any) -> bytes:
    """A row's JSON behind the fields before it; a Problem in the caller's language."""
    if isinstance(result, Problem):
        return write_json(before | result.to_dict(language))
    return result.row(**before)


async def _rows(name: str, rows: Sequence[Any], show: Callable[[Any], bytes | dict[str, Any]]) -> Response:
    """Rows as JSON; a long list is written in a thread, so that the loop goes on."""
    if len(rows) <= SLICE_ITEMS:
        body = write_rows(name, map(show, rows))
    else:
        body = await asyncio.to_thread(write_rows, name, map(show, rows))
    return Json(body)


def _json(value: Any) -> Response:
    return Json(write_json(value))


def _language(request: Request) -> Language:
    return language_of(request.scope, service_of(request).settings.lang)
