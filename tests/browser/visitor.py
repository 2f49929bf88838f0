"""Somebody at the page: what they type, what they see, and what went on behind it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

HEIGHTS = {375: 720, 1200: 900}


class Visitor:
    """A browser window of a visitor with a language, a width and a colour scheme."""

    def __init__(
        self, browser: Any, url: str, language: str, width: int, scheme: str, expected: Iterable[int]
    ) -> None:
        self.url = url
        self.context = browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme=scheme,
            locale="zh-CN" if language == "zh" else "en-GB",
            has_touch=width < 500,
        )
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.expected = {200, 304, *expected}
        self.page = self.context.new_page()
        self.page.set_default_timeout(15_000)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"script: {error}"))
        self.page.on(
            "dialog", lambda dialog: (self.troubles.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("response", self._response)
        self.page.goto(url)
        self.page.wait_for_selector("html[data-ready]")

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.troubles.append(f"console: {message.text}")

    def _response(self, response: Any) -> None:
        if response.status not in self.expected:
            self.troubles.append(f"{response.status}: {response.url}")

    def compare(self, a: str, b: str) -> None:
        """Type two addresses, press Enter, and wait for what comes."""
        self.page.fill("#a", a)
        self.page.fill("#b", b)
        with self.page.expect_response("**/v1/match"):
            self.page.press("#b", "Enter")
        self.page.wait_for_selector("#pair-answer[aria-busy=false] > *")

    def read(self, text: str) -> None:
        """Type one address, press Enter, and wait for what comes."""
        self.page.fill("#text", text)
        with self.page.expect_response("**/v1/parse"):
            self.page.press("#text", "Enter")
        self.page.wait_for_selector("#parse-answer > *")

    def text(self, selector: str) -> str:
        """What is read there, on one line."""
        return " ".join(self.page.inner_text(selector).split())

    def written(self, selector: str) -> list[str]:
        """The texts of drawn addresses, without the names of their elements."""
        script = "all => all.map(a => [...a.querySelectorAll('.text')].map(t => t.textContent).join(''))"
        found: list[str] = self.page.eval_on_selector_all(selector, script)
        return found

    def photograph(self, path: Path) -> None:
        """The whole page as a picture."""
        self.page.screenshot(path=path, full_page=True)

    def leave(self) -> None:
        """Close, and fail on whatever went wrong unseen."""
        self.context.close()
        assert not self.troubles, self.troubles
        assert all(url.startswith(self.url) for url in self.requests)
