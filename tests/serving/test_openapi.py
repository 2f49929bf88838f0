"""The document says what the service does: all routes, examples that run, no reference into the void, no CDN."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from menpai.serving.errors import FAMILY_STATUS, STATUS
from menpai.serving.openapi import document
from menpai.serving.table import OPERATIONS
from tests.serving.rig import Rig, fails

DOCUMENT = document(OPERATIONS)
# Words of JSON Schema that OpenAPI 3.0, and with it the bundled page, does not know.
ONLY_IN_3_1 = {"const", "prefixItems", "$defs", "patternProperties", "if", "then", "contentEncoding"}


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def test_it_is_served_as_it_is_made(rig: Rig) -> None:
    response = rig.run(rig.client.get("/openapi.json"))
    assert response.headers["content-type"] == "application/json"
    assert response.json() == json.loads(json.dumps(DOCUMENT))
    assert response.json()["openapi"] == "3.1.0"


def test_every_route_is_in_it_and_no_other(rig: Rig) -> None:
    served = {each for each in rig.app.state.paths.served if each[0] != "HEAD"}
    documented = {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item}
    assert {each for each in served if not each[1].startswith(("/docs/", "/page/"))} == documented


def test_every_reference_leads_somewhere() -> None:
    references = {node["$ref"] for node in nodes(DOCUMENT) if isinstance(node.get("$ref"), str)}
    names = {reference.removeprefix("#/components/schemas/") for reference in references}
    assert names <= set(DOCUMENT["components"]["schemas"])
    assert {"Verdict", "Failure", "Pair", "Place"} <= names


def test_the_page_can_draw_it() -> None:
    for schema in nodes(DOCUMENT["components"]["schemas"]):
        assert not ONLY_IN_3_1 & set(schema)
        assert schema.get("type") != "null"
        assert not isinstance(schema.get("type"), list)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.path)
def test_each_operation_is_told_in_full(operation: Any) -> None:
    described = DOCUMENT["paths"][operation.path][operation.method.lower()]
    assert described["summary"]
    assert described["description"]
    statuses = {int(status) for status in described["responses"]}
    assert operation.success in statuses
    if operation.bodies:
        known = {*STATUS.values(), *FAMILY_STATUS.values()} - {404, 405}
        assert statuses == {200} | known
        assert len(described["requestBody"]["content"]["application/json"]["examples"]) == len(
            operation.bodies
        )


@pytest.mark.parametrize(
    ("path", "example"),
    [(each.path, example) for each in OPERATIONS for example in each.examples],
    ids=lambda value: str(value)[:30],
)
def test_the_examples_run(rig: Rig, path: str, example: Any) -> None:
    response = rig.ask(path, example)
    if path.startswith("/v1/admin/"):  # asks for a key, which this service has not
        fails(response, 403, "reload_needs_key")
        return
    if path == "/v1/jobs":  # asks for a table that was uploaded, and this service takes none
        fails(response, 403, "jobs_off")
        return
    assert response.status_code == 200, response.text
    assert "problem" not in response.text


def test_the_pages_need_no_network(rig: Rig) -> None:
    page = rig.run(rig.client.get("/docs"))
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert not re.search(r"https?://", page.text)
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(named) == 5
    for name in named:
        response = rig.run(rig.client.get(name))
        assert response.status_code == 200
        assert len(response.content) > 100
