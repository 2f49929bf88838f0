"""The page in the docs, as a shop would put it on its own server, in a real Chromium."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import menpai
from menpai.load.service import service
from menpai.load.target import Target
from tests.markdown import blocks

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
BOX = ROOT / "src" / "menpai" / "serving" / "page" / "combobox.js"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a web server of somebody else, and its folder."""
    folder = tmp_path_factory.mktemp("shop")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", folder
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory, shop: tuple[str, Path]) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("completion")
    (places,) = (each for each in blocks(ROOT / "docs" / "en" / "completion.md") if each.name == "places.csv")
    (folder / "places.csv").write_text(places.body, "utf-8")
    menpai.Library.build(folder / "places.csv", folder / "places.menpai", crs="wgs84").close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MENPAI_CORS_ORIGINS", shop[0])
        with service(["--library", f"places={folder / 'places.menpai'}"], "") as target:
            yield target


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_of_the_docs_completes(
    language: str, browser: Any, target: Target, shop: tuple[str, Path]
) -> None:
    url, folder = shop
    (page_of_docs,) = (
        each for each in blocks(ROOT / "docs" / language / "completion.md") if each.name == "address.html"
    )
    (folder / "address.html").write_text(
        page_of_docs.body.replace("http://localhost:8600", target.url), "utf-8"
    )
    (folder / "combobox.js").write_bytes(BOX.read_bytes())
    page = browser.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(f"{url}/address.html")
    page.locator("#address").press_sequentially("wsl90")
    page.wait_for_selector("#address-list [role=option]")
    page.press("#address", "ArrowDown")
    page.press("#address", "Enter")
    assert page.input_value("#address") == "浙江省杭州市西湖区文三路90号"
    assert page.locator("#row").inner_text() == "p3"
    assert not troubles
    page.close()
