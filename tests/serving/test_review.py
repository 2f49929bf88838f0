"""The page of a review without a browser: its door, its answers, its words."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from menpai.matcher import Matcher
from menpai.serving.pages import assets_in, page_assets
from menpai.serving.review import Desk, create_app
from menpai.tables.review import Session, draw, make_plan, open_labels
from menpai.verdict import LABELS
from tests.tables.review.pairs import pair

HOST = "http://127.0.0.1:4711"


class Client:
    """A browser without a window: it keeps cookies and follows where it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.transport = httpx.ASGITransport(app)
        self.cookies = httpx.Cookies()

    def get(self, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self._ask("GET", path, options))

    def post(self, path: str, **options: Any) -> httpx.Response:
        return asyncio.run(self._ask("POST", path, options))

    async def _ask(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        asked = {"follow_redirects": True} | options
        async with httpx.AsyncClient(transport=self.transport, base_url=HOST, cookies=self.cookies) as client:
            answer = await client.request(method, path, **asked)
        self.cookies = client.cookies
        return answer


@pytest.fixture
def ended() -> list[bool]:
    return []


@pytest.fixture
def client(tmp_path: Path, ended: list[bool]) -> Iterator[Client]:
    pairs = [pair(number, 0.8) for number in range(4)]
    with open_labels(str(tmp_path / "l.jsonl")) as labels:
        session = Session(make_plan(draw(pairs, 4), 4), labels, "exact", "s")
        desk = Desk(session, Matcher.open(), "en", "out.csv")
        yield Client(create_app(desk, "t0ken", "en", lambda: ended.append(True)))


def test_the_token_is_worth_one_cookie(client: Client) -> None:
    assert client.get("/state").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    entered = client.get("/?token=t0ken", follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/?lang=en")
    assert "httponly" in entered.headers["set-cookie"].lower()
    assert client.get("/state").json()["total"] == 4
    assert client.get("/?token=t0ken").status_code == 200  # who has the cookie may come again
    client.cookies.clear()
    refused = client.get("/?token=t0ken")
    assert refused.status_code == 403
    assert "run menpai review again" in refused.text
    assert "default-src 'none'" in refused.headers["content-security-policy"]


def test_a_pair_that_utf8_lacks_is_shown_and_answered(tmp_path: Path) -> None:
    odd = [pair(0, 0.8)._replace(a="文三路\ud8001号"), pair(1, 0.8)._replace(a="<b>\0\u202e", b="")]
    with open_labels(str(tmp_path / "l.jsonl")) as labels:
        session = Session(make_plan(draw(odd, 4), 4), labels, "exact", "s")
        desk = Desk(session, Matcher.open(), "en", "\udcff.csv")
        client = Client(create_app(desk, "t0ken", "en", lambda: None))
        client.get("/?token=t0ken")
        texts = []
        while found := client.get("/state").json()["pair"]:
            texts.append(found["sides"][0]["raw"])
            client.post("/answer", json={"key": found["key"], "label": LABELS[0]})
    assert sorted(texts) == ["<b>\0\u202e", "文三路\ud8001号"]


def test_answers_change_the_state_and_the_last_one_comes_back(client: Client, ended: list[bool]) -> None:
    client.get("/?token=t0ken")
    first = client.get("/state").json()["pair"]["key"]
    second = client.post("/answer", json={"key": first, "label": LABELS[0]}).json()
    assert (second["answered"], second["can_undo"]) == (1, True)
    stale = client.post("/answer", json={"key": first, "label": LABELS[2]})
    assert (stale.status_code, stale.json()["error"]["code"]) == (409, "review_elsewhere")
    skipped = client.post("/answer", json={"key": second["pair"]["key"], "label": ""}).json()
    assert skipped["skipped"] == 1
    assert client.post("/undo").json()["pair"]["key"] == second["pair"]["key"]
    assert client.post("/undo").json()["pair"]["key"] == first
    assert client.get("/state").headers["cache-control"] == "no-store"
    client.post("/finish")
    assert ended == [True]


@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}],
)
def test_other_hosts_and_pages_are_refused(client: Client, headers: dict[str, str]) -> None:
    client.get("/?token=t0ken")
    assert client.post("/undo", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "body", [b"", b"[1]", b"{", b'{"key": 1, "label": ""}', b'{"key": "a"}', b"[" * 3000, b" " * 9000]
)
def test_other_bodies_are_refused(client: Client, body: bytes) -> None:
    client.get("/?token=t0ken")
    assert client.post("/answer", content=body).status_code == 400


def test_every_word_of_the_page_is_known() -> None:
    own = {name: asset.body.decode("utf-8") for name, asset in assets_in("review_page").items()}
    known = set(
        re.findall(
            r"^  (\w+): \[", own["words.js"] + page_assets()["words.js"].body.decode("utf-8"), re.MULTILINE
        )
    )
    used = set(re.findall(r'\bword\("(\w+)"', own["review.js"])) | set(
        re.findall(r'data-word="(\w+)"', own["review.html"])
    )
    assert used <= known
    assert "http" not in own["review.html"]
