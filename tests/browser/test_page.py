"""What people do on the page, in both languages, on a phone and on a desktop."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from menpai.cli import words
from menpai.load.pairs import generated
from menpai.load.service import service
from menpai.matcher import Matcher
from menpai.settings import Settings
from menpai.verdict import Verdict
from tests.browser.conftest import PICTURES
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow
Visit = Callable[..., Visitor]

A, B = "浙江省杭州市西湖区文三路123号海月花园3幢2单元", "杭州西湖文三路125号海月花园3栋"
VIEWS = [("zh", 1200, "light"), ("en", 1200, "dark"), ("zh", 375, "dark"), ("en", 375, "light")]
NASTY = [
    "<img src=x onerror=alert(1)>文三路1号",
    '"><script>alert(2)</script>文三路1号',
    "javascript:alert(3)//文三路1号",
    "{a}{b}{one}文三路1号$&",
    "&lt;b&gt;文三路1号&amp;",
    "\u202e文三路1号\u202c",
    "𠮷野家路1号𡊄头村2组",
    "文三路1号" * 120,
]


def axe(visitor: Visitor) -> list[str]:
    """What axe-core finds wrong: rule and element."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 (of the second tier)

    found = Axe().run(visitor.page).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]
    ]


@pytest.mark.parametrize(("language", "width", "scheme"), VIEWS)
def test_a_pair_is_judged_drawn_and_explained(visit: Visit, language: str, width: int, scheme: str) -> None:
    visitor = visit(language, width, scheme)
    visitor.compare(A, B)
    visitor.read("广东省深圳市南山区粤海街道科苑路15号科兴科学园B栋3单元1801室")
    page = visitor.page
    assert page.get_attribute("html", "lang") == language
    assert visitor.written("#pair-answer .address") == [A, B]
    assert visitor.text("#pair-said").startswith("同一片地方" if language == "zh" else "The same area")
    assert page.locator("#pair-answer .differs .text").all_inner_texts() == ["123号", "125号"]
    assert ("门牌号" if language == "zh" else "house number") in visitor.text("#pair-answer .conflicts")
    assert ("道路相同：文三路" if language == "zh" else "same road: 文三路") in visitor.text(
        "#pair-answer .sides"
    )
    assert visitor.written("#parse-answer .address") == [
        "广东省深圳市南山区粤海街道科苑路15号科兴科学园B栋3单元1801室"
    ]
    assert "440305007" in visitor.text("#parse-answer dl")
    page.locator("#service-facts", has_text="menpai-mini@").wait_for()
    assert visitor.text("#state") == ("就绪" if language == "zh" else "Ready")
    visitor.photograph(PICTURES / f"{language}-{width}-{scheme}.png")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert not axe(visitor)


def test_axe_finds_what_is_wrong(visit: Visit) -> None:
    visitor = visit()
    visitor.page.eval_on_selector("label[for=a]", "label => label.remove()")
    assert any(found.startswith("label") for found in axe(visitor))


def test_all_of_it_is_reached_by_keyboard_in_reading_order(visit: Visit) -> None:
    page = visit().page
    order = []
    for _ in range(10):
        page.keyboard.press("Tab")
        order.append(
            page.evaluate("document.activeElement.id || document.activeElement.getAttribute('href') || ''")
        )
        assert page.evaluate("document.activeElement.matches(':focus-visible')") or not order[-1]
    shown = [
        name
        for name in order
        if name in ("#pair", "/docs", "language", "a", "b", "pair-example", "text", "parse-example")
    ]
    assert shown == ["#pair", "/docs", "language", "a", "b", "pair-example", "text", "parse-example"]


def test_a_pair_is_judged_without_a_mouse(visit: Visit) -> None:
    page = visit().page
    page.focus("#a")
    page.keyboard.insert_text("南京市东泰花园")
    page.keyboard.press("Tab")
    page.keyboard.insert_text("洛阳市东泰花园")
    page.keyboard.press("Enter")
    page.wait_for_selector(".verdict.not_match")
    page.focus("#a")
    page.keyboard.press("Shift+Enter")
    assert page.input_value("#a").endswith("\n") or "\n" in page.input_value("#a")


@pytest.mark.parametrize("nasty", NASTY)
def test_an_address_is_a_text_whatever_it_holds(visit: Visit, nasty: str) -> None:
    visitor = visit("zh", 375)
    visitor.compare(nasty, B)
    visitor.read(nasty)
    assert visitor.page.locator("main :is(img, script, b, iframe)").count() == 0
    assert visitor.written("#pair-answer .address") == [nasty, B]
    assert visitor.written("#parse-answer .address") == [nasty]
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_what_cannot_be_judged_is_told_with_its_cure(visit: Visit) -> None:
    visitor = visit("zh", expected={422})
    visitor.compare("！！！", B)
    assert "没有可读的文字" in visitor.text("#pair-answer [role=alert]")
    visitor.page.click("#language")
    visitor.compare("！！！", B)
    assert "holds no readable text" in visitor.text("#pair-answer [role=alert]")
    assert not axe(visitor)


