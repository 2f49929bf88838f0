"""Warming, ready, draining: what is answered in each, and what a pack that cannot be opened does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from typing import Any

import pytest

from menpai.cli.entry import main
from menpai.errors import BrokenArtefactError
from menpai.matcher import Matcher
from menpai.serving import wire
from tests.serving.rig import A, B, Held, agrees, fails, running, until

PAIR = {"a": A, "b": B}


def test_it_answers_before_the_model_is_there_and_with_verdicts_after(matcher: Matcher) -> None:
    loaded = threading.Event()

    def open_late() -> Matcher:
        assert loaded.wait(60)
        return matcher

    with running(open_late, warmed=False) as rig:
        assert rig.run(rig.client.get("/livez")).status_code == 200
        for response in (
            rig.run(rig.client.get("/readyz")),
            rig.ask("/v1/match", PAIR),
            rig.ask("/v1/parse", {}),
        ):
            fails(response, 503, "service_warming")
            assert int(response.headers["retry-after"]) >= 1
        assert rig.metric("menpai_ready") == 0
        loaded.set()
        rig.run(until(lambda: rig.app.state.service.phase == "ready"))
        ready = rig.run(rig.client.get("/readyz"))
        agrees(ready.json(), wire.Ready)
        assert (ready.json()["pack"], ready.json()["behaviour"]) == (matcher.pack_id, matcher.behaviour)
        assert rig.ask("/v1/match", PAIR).status_code == 200
        assert [line["event"] for line in rig.log].count("ready") == 1


def test_a_start_imports_nothing_that_it_does_not_need() -> None:
    code = "import sys, menpai.serving.server; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    heavy = {
        "torch",
        "pyarrow",
        "pandas",
        "fastapi",
        "pydantic",
        "openvino",
        "menpai.library",
        "menpai.search.search",
        "menpai.tables.readers",
        "sqlite3",
        "redis",
    }
    assert not heavy & set(loaded.split())


def test_draining_ends_what_was_accepted_and_takes_nothing_new(held: Held) -> None:
    with running(lambda: held) as rig:

        async def drain() -> None:
            held.hold()
            accepted = asyncio.create_task(rig.post("/v1/match", PAIR))
            await until(held.begun.is_set)
            rig.app.state.service.drain()
            for response in (await rig.client.get("/readyz"), await rig.post("/v1/match", PAIR)):
                fails(response, 503, "service_draining")
                assert int(response.headers["retry-after"]) >= 1
            assert (await rig.client.get("/livez")).status_code == 200
            held.open.set()
            assert (await accepted).status_code == 200

        rig.run(drain())
        assert rig.metric("menpai_ready") == 0


def test_a_start_that_fails_ends_the_service_with_its_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert main(["serve", "--port", "0", "--language", "en"]) == 3
    captured = capsys.readouterr()
    assert "can't start new thread" in captured.err
    assert "Traceback" not in captured.err
    assert "listening" not in captured.out


def test_a_pack_that_cannot_be_opened_is_told_and_never_ready() -> None:
    def fail() -> Any:
        raise BrokenArtefactError("pack_damaged", pack="mine", file="pair.onnx")

    with running(fail, warmed=False) as rig:
        rig.run(until(lambda: rig.app.state.service.failure))
        fails(rig.run(rig.client.get("/readyz")), 500, "pack_damaged")
        error = fails(rig.ask("/v1/match", PAIR), 500, "pack_damaged")
        assert "pair.onnx" in error["message"]
        assert rig.run(rig.client.get("/livez")).status_code == 200
        assert rig.log[0]["event"] == "failed"
