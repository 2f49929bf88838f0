"""schemathesis asks every operation of /openapi.json with what it makes up: the document keeps its word."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from menpai.matcher import Matcher
from menpai.serving.openapi import document
from menpai.serving.table import OPERATIONS
from tests.serving.rig import serving

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from hypothesis import HealthCheck, given, settings
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi import checks

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def not_broken(_: Any, response: Any, case: Any) -> None:
    """Nothing failed inside; 503 and 504 may come, since it makes up deadlines of milliseconds, too."""
    assert response.status_code != 500, (case, response.text)


# Not negative_data_rejection: an address of any type is taken, and judged to be a problem of its row.
CHECKS = [
    not_broken,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(document(OPERATIONS))


@pytest.fixture(scope="module")
def url(matcher: Matcher, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = str(tmp_path_factory.mktemp("jobs") / "here")
    flags = {"jobs_folder": folder, "jobs_per_client": 10_000, "jobs_waiting": 10_000}
    with serving(matcher, max_pairs=50, timeout_ms=20_000, **flags) as (_, port):
        until(
            lambda: httpx.get(f"http://127.0.0.1:{port}/v1/suggest?q=").status_code == 200
        )  # the demo library is made
        yield f"http://127.0.0.1:{port}"


def until(happened: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(
    ("method", "path"), [(each.method, each.path) for each in OPERATIONS], ids=lambda value: value
)
def test_every_operation_keeps_to_the_document(url: str, method: str, path: str, mode: Any) -> None:
    operation = SCHEMA[path][method]
    if mode is GenerationMode.NEGATIVE and method == "GET":
        mode = GenerationMode.POSITIVE  # there may be nothing in it that could be wrong

    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(base_url=url, checks=CHECKS, timeout=30)

    ask()