def test_the_language_changes_without_asking_again_and_is_kept(visit: Visit) -> None:
    visitor = visit("en")
    visitor.compare(A, B)
    asked = sum("/v1/match" in url for url in visitor.requests)
    visitor.page.click("#language")
    assert "道路相同：文三路" in visitor.text("#pair-answer .sides")
    assert visitor.page.title()
    assert sum("/v1/match" in url for url in visitor.requests) == asked
    visitor.page.reload()
    visitor.page.wait_for_selector("html[lang=zh][data-ready]")
    assert visitor.text("#pair-title") == "两条地址是同一处吗？"
    left = visitor.page.evaluate(
        "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])"
    )
    assert json.loads(left) == [[["menpai.language", "zh"]], []]  # and no address


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_reason_is_told_in_the_language_of_the_page(visit: Visit, language: str) -> None:
    """The service speaks one language; the page turns its reasons into the other, exactly as the service would."""
    pairs = [*islice(generated(3), 60), ({"text": A, "lat": 30.27, "lon": 120.12, "crs": "gcj02"},
             {"text": B, "lat": 30.28, "lon": 120.12, "crs": "gcj02"})]  # fmt: skip
    other = "en" if language == "zh" else "zh"
    told, wanted = ([
        [{"name": each.name, "text": each.text} for each in verdict.evidence]
        for verdict in Matcher.open(settings=Settings(language=spoken)).match_many(pairs)
        if isinstance(verdict, Verdict)
    ] for spoken in (other, language))  # fmt: skip
    visitor = visit(language)
    turned = visitor.page.evaluate(
        """async rows => {
          const { loadReasons, reasonText } = await import("/page/reasons.js");
          await loadReasons();
          return rows.map(reasons => reasons.map(reason => ({ name: reason.name, text: reasonText(reason) })));
        }""",
        told,
    )
    assert turned == wanted
    assert len({reason["name"] for reasons in wanted for reason in reasons}) > 25


def test_words_are_those_of_the_command_line(visit: Visit) -> None:
    tables = visit().page.evaluate(
        "import('/page/words.js').then(w => [w.LABELS, w.KINDS, w.SOURCES, w.DECIDED_BY])"
    )
    labels, kinds, sources, decided = (
        {key: tuple(value) for key, value in table.items()} for table in tables
    )
    assert labels.items() <= words.LABELS.items()
    assert (kinds, sources, decided) == (words.KINDS, words.SOURCES, words.DECIDED_BY)


def test_a_late_answer_does_not_replace_a_later_one(visit: Visit) -> None:
    visitor = visit()
    slow: list[Any] = []

    def hold(route: Any) -> None:
        slow.append(route) if not slow else route.continue_()

    visitor.page.route("**/v1/match", hold)
    visitor.page.fill("#a", "南京市东泰花园")
    visitor.page.fill("#b", "洛阳市东泰花园")
    visitor.page.press("#b", "Enter")
    visitor.page.wait_for_selector("#pair-form .busy:not(:empty)")
    visitor.compare(A, A)
    assert visitor.page.locator(".verdict.exact_match").count() == 1
    assert visitor.text("#pair-form .busy") == ""


def test_a_refusal_is_told_with_its_id(visit: Visit) -> None:
    visitor = visit(expected={503})
    body = {
        "error": {"code": "overloaded", "message": "too much work <b>waits</b>", "hint": "ask again in 2 s"}
    }
    answer = {
        "status": 503,
        "json": body,
        "headers": {"x-request-id": "id-17", "access-control-expose-headers": "*"},
    }
    visitor.page.route("**/v1/match", lambda route: route.fulfill(**answer))
    visitor.compare(A, B)
    told = visitor.text("#pair-answer [role=alert]")
    assert all(part in told for part in ("too much work <b>waits</b>", "ask again in 2 s", "id-17"))


def test_a_service_that_asks_for_a_key_gets_it_from_this_tab_only(visit: Visit) -> None:
    with service(["--language", "en"], "s3cret-键") as keyed:
        visitor = visit("en", 375, "dark", keyed.url, expected={401})
        page = visitor.page
        page.wait_for_selector("#key-form:not([hidden])")
        page.fill("#key", "wrong")
        page.press("#key", "Enter")
        page.wait_for_selector("#key-wrong:not(:empty)")
        visitor.photograph(PICTURES / "en-375-key.png")
        assert page.get_attribute("#key", "aria-invalid") == "true"
        assert not axe(visitor)
        page.fill("#key", "s3cret-键")
        page.press("#key", "Enter")
        page.wait_for_selector("#key-form", state="hidden")
        visitor.compare(A, B)
        assert visitor.page.locator(".verdict").count() == 1
        assert "s3cret" not in page.evaluate("JSON.stringify(localStorage) + document.cookie + location.href")
        assert "s3cret" in page.evaluate("JSON.stringify(sessionStorage)")
        other = visitor.context.new_page()
        other.goto(keyed.url)
        other.wait_for_selector("#key-form:not([hidden])")  # another tab has to be told


def test_a_service_that_has_gone_is_told(visit: Visit) -> None:
    with service(["--language", "en"], "") as target:
        visitor = visit("zh", 1200, "light", target.url)
        visitor.page.wait_for_selector("[data-state=ready]")
    visitor.page.fill("#a", A)
    visitor.page.fill("#b", B)
    visitor.page.press("#b", "Enter")
    visitor.page.wait_for_selector("#pair-answer [role=alert]")
    assert "连不上服务" in visitor.text("#pair-answer")
    visitor.page.wait_for_selector("[data-state=unreachable]")
    assert visitor.text("#state") == "连不上服务"
