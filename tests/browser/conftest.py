"""The real page of a real service in a real Chromium: `apt-get install chromium`, `pip install '.[checks]'`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from menpai.load.service import service
from menpai.load.target import Target
from tests.browser.visitor import Visitor

# Looked at by people after a change of the page; git ignores the folder.
PICTURES = Path(__file__).parents[2] / "build" / "page"


@pytest.fixture(scope="session")
def target() -> Iterator[Target]:
    with service(["--language", "en"], "") as target:
        yield target


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (of the second tier)

    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, target: Target) -> Iterator[Callable[..., Visitor]]:
    """Opens the page for a visitor; at the end nobody saw an error, a dialog, or a request to elsewhere."""
    visitors: list[Visitor] = []

    def open_page(
        language: str = "en",
        width: int = 1200,
        scheme: str = "light",
        url: str = "",
        expected: Iterable[int] = (),
    ) -> Visitor:
        visitors.append(Visitor(browser, url or target.url, language, width, scheme, expected))
        return visitors[-1]

    yield open_page
    for visitor in visitors:
        visitor.leave()
