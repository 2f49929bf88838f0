"""The completion box, as people with keyboards, input methods and screen readers use it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import menpai
from menpai.load.service import service
from menpai.load.target import Target
from tests.browser.conftest import PICTURES
from tests.browser.test_page import axe
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow
Visit = Callable[..., Visitor]

ROADS = [f"浙江省杭州市西湖区文三路{number}号" for number in (1, 12, 123, 125)]
ROWS = [
    *({"id": f"w{at}", "address": address, "lat": 30.27, "lon": 120.12} for at, address in enumerate(ROADS)),
    {"id": "h", "address": "北京市海淀区中关村大街1号", "name": "海龙大厦", "lat": 39.98, "lon": 116.31},
    {"id": "t", "address": "北京市海淀区<b>粗</b>路1号"},
    *({"id": f"b{room}", "address": f"北京市海淀区学院路5号{room}室"} for room in range(101, 130)),
]
OPTIONS = "#completions [role=option]"


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    path = tmp_path_factory.mktemp("box") / "places"
    menpai.Library.build(ROWS, path, crs="wgs84").close()
    with service(["--language", "en", "--library", str(path)], "") as target:
        yield target


def type_in(visitor: Visitor, text: str) -> None:
    """Key by key, and wait for the answer to the last."""
    box = visitor.page.locator("#typed")
    box.fill("")
    with visitor.page.expect_response(lambda answer: asked(answer.url) == text):
        box.press_sequentially(text)
    # Not wait_for_function: it evaluates a text, which the page's trusted types refuse.
    visitor.page.wait_for_selector("#suggest-told:not(:empty)", state="attached")


def asked(url: str) -> str | None:
    """What was typed, if this is the address of a question to suggest."""
    parts = urlsplit(url)
    return parse_qs(parts.query)["q"][0] if parts.path == "/v1/suggest" else None


def questions(visitor: Visitor) -> list[str]:
    return [typed for url in visitor.requests if (typed := asked(url)) is not None]


def shown(visitor: Visitor) -> list[str]:
    texts: list[str] = visitor.page.locator(f"{OPTIONS} .said").all_inner_texts()
    return texts


def active(visitor: Visitor) -> str:
    """The text of the option that is announced, "" for none."""
    script = """() => { const box = document.querySelector('#typed');
        const item = document.getElementById(box.getAttribute('aria-activedescendant'));
        return item ? item.querySelector('.said').textContent : ''; }"""
    text: str = visitor.page.evaluate(script)
    return text


@pytest.mark.parametrize(("language", "width", "scheme"), [("zh", 1200, "light"), ("en", 375, "dark")])
def test_keys_lead_level_by_level_to_a_row(visit: Visit, language: str, width: int, scheme: str) -> None:
    visitor = visit(language, width, scheme)
    page, box = visitor.page, visitor.page.locator("#typed")
    type_in(visitor, "hzws")
    assert shown(visitor)[0] == "浙江省杭州市西湖区文三路"
    assert page.locator(f"{OPTIONS} mark").first.inner_text() == "杭州"
    assert ("道路 · 4 条" if language == "zh" else "road · 4 rows") in visitor.text(OPTIONS + " >> nth=0")
    assert box.get_attribute("aria-expanded") == "true"
    visitor.photograph(PICTURES / f"suggest-{language}-{width}-{scheme}.png")
    assert not axe(visitor)
    box.press("ArrowDown")
    assert active(visitor) == "浙江省杭州市西湖区文三路"
    with page.expect_response("**/v1/suggest?*"):
        box.press("Enter")
    assert box.input_value() == "浙江省杭州市西湖区文三路"
    page.locator(OPTIONS).nth(3).wait_for()
    assert shown(visitor)[:4] == ROADS
    box.press("ArrowUp")
    assert active(visitor) == shown(visitor)[-1]
    box.press("ArrowDown")
    assert active(visitor) == ""
    box.press("ArrowDown")
    box.press("ArrowDown")
    box.press("Enter")
    assert box.input_value() == ROADS[1]
    assert box.get_attribute("aria-expanded") == "false"
    assert "w1" in visitor.text("#suggest-answer")
    assert "30.270000, 120.120000" in visitor.text("#suggest-answer")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_escape_closes_then_clears_and_a_click_takes(visit: Visit) -> None:
    visitor = visit("en")
    page, box = visitor.page, visitor.page.locator("#typed")
    type_in(visitor, "海龙")
    box.press("Escape")
    assert (page.locator("#completions").is_hidden(), box.input_value()) == (True, "海龙")
    box.press("ArrowDown")
    assert page.locator("#completions").is_visible()
    page.locator(OPTIONS).first.click()
    assert box.input_value() == "北京市海淀区中关村大街1号"
    assert "海龙大厦" in visitor.text("#suggest-answer")
    assert page.evaluate("document.activeElement.id") == "typed"
    box.press("Escape")
    assert box.input_value() == ""
    type_in(visitor, "海淀")
    box.press("Tab")
    assert page.locator("#completions").is_hidden()


def test_while_an_input_method_composes_nothing_is_asked_and_its_keys_are_its_own(visit: Visit) -> None:
    visitor = visit("zh")
    page, box = visitor.page, visitor.page.locator("#typed")
    box.focus()
    method = visitor.context.new_cdp_session(page)
    for text in ("h", "hai", "hai'd", "hai'dian"):
        method.send(
            "Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)}
        )
        time.sleep(0.1)
    method.send(
        "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229}
    )
    assert questions(visitor) == []
    with page.expect_response("**/v1/suggest?*"):
        method.send("Input.insertText", {"text": "海淀"})
    page.wait_for_selector(OPTIONS)
    assert questions(visitor) == ["海淀"]
    assert shown(visitor)[0] == "北京市海淀区"


def test_an_answer_that_a_later_key_overtook_is_not_shown(visit: Visit) -> None:
    visitor = visit("en")
    page = visitor.page
    late: list[Any] = []

    def hold(route: Any) -> None:
        if asked(route.request.url) == "文三路":
            late.append(route)
        else:
            route.continue_()

    page.route("**/v1/suggest?*", hold)
    page.fill("#typed", "文三路")
    page.wait_for_timeout(200)
    page.fill("#typed", "中关村")
    page.wait_for_selector(OPTIONS)
    (held,) = late
    held.continue_()
    page.wait_for_timeout(200)
    assert shown(visitor)[0] == "北京市海淀区中关村大街1号 海龙大厦"


def test_fast_keys_are_one_question(visit: Visit) -> None:
    visitor = visit("en")
    visitor.page.locator("#typed").press_sequentially("xueyuanlu", delay=5)
    visitor.page.wait_for_selector(OPTIONS)
    assert len(questions(visitor)) < 5
    assert questions(visitor)[-1] == "xueyuanlu"


def test_what_a_row_says_is_text_and_trouble_is_told(visit: Visit) -> None:
    visitor = visit("en", expected=[503])
    page = visitor.page
    type_in(visitor, "粗")
    assert page.locator("#completions b").count() == 0
    type_in(visitor, "哪里都没有")
    assert visitor.text("#suggest-told") == "Nothing found"
    body = '{"error": {"code": "service_warming", "message": "still opening", "hint": "wait"}}'
    page.route("**/v1/suggest?*", lambda route: route.fulfill(status=503, body=body))
    page.fill("#typed", "学院路")
    page.wait_for_selector("#suggest-told .problem")
    assert "still opening" in visitor.text("#suggest-told")
    page.unroute("**/v1/suggest?*")
    page.wait_for_selector(OPTIONS)  # asked again by itself
    assert visitor.text("#suggest-told") == "10 completions"
