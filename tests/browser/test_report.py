"""The report as people open it: from a file, without a network, on a phone, on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from menpai.cli import main
from tests.browser.conftest import PICTURES

pytestmark = pytest.mark.slow
LEFT = "id,address,lat,lon\n1,杭州市西湖区文三路123号,30.27,120.13\n2,,30.28,120.14\n3,海月花园3栋2单元,30.271,120.131\n" \
       "4,</svg><img src=x onerror=alert(1)>文三路125号,30.272,120.134\n"  # fmt: skip
RIGHT = "shop_id,address\na,西湖区文三路123号\nb,海月花园3幢5单元\nc,杭州市西湖区文三路125号\n"


@pytest.mark.parametrize(("language", "width"), [("zh", 375), ("en", 1200)])
def test_it_opens_offline_fits_the_screen_and_prints(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 (of the second tier)

    monkeypatch.chdir(tmp_path)
    Path("left.csv").write_text(LEFT, "utf-8")
    Path("right.csv").write_text(RIGHT, "utf-8")
    options = ["--crs", "wgs84", "--accept", "partial", "--language", language]
    assert main(["link", "left.csv", "right.csv", "-o", "out.csv", "--report", "r.html", *options]) == 1
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True, bypass_csp=False)
    page, told = context.new_page(), list[str]()
    page.on("console", lambda message: told.append(message.text))
    page.on(
        "request", lambda request: told.append(request.url) if not request.url.startswith("file:") else None
    )
    page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
    page.goto((tmp_path / "r.html").as_uri())
    assert page.locator("svg").count() >= 4
    assert page.locator("img, script, iframe, link").count() == 0
    assert page.locator(".differs").count() >= 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.screenshot(path=PICTURES / f"report-{language}-{width}.png", full_page=True)
    assert page.pdf(path=tmp_path / "r.pdf", prefer_css_page_size=True)[:5] == b"%PDF-"
    assert not told
    other = browser.new_context(
        bypass_csp=True
    ).new_page()  # axe is a script, which the report's policy forbids
    other.goto((tmp_path / "r.html").as_uri())
    found = Axe().run(other).response["violations"]
    assert not [(each["id"], node["target"]) for each in found for node in each["nodes"]]
    other.context.close()
    context.close()
