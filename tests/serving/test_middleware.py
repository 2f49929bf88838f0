"""What stands around every request: ids, timings, log lines without texts, the key, the size of bodies."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

import menpai.serving.middleware as middleware
from menpai.matcher import Matcher
from tests.serving.rig import A, B, Held, Rig, fails, running, until

PAIR = {"a": A, "b": B}


def test_the_callers_id_comes_back_and_stands_in_the_log(rig: Rig) -> None:
    response = rig.ask("/v1/match", PAIR, x_request_id="order-77/a:b")
    assert response.headers["x-request-id"] == "order-77/a:b"
    assert rig.requests[-1]["id"] == "order-77/a:b"


@pytest.mark.parametrize(
    "given", ["", "a b", "x" * 129, 'a","event":"fake', "a\tb", "é", "a\nb", "a\r\nset-cookie: x=1"]
)
def test_an_id_that_could_forge_a_header_or_a_line_is_replaced(rig: Rig, given: str) -> None:
    response = rig.ask("/v1/match", PAIR, x_request_id=given)
    new = response.headers["x-request-id"]
    assert re.fullmatch(r"[0-9a-f]{32}", new)
    assert "set-cookie" not in response.headers
    assert rig.requests[-1]["id"] == new


def test_stages_are_in_the_header_the_log_and_the_metrics(rig: Rig) -> None:
    before = rig.metric('menpai_stage_seconds_count{stage="infer"}')
    response = rig.ask("/v1/match", PAIR)
    stages = dict(part.split(";dur=") for part in response.headers["server-timing"].split(", "))
    assert list(stages) == ["normalize", "cache", "queue", "infer"]
    line = rig.requests[-1]
    assert float(stages["infer"]) == pytest.approx(line["infer_ms"], abs=0.01)
    assert line["ms"] >= line["infer_ms"]
    assert rig.metric('menpai_stage_seconds_count{stage="infer"}') == before + 1
    assert "normalize;dur=" in rig.ask("/v1/normalize", {"texts": [A]}).headers["server-timing"]


def test_a_log_line_says_what_was_decided_and_never_what_was_asked(rig: Rig) -> None:
    verdict = rig.ask("/v1/match", PAIR).json()
    rig.ask("/v1/match", {"pairs": [PAIR, {"a": A, "b": ""}]})
    rig.ask("/v1/match", {"a": A, "b": ""})
    rig.ask("/v1/parse", {"texts": [A]})
    single, listed, failed, parsed = rig.requests[-4:]
    assert (single["label"], single["similarity"]) == (verdict["label"], verdict["similarity"])
    assert (single["route"], single["status"], single["items"]) == ("/v1/match", 200, 1)
    assert (listed["items"], listed["problems"]) == (2, 1)
    assert (failed["status"], failed["code"]) == (422, "address_empty")
    assert (parsed["route"], parsed["items"]) == ("/v1/parse", 1)
    assert "文三路" not in rig.stream.getvalue()
    doubtful = [line["id"] for line in rig.requests if (line.get("similarity") or 1) < 0.6]
    assert single["id"] in doubtful


def test_texts_are_logged_when_a_setting_says_so(matcher: Matcher) -> None:
    with running(lambda: matcher, log_text=True) as rig:
        rig.ask("/infer", {"addr1": A, "addr2": "文三路\ud800"})
        assert (rig.requests[-1]["a"], rig.requests[-1]["b"]) == (A, "文三路\ud800")


def test_an_unforeseen_failure_is_an_answer_and_its_text_stays_out_of_the_log(matcher: Matcher) -> None:
    held = Held(matcher)
    with running(lambda: held) as rig:
        body = {"a": A, "b": held.poison}
        error = fails(rig.ask("/v1/match", body, x_request_id="see-me"), 500, "service_failed")
        assert "see-me" in error["hint"]
        assert rig.requests[-1]["error"].startswith("RuntimeError in _take")
        assert held.poison not in rig.stream.getvalue()
        assert rig.metric('menpai_requests_total{route="/v1/match",status="500"}') == 1


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "",
        "Bearer",
        "Bearer wrong",
        "Bearer s3cre",
        "Bearer s3crett",
        "Basic s3cret",
        "bearer",
        "s3cret",
        "Bearers3cret",
    ],
)
def test_without_the_key_nobody_gets_work_or_metrics(keyed: Rig, sent: str | None) -> None:
    headers = {} if sent is None else {"authorization": sent}
    for method, path in (("POST", "/v1/match"), ("POST", "/infer"), ("GET", "/metrics"), ("GET", "/nowhere")):
        response = keyed.run(keyed.client.request(method, path, headers=headers, json=PAIR))
        fails(response, 401, "key_wrong")
        assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("sent", ["Bearer s3cret", "bearer s3cret", "BEARER  s3cret"])
def test_the_case_of_the_scheme_says_nothing(keyed: Rig, sent: str) -> None:
    assert keyed.ask("/v1/match", PAIR, authorization=sent).status_code == 200


def test_a_websocket_is_closed_unaccepted(rig: Rig) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    rig.run(rig.app(scope() | {"type": "websocket", "subprotocols": []}, receive, send))
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_with_the_key_there_is_work_and_health_needs_none(keyed: Rig) -> None:
    assert keyed.ask("/v1/match", PAIR, authorization="Bearer s3cret").status_code == 200
    for path in ("/livez", "/readyz", "/docs", "/openapi.json"):
        assert keyed.run(keyed.client.get(path)).status_code == 200
    assert "s3cret" not in keyed.stream.getvalue()


@pytest.fixture(scope="module")
def keyed(matcher: Matcher) -> Any:
    with running(lambda: matcher, api_key="s3cret", max_body_mb=0.001) as rig:
        yield rig


def test_a_body_that_is_too_large_is_refused_unread(keyed: Rig) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b" " * 100

    key = {"authorization": "Bearer s3cret"}
    announced = keyed.run(keyed.client.post("/v1/match", content=b" " * 1001, headers=key))
    chunked = keyed.run(keyed.client.post("/v1/match", content=endless(), headers=key))
    for response in (announced, chunked):
        fails(response, 413, "body_too_large")
        assert response.headers["connection"] == "close"
    assert read <= 12


def scope(path: str = "/v1/match") -> dict[str, Any]:
    return {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": path,
            "raw_path": path.encode(), "query_string": b"", "headers": [], "scheme": "http", "root_path": "",
            "server": ("menpai", 80), "client": ("127.0.0.1", 1)}  # fmt: skip


def test_a_body_that_does_not_come_is_given_up(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.05)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if not sent and not receive.begun:  # type: ignore[attr-defined]
            receive.begun = True  # type: ignore[attr-defined]
            return {"type": "http.request", "body": b"{", "more_body": True}
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    receive.begun = False  # type: ignore[attr-defined]
    rig.run(rig.app(scope(), receive, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["error"]["code"] == "body_slow"


@pytest.mark.parametrize("whole", [True, False], ids=["while waiting", "while sending"])
def test_a_caller_who_leaves_is_logged_and_its_pairs_are_not_run(held: Held, whole: bool) -> None:
    body = json.dumps({"pairs": [PAIR] * 100}).encode()
    leave = asyncio.Event()
    messages = [{"type": "http.request", "body": body, "more_body": not whole}]

    async def receive() -> Any:
        if messages:
            return messages.pop()
        await leave.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        raise AssertionError(f"nobody is there to read {message}")

    with running(lambda: held, threads=1) as rig:

        async def come_and_go() -> None:
            held.hold()
            first = asyncio.create_task(rig.post("/v1/match", PAIR))
            await until(held.begun.is_set)
            leaving = asyncio.create_task(rig.app(scope(), receive, send))
            await until(lambda: rig.app.state.service.pairs.waiting == (100 if whole else 0))
            leave.set()
            await leaving
            held.open.set()
            assert (await first).status_code == 200

        rig.run(come_and_go())
        gone = next(line for line in rig.requests if line["status"] == 499)
        assert gone["gone"] is True
        assert sum(map(len, held.batches)) == 1
        assert rig.metric('menpai_shed_items_total{reason="gone"}') == (100 if whole else 0)
