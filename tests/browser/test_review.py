"""The page of a review, as people with keys, pointers, screen readers and phones use it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import PICTURES
from tests.browser.test_page import axe
from tests.browser.visitor import Visitor

pytestmark = pytest.mark.slow
Visit = Callable[..., Visitor]

PAIRS = [
    ("浙江省杭州市西湖区文三路123号海月花园3幢2单元", "杭州西湖文三路125号海月花园3栋"),
    ("<img src=x onerror=alert(1)>文三路1号", '"><script>alert(2)</script>文三路1号'),
    ("北京市朝阳区建国路8号", "北京朝阳建国路8号SOHO现代城"),
    ("！！！", "海月花园"),
    *((f"望京园{n}号楼13层1603室", f"望京街道望京园{n + n % 2}号楼") for n in range(8)),
]


class Reviewing:
    """`menpai review` in a process of its own, and its link."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.labels = folder / "out.jsonl.labels.jsonl"
        command = [sys.executable, "-m", "menpai", "review", "out.jsonl", "--no-browser", *flags]
        self.process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self.process.stderr is not None
        told = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", told)
        self.link = found[0] if found else ""
        assert self.link, told + self.end()
        self.home = self.link.partition("?")[0]

    @property
    def saved(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.labels.read_text("utf-8").splitlines()]

    def end(self) -> str:
        """What it printed when it had ended by itself, or by Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        out, _ = self.process.communicate(timeout=20)
        assert self.process.returncode == 0
        return out


@pytest.fixture
def review(tmp_path: Path) -> Iterator[Callable[..., Reviewing]]:
    label = {"label": "exact_match", "similarity": 0.8}
    rows = [{"address_a": a, "address_b": b} | label for a, b in PAIRS]
    (tmp_path / "out.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    opened: list[Reviewing] = []

    def start(*flags: str) -> Reviewing:
        opened.append(Reviewing(tmp_path, *flags))
        return opened[-1]

    yield start
    for each in opened:
        each.process.kill()
        each.process.communicate()


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    """Like the fixture of the service's page, for a link that leads to another URL."""
    visitors: list[Visitor] = []

    def open_page(
        link: str,
        language: str = "en",
        width: int = 1200,
        scheme: str = "light",
        expected: tuple[int, ...] = (),
    ) -> Visitor:
        visitors.append(Visitor(browser, link, language, width, scheme, (303, *expected)))
        visitors[-1].url = link.partition("?")[0]
        return visitors[-1]

    yield open_page
    for visitor in visitors:
        visitor.leave()


def press(visitor: Visitor, key: str, path: str = "**/answer") -> None:
    with visitor.page.expect_response(path):
        visitor.page.keyboard.press(key)
    visitor.page.wait_for_selector("#said:not(:empty)", state="attached")


@pytest.mark.parametrize(("language", "width", "scheme"), [("zh", 1200, "light"), ("en", 375, "dark")])
def test_pairs_are_decided_by_keys_alone(
    review: Callable[..., Reviewing], visit: Visit, language: str, width: int, scheme: str
) -> None:
    running = review("--language", language)
    visitor = visit(running.link, language, width, scheme)
    page = visitor.page
    assert page.get_attribute("html", "lang") == language
    assert "token" not in page.url
    first = visitor.written("#sides .address")
    assert page.locator("#why .reasons li, #trouble, #sides .problem").count() > 0
    press(visitor, "1")
    assert visitor.text("#said").startswith("已存" if language == "zh" else "Saved")
    assert visitor.written("#sides .address") != first
    press(visitor, "u", "**/undo")
    assert visitor.written("#sides .address") == first
    assert running.saved == []
    for key in ("3", "2", "s", "0", "1"):
        press(visitor, key)
    assert [line["label"] for line in running.saved] == ["not_match", "partial_match", "exact_match"]
    assert ("已答 3 / 12，跳过 2" if language == "zh" else "3 of 12 answered, 2 skipped") in visitor.text(
        "#count"
    )
    assert "%" in visitor.text("#quality")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    visitor.photograph(PICTURES / f"review-{language}-{width}-{scheme}.png")
    assert not axe(visitor)
    page.keyboard.press("Control+1")  # a key of the browser's
    page.click("#language")
    assert page.get_attribute("html", "lang") != language
    page.click("#finish")
    page.wait_for_selector("#finish:disabled")
    running.process.wait(10)
    assert ("已回答 3 / 12" if language == "zh" else "3 of 12 pairs answered") in running.end()


