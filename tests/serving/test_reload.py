"""Another pack under a running service: exchanged, refused, taken back; who may ask; what is told."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from menpai.cli.entry import main
from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError
from menpai.matcher import Matcher
from menpai.serving import lifecycle, shift, wire
from menpai.serving.drift import Shapes, report, verify, written
from menpai.settings import Settings
from menpai.verdict import Verdict
from tests.serving.rig import A, B, Held, Rig, agrees, fails, running, until

PAIR = {"a": A, "b": B}


class Other(Held):
    """A matcher of another pack: the same answers under another name."""

    pack_id = "other@1"
    behaviour = "0123456789abcdef"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probation and idleness last a moment."""
    monkeypatch.setattr(lifecycle, "PROBATION_SECONDS", 0.3)
    monkeypatch.setattr(shift, "IDLE_SECONDS", 0.1)


def opens(*matchers: Any) -> Callable[[], Any]:
    """Opens one after the other; an exception is raised."""
    left = list(matchers)

    def open_next() -> Any:
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return open_next


def reload(rig: Rig) -> dict[str, Any]:
    service = rig.app.state.service
    found: dict[str, Any] = rig.run(service.reload(service.settings))
    return found


@pytest.mark.usefixtures("quick")
def test_what_was_accepted_ends_with_the_old_and_what_comes_begins_with_the_new(matcher: Matcher) -> None:
    old, new = Held(matcher), Other(matcher)
    with running(opens(old, new)) as rig:

        async def exchange() -> dict[str, Any]:
            assert (await rig.post("/v1/match", PAIR)).status_code == 200
            old.hold()
            accepted = asyncio.create_task(rig.post("/v1/match", PAIR))
            await until(old.begun.is_set)
            service = rig.app.state.service
            threading.Timer(0.3, old.open.set).start()  # the trial asks the old one too
            found: dict[str, Any] = await service.reload(service.settings)
            new.batches.clear()
            assert (await accepted).status_code == 200
            assert new.batches == []
            assert (await rig.post("/v1/match", PAIR)).status_code == 200
            assert new.batches == [[(A, B)]]
            await until(lambda: not service._relieved)  # the old one is closed
            assert (await rig.post("/v1/match", PAIR)).status_code == 200
            return found

        found = rig.run(exchange())
        agrees(found, wire.Reloaded)
        assert (found["pack"], found["before"]["pack"]) == ("other@1", matcher.pack_id)
        assert found["recent"]["pairs"] >= 1
        assert found["trial"]["changed"] == 0
        ready = rig.run(rig.client.get("/readyz")).json()
        assert (ready["pack"], ready["behaviour"]) == ("other@1", "0123456789abcdef")
        assert rig.metric('menpai_events_total{event="reloaded"}') == 1
        assert A not in rig.stream.getvalue()


@pytest.mark.parametrize(
    ("trouble", "code"),
    [
        (BrokenArtefactError("pack_damaged", pack="mine", file="x"), "pack_damaged"),
        (OSError("gone"), "reload_refused"),
    ],
)
def test_a_pack_that_cannot_be_used_leaves_the_old_one(
    matcher: Matcher, trouble: Exception, code: str
) -> None:
    with running(opens(matcher, trouble)) as rig:
        with pytest.raises(MenpaiError) as caught:
            reload(rig)
        assert caught.value.code == code
        assert rig.ask("/v1/match", PAIR).status_code == 200
        assert rig.metric('menpai_events_total{event="reload_refused"}') == 1
        assert rig.log[-2]["event"] == "reload_refused"


@pytest.mark.usefixtures("quick")
def test_a_new_pack_that_fails_gives_way_to_the_old_one(
    matcher: Matcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lifecycle, "PROBATION_SECONDS", 30.0)
    new = Other(matcher)
    new.poison = B
    with running(opens(matcher, new)) as rig:
        reload(rig)
        for _ in range(shift.FAILURES):
            assert rig.ask("/v1/match", PAIR).status_code == 500
        rig.run(until(lambda: any(line["event"] == "rolled_back" for line in rig.log)))
        assert rig.ask("/v1/match", PAIR).status_code == 200
        assert rig.run(rig.client.get("/readyz")).json()["pack"] == matcher.pack_id


