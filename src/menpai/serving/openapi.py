"""The OpenAPI 3.1 document, made from the table of operations and the Structs of `wire`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from menpai._version import __version__
from menpai.serving import wire
from menpai.serving.jobs import wire as jobs

Handler = Callable[[Request], Awaitable[Response]]
Schema = dict[str, Any]

FILE: Schema = {"type": "string", "format": "binary"}
REF = "#/components/schemas/{name}"
STATUSES = {
    200: "The answer.",
    400: "The body is not JSON, or a header cannot be read.",
    401: "The key is missing or wrong.",
    403: "The service does not go by this name, the page of another origin asks, or no tables are taken.",
    404: "There is no such job, or it has no such file.",
    408: "The body came too slowly.",
    413: "The body is too large, or holds too many rows or characters.",
    422: "The body has another shape, or an address cannot be judged.",
    429: "The client's quota is spent; see Retry-After.",
    431: "The head of the request is too large.",
    500: "Something failed inside the service.",
    503: "Warming, draining, or too much work is waiting; see Retry-After.",
    504: "The deadline passed while queued; nothing was run, or a list was given up.",
}
KEYED = (401, 403)
WORK = (400, 401, 403, 408, 413, 422, 429, 431, 500, 503, 504)
_HEADERS_IN = {
    "X-Request-Id": (
        "Comes back with the answer and stands in the log.",
        {"type": "string", "maxLength": 128},
    ),
    "X-Request-Timeout-Ms": ("How long the request may wait.", {"type": "integer", "minimum": 1}),
    "Accept-Language": ("zh or en, for messages and hints.", {"type": "string"}),
}
_HEADERS_OUT = {
    "X-Request-Id": "The caller's id, or a new one.",
    "Server-Timing": "Milliseconds by stage: normalize, cache, queue, infer, where known.",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """A route and all that its documentation needs; `answer` is a schema, or None for what is not JSON."""

    method: str
    path: str
    handler: Handler
    summary: str
    description: str
    answer: Schema | None
    errors: tuple[int, ...] = ()
    bodies: tuple[type[msgspec.Struct], ...] = ()
    examples: tuple[Any, ...] = ()
    success: int = 200
    media: str = "application/json"
    query: type[msgspec.Struct] | None = None
    upload: bool = False
    "Whether the body is a file."


def ref(kind: type) -> Schema:
    """A reference to a Struct's schema."""
    return {"$ref": REF.format(name=kind.__name__)}


def one_of(*kinds: type) -> Schema:
    """One of several Structs."""
    return {"oneOf": [ref(kind) for kind in kinds]}


def list_of(items: Schema) -> Schema:
    """A list of what `items` describes."""
    return {"type": "array", "items": items}


def named_list(name: str, items: Schema) -> Schema:
    """An object with one list."""
    return {"type": "object", "required": [name], "properties": {name: list_of(items)}}


def document(operations: Sequence[Operation]) -> Schema:
    """The whole document. Its schemas keep to what OpenAPI 3.0 knows too, for tools that know no more."""
    paths: dict[str, Schema] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "menpai 门牌",
            "version": __version__,
            "description": "Do two Chinese addresses mean the same place, and if not, where do they part?",
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _schemas() -> Schema:
    kinds = [kind for each in (wire, jobs) for kind in vars(each).values() if _is_documented(kind)]
    _, components = msgspec.json.schema_components(kinds, ref_template=REF)
    return dict(sorted(components.items()))


def _is_documented(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and bool(kind.__struct_fields__)


def _described(operation: Operation) -> Schema:
    answers = {str(operation.success): _answer(operation)}
    answers |= {str(status): _error(status) for status in operation.errors}
    described: Schema = {
        "operationId": f"{operation.method.lower()}_{operation.path.strip('/').replace('/', '_') or 'root'}",
        "summary": operation.summary,
        "description": operation.description,
        "parameters": _parameters(operation),
        "responses": answers,
        "security": [{}, {"key": []}] if 401 in operation.errors else [{}],
    }
    if operation.bodies:
        described["requestBody"] = {"required": True, "content": {operation.media: _body(operation)}}
    if operation.upload:
        described["requestBody"] = {
            "required": True,
            "content": {"application/octet-stream": {"schema": FILE}},
        }
    return described


def _body(operation: Operation) -> Schema:
    schema = one_of(*operation.bodies) if len(operation.bodies) > 1 else ref(operation.bodies[0])
    names = [kind.__name__ for kind in operation.bodies]
    examples = {name: {"value": value} for name, value in zip(names, operation.examples, strict=True)}
    return {"schema": schema, "examples": examples}


def _parameters(operation: Operation) -> list[Schema]:
    names = _HEADERS_IN if operation.bodies else {"X-Request-Id": _HEADERS_IN["X-Request-Id"]}
    headers = [
        {"name": name, "in": "header", "required": False, "description": text, "schema": schema}
        for name, (text, schema) in names.items()
    ]
    return headers if operation.query is None else [*_query(operation.query), *headers]


def _query(kind: type[msgspec.Struct]) -> list[Schema]:
    """The parameters behind the question mark, one for each field."""
    _, components = msgspec.json.schema_components([kind], ref_template=REF)
    shape = components[kind.__name__]
    required = shape.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": schema}
        for name, schema in shape["properties"].items()
    ]


def _answer(operation: Operation) -> Schema:
    answer: Schema = {"description": STATUSES[operation.success], "headers": _headers()}
    if operation.answer is not None:
        answer["content"] = {operation.media: {"schema": operation.answer}}
    return answer


def _error(status: int) -> Schema:
    headers = _headers("Retry-After") if status in (429, 503) else _headers()
    content = {"application/json": {"schema": ref(wire.Failure)}}
    return {"description": STATUSES[status], "headers": headers, "content": content}


def _headers(*more: str) -> Schema:
    names = _HEADERS_OUT | dict.fromkeys(more, "Seconds after which to try again.")
    return {name: {"description": text, "schema": {"type": "string"}} for name, text in names.items()}