def test_differences_are_marked_for_eyes_and_ears(review: Callable[..., Reviewing], visit: Visit) -> None:
    visitor = visit(review().link)
    while "123号" not in visitor.text("#sides"):
        press(visitor, "0")
    assert visitor.page.locator("#sides .differs .text").all_inner_texts() == ["123号", "125号"]
    assert visitor.page.locator("#sides .alone .text").all_inner_texts() == ["浙江省", "2单元"]
    assert "only here" in visitor.page.locator("#sides .alone .kind").first.text_content()
    assert "123号" in visitor.text("#why .conflicts")


def test_an_address_is_a_text_whatever_it_holds_and_one_that_cannot_be_read_is_shown(
    review: Callable[..., Reviewing], visit: Visit
) -> None:
    visitor = visit(review("--language", "zh").link, "zh", 375)
    shown = set()
    for _ in PAIRS:
        shown |= set(visitor.written("#sides .address")) | {visitor.text("#sides .address >> nth=0")}
        assert visitor.page.locator("#sides :is(img, script)").count() == 0
        press(visitor, "2")
    assert "<img src=x onerror=alert(1)>文三路1号" in shown
    assert "！！！" in shown
    assert "全部答完" in visitor.text("#sides")
    assert visitor.page.locator("[data-label]:disabled").count() == 4
    visitor.page.reload()  # the cookie lets in again
    visitor.page.wait_for_selector("html[data-ready]")
    assert "全部答完" in visitor.text("#sides")


def test_buttons_are_reached_in_order_and_work(review: Callable[..., Reviewing], visit: Visit) -> None:
    running = review()
    page = visit(running.link).page
    order = []
    for _ in range(8):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.label ?? document.activeElement.id"))
    assert order[1:7] == ["language", "finish", "exact_match", "partial_match", "not_match", ""]
    page.focus("[data-label=not_match]")
    with page.expect_response("**/answer"):
        page.keyboard.press("Enter")
    assert [line["label"] for line in running.saved] == ["not_match"]


def test_two_tabs_do_not_answer_one_pair_twice(review: Callable[..., Reviewing], visit: Visit) -> None:
    running = review()
    visitor = visit(running.link, expected=(409,))
    other = visitor.context.new_page()
    other.goto(running.home)
    other.wait_for_selector("html[data-ready]")
    press(visitor, "1")
    with other.expect_response("**/state"):
        other.keyboard.press("3")
    other.wait_for_selector("#trouble [role=alert]")
    assert "answered elsewhere" in other.inner_text("#trouble")
    assert [line["label"] for line in running.saved] == ["exact_match"]
    with other.expect_response("**/answer"):
        other.keyboard.press("3")
    assert [line["label"] for line in running.saved] == ["exact_match", "not_match"]


def status(url: str, headers: dict[str, str] | None = None, body: bytes | None = None) -> int:
    try:
        with urlopen(Request(url, body, headers or {}), timeout=10) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_the_link_opens_once_and_strangers_get_nothing(
    review: Callable[..., Reviewing], visit: Visit
) -> None:
    running = review()
    visitor = visit(running.link)
    assert status(running.link) == 403
    assert status(running.home) == 403
    assert status(running.home + "state") == 403
    (cookie,) = visitor.context.cookies()
    assert cookie["httpOnly"]
    known = {"Cookie": f"{cookie['name']}={cookie['value']}"}
    assert status(running.home + "state", known) == 200
    assert status(running.home + "state", known | {"Host": "evil.example"}) == 403
    for wrong in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert status(running.home + "undo", known | wrong, b"{}") == 403
    for body in (b"[]", b"{", b'{"key": 1, "label": ""}', b'{"key": "x", "label": "maybe"}', b"x" * 9000):
        assert status(running.home + "answer", known, body) == 400
    assert status(running.home + "page/nothing", known) == 404
    assert running.saved == []


def test_a_killed_review_goes_on_with_every_answer(review: Callable[..., Reviewing], visit: Visit) -> None:
    running = review()
    visitor = visit(running.link)
    for key in "123":
        press(visitor, key)
    running.process.kill()
    running.process.wait()
    visitor.page.keyboard.press("1")
    visitor.page.wait_for_selector("#trouble [role=alert]")
    assert len(running.saved) == 3
    again = review()
    later = visit(again.link)
    assert "3 of 12 answered" in later.text("#count")
    press(later, "u", "**/undo")
    assert len(again.saved) == 2
