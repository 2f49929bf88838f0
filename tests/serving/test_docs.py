"""The pages on serving name every route, status, header and metric that there is, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from menpai.serving.errors import FAMILY_STATUS, STATUS
from menpai.serving.metrics import Metrics
from menpai.serving.openapi import document
from menpai.serving.table import OPERATIONS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pages_are_complete(language: str) -> None:
    text = "".join(
        (DOCS / language / f"{name}.md").read_text("utf-8") for name in ("serving", "observability")
    )
    routes = {f"{each.method} {each.path}`" for each in OPERATIONS}
    metrics = {family.name for family in Metrics().registry.collect() if family.name.startswith("menpai_")}
    statuses = {str(status) for status in {*STATUS.values(), *FAMILY_STATUS.values()}}
    headers = set(re.findall(r"X-[A-Za-z-]+|Server-Timing|Retry-After", str(document(OPERATIONS))))
    assert not {name for name in routes | metrics | statuses | headers if name not in text}