def test_a_service_whose_batches_fail_is_not_ready_until_one_goes_well(matcher: Matcher) -> None:
    held = Held(matcher)
    held.poison = B
    with running(lambda: held) as rig:
        for _ in range(shift.FAILURES):
            assert rig.ask("/v1/match", PAIR).status_code == 500
        assert rig.run(rig.client.get("/readyz")).status_code == 200  # a batch of its own goes well
        assert rig.app.state.service._shift.failing is False


def test_one_reload_at_a_time_and_none_before_it_is_ready(matcher: Matcher) -> None:
    new = Other(matcher)
    with running(opens(matcher, new)) as rig:
        service = rig.app.state.service

        async def twice() -> None:
            new.hold()
            first = asyncio.create_task(service.reload(service.settings))
            await until(new.begun.is_set)
            with pytest.raises(NotReadyError, match="under way"):
                await service.reload(service.settings)
            new.open.set()
            await first

        rig.run(twice())
    with running(lambda: matcher, warmed=False) as rig, pytest.raises(NotReadyError, match="loading"):
        reload(rig)


def test_only_the_operator_reloads_over_http(matcher: Matcher) -> None:
    with running(lambda: matcher) as rig:
        fails(rig.ask("/v1/admin/reload", {}), 403, "reload_needs_key")
    with running(lambda: matcher, api_key="s3cret") as rig:
        fails(rig.ask("/v1/admin/reload", {}), 401, "key_wrong")
        answer = rig.ask("/v1/admin/reload", {"pack": "menpai-mini"}, authorization="Bearer s3cret")
        assert answer.status_code == 200
        agrees(answer.json(), wire.Reloaded)
        assert rig.ask("/v1/admin/reload", b"", authorization="Bearer s3cret").status_code == 200
        fails(rig.ask("/v1/admin/reload", {"pakc": "x"}, authorization="Bearer s3cret"), 422, "body_invalid")


def test_the_command_says_why_it_could_not_reload(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--reload", "--port", "1", "--language", "en"]) == 3
    assert "cannot reach http://127.0.0.1:1/v1/admin/reload" in capsys.readouterr().err


def test_the_report_knows_lengths_and_labels_only(matcher: Matcher) -> None:
    shapes = Shapes()
    pairs = [(A, B), (B, {"text": A, "lat": 30.0, "lon": 120.0})] * 20
    shapes.note(pairs, matcher.match_many(pairs))
    assert len(shapes.recent()) == 16
    assert {(shape.a, shape.b) for shape in shapes.recent()} == {(len(A), len(B)), (len(B), len(A))}
    found = report(shapes.recent(), matcher, matcher)
    assert found["recent"]["length_max"] == max(len(A), len(B))
    assert sum(found["trial"]["labels_after"].values()) == pytest.approx(1, abs=0.01)
    assert A not in json.dumps(found, ensure_ascii=False)


def test_what_is_no_verdict_is_refused(matcher: Matcher) -> None:
    pairs = written([(10, 12)])
    (good,) = matcher.match_many(pairs)
    verify(pairs, [good], matcher)
    assert isinstance(good, Verdict)
    nan = good.probabilities._replace(exact_match=float("nan"))
    bad = Verdict(nan, good.level, (), (), "encoder", good.pack, good.behaviour)
    with pytest.raises(BrokenArtefactError, match="did not pass"):
        verify(pairs, [bad], matcher)


@pytest.mark.parametrize("lengths", [[], [(0, 1)], [(3, 400), (90, 2)]])
def test_written_pairs_have_the_lengths_asked_for(lengths: list[tuple[int, int]]) -> None:
    assert [(len(a), len(b)) for a, b in written(lengths)] == [(max(2, a), max(2, b)) for a, b in lengths]


def test_settings_of_a_reload_are_read_again(matcher: Matcher) -> None:
    seen: list[Settings] = []
    with running(lambda: matcher) as rig:
        service = rig.app.state.service
        service._open_matcher = lambda settings: seen.append(settings) or matcher
        rig.run(service.reload(service.settings.replace(cascade=False)))
    assert [settings.cascade for settings in seen] == [False]
