"""The service with its caches on: a hit is the fresh answer to the byte, served when the queue is full, judged once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.matcher import Matcher
from menpai.settings import Settings
from tests.serving.cache.rows import PAIRS, A, B, C
from tests.serving.rig import Held, Rig, fails, running, until

PAIR = {"a": A, "b": B}


def cached(**flags: Any) -> dict[str, Any]:
    return {"cache": True, "cache_file": ""} | flags


@pytest.fixture(scope="module")
def warm(matcher: Matcher) -> Iterator[Rig]:
    with running(lambda *_: matcher, **cached()) as rig:
        yield rig


def hits(rig: Rig, layer: str, result: str = "hit") -> float:
    return rig.metric(f'menpai_cache_lookups_total{{layer="{layer}",result="{result}"}}')


@given(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=5), st.sampled_from(["pairs", "single"]))
@settings(max_examples=25)
def test_every_shape_gives_the_library_bytes_again_and_again(
    warm: Rig, matcher: Matcher, pairs: list[tuple[Any, Any]], shape: str
) -> None:
    verdicts = [matcher.match(a, b).to_dict() for a, b in pairs]
    for _ in range(2):
        if shape == "single":
            for (a, b), verdict in zip(pairs, verdicts, strict=True):
                assert warm.ask("/v1/match", {"a": a, "b": b}).content == compact(verdict)
                scored = warm.ask("/match", {"a": a, "b": b}).content
                assert scored == compact({"score": verdict["similarity"], **verdict})
                assert warm.ask("/infer", {"addr1": a, "addr2": b}).content == compact(verdict)
        else:
            rows = [{"a": a, "b": b, "id": at} for at, (a, b) in enumerate(pairs)]
            listed = [{"id": at, **verdict} for at, verdict in enumerate(verdicts)]
            assert warm.ask("/v1/match", {"pairs": rows}).content == compact({"verdicts": listed})


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def test_candidates_are_ranked_the_same_from_the_cache(warm: Rig) -> None:
    body = {"query": A, "candidates": [B, C, {"text": B, "lat": 30.0, "lon": 120.0}, "", A]}
    assert warm.ask("/v1/match", body).content == warm.ask("/v1/match", body).content
    assert warm.requests[-1]["cache"] == {"memory": 4, "miss": 1}  # a problem is never remembered


def test_the_log_says_where_an_answer_came_from(matcher: Matcher) -> None:
    with running(lambda *_: matcher, **cached()) as rig:
        for _ in range(2):
            rig.ask("/v1/match", PAIR)
        rig.ask("/v1/match", {"pairs": [PAIR, {"a": B, "b": A}, PAIR]})
        assert [line["cache"] for line in rig.requests] == ["miss", "memory", {"memory": 2, "miss": 1}]
        assert (hits(rig, "memory"), hits(rig, "memory", "miss")) == (3, 2)
        assert rig.metric('menpai_cache_entries{layer="memory"}') == 2
        assert rig.metric('menpai_cache_bytes{layer="memory"}') > 1000
        assert "cache;dur=" in rig.ask("/v1/match", PAIR).headers["server-timing"]


def test_order_coordinates_and_problems_are_kept_apart(held: Held) -> None:
    with running(lambda *_: held, **cached()) as rig:
        held.hold()
        held.open.set()
        near, far = ({"text": A, "lat": lat, "lon": 120.0} for lat in (30.0, 31.0))
        for pair in [(A, B), (B, A), (near, B), (far, B), ({"text": A}, B)]:
            assert rig.ask("/v1/match", {"a": pair[0], "b": pair[1]}).status_code == 200
        for _ in range(2):
            fails(rig.ask("/v1/match", {"a": A, "b": ""}), 422, "address_empty")
        assert judged(held) == 5


def judged(held: Held) -> int:
    """Pairs of two addresses that reached the matcher."""
    return sum(bool(b) for batch in held.batches for _, b in batch)


def test_a_pair_twice_in_a_list_is_judged_once(held: Held) -> None:
    with running(lambda *_: held, **cached()) as rig:
        held.hold()
        held.open.set()
        rows = rig.ask("/v1/match", {"pairs": [PAIR, PAIR, {"a": A, "b": C}, PAIR]}).json()["verdicts"]
        assert rows[0] == rows[1] == rows[3] != rows[2]
        assert judged(held) == 2


def test_what_is_in_flight_is_judged_once(held: Held) -> None:
    with running(lambda *_: held, **cached()) as rig:

        async def together() -> list[Any]:
            held.hold()
            asked = [asyncio.create_task(rig.post("/v1/match", PAIR)) for _ in range(20)]
            asked += [asyncio.create_task(rig.post("/v1/match", {"pairs": [PAIR, {"a": A, "b": C}]}))]
            await until(held.begun.is_set)
            await asyncio.sleep(0.05)
            held.open.set()
            return await asyncio.gather(*asked)

        *single, listed = rig.run(together())
        assert {answer.status_code for answer in single} == {200}
        assert {answer.content for answer in single} == {compact(listed.json()["verdicts"][0])}
        assert judged(held) == 2
        assert hits(rig, "flight") == 20


def test_who_waits_for_another_answer_keeps_its_own_deadline(held: Held) -> None:
    with running(lambda *_: held, **cached()) as rig:

        async def together() -> tuple[Any, Any]:
            held.hold()
            first = asyncio.create_task(rig.post("/v1/match", PAIR))
            await until(held.begun.is_set)
            late = await rig.post("/v1/match", PAIR, x_request_timeout_ms="50")
            held.open.set()
            return await first, late

        first, late = rig.run(together())
        assert first.status_code == 200
        fails(late, 504, "deadline_passed")


def test_who_waits_is_answered_though_the_first_was_given_up(held: Held) -> None:
    with running(lambda *_: held, **cached()) as rig:

        async def together() -> tuple[Any, Any]:
            held.hold()
            blocker = asyncio.create_task(rig.post("/v1/match", {"a": A, "b": C}))
            await until(held.begun.is_set)
            first = asyncio.create_task(rig.post("/v1/match", PAIR, x_request_timeout_ms="80"))
            await asyncio.sleep(0.02)
            second = asyncio.create_task(rig.post("/v1/match", PAIR))
            late = await first
            held.open.set()
            await blocker
            return late, await second

        late, second = rig.run(together())
        fails(late, 504, "deadline_passed")
        assert second.status_code == 200


def test_hits_are_served_while_the_queue_is_full(held: Held) -> None:
    with running(lambda *_: held, **cached(queue_seconds=0.0)) as rig:
        known = rig.ask("/v1/match", PAIR)
        assert known.status_code == 200

        async def full() -> tuple[Any, Any]:
            held.hold()
            busy = [
                asyncio.create_task(rig.post("/v1/match", {"a": A, "b": f"文三路{n}号"})) for n in range(40)
            ]
            await until(held.begun.is_set)
            refused = await rig.post("/v1/match", {"a": A, "b": "文三路999号"})
            hit = await rig.post("/v1/match", PAIR)
            held.open.set()
            await asyncio.gather(*busy)
            return refused, hit

        refused, hit = rig.run(full())
        fails(refused, 503, "service_full")
        assert hit.content == known.content


def test_a_service_without_caches_remembers_nothing(held: Held) -> None:
    with running(lambda *_: held, cache=False) as rig:
        held.hold()
        held.open.set()
        for _ in range(2):
            rig.ask("/v1/match", PAIR)
        assert judged(held) == 2
        assert rig.metric('menpai_cache_entries{layer="memory"}') == 0


def on_disk(tmp_path: Path, **flags: Any) -> dict[str, Any]:
    return cached(cache_file=str(tmp_path / "verdicts.sqlite"), **flags)


def wait_for(rig: Rig, happened: Callable[[], object]) -> None:
    rig.run(until(happened, 20))


def test_a_restart_forgets_nothing_and_rebuilds_every_text(matcher: Matcher, tmp_path: Path) -> None:
    body = {"pairs": [{"a": a, "b": b} for a, b in PAIRS]}
    with running(lambda *_: matcher, **on_disk(tmp_path)) as rig:
        fresh = rig.ask("/v1/match", body).content
    held = Held(matcher)
    with running(lambda *_: held, **on_disk(tmp_path)) as rig:
        held.hold()
        wait_for(rig, lambda: opened(rig))
        assert rig.ask("/v1/match", body).content == fresh
        assert rig.requests[-1]["cache"] == {"disk": len(PAIRS)}
        assert hits(rig, "disk") == len(PAIRS)
        assert judged(held) == 0
        held.open.set()
    for file in tmp_path.iterdir():
        assert "文三路".encode() not in file.read_bytes()


def opened(rig: Rig) -> bool:
    return bool(rig.app.state.service.cache._outer._stores)


@pytest.mark.parametrize(
    "change",
    [
        {"overrides": "own.csv"},
        pytest.param({"cascade": False}, marks=pytest.mark.slow),
        pytest.param({"max_length": 999}, marks=pytest.mark.slow),
    ],
)
def test_any_change_of_behaviour_misses(matcher: Matcher, tmp_path: Path, change: dict[str, Any]) -> None:
    with running(lambda *_: matcher, **on_disk(tmp_path)) as rig:
        rig.ask("/v1/match", PAIR)
    if "overrides" in change:
        own = tmp_path / "own.csv"
        own.write_text("kind,name,parent,code,aliases\nalias,杭州市,,,杭城\n", "utf-8")
        change = {"overrides": str(own)}
    other = Matcher.open(settings=Settings(language="en", threads=2, **change))
    with running(lambda *_: other, **on_disk(tmp_path)) as rig:
        wait_for(rig, lambda: opened(rig))
        rig.ask("/v1/match", PAIR)
        assert rig.requests[-1]["cache"] == "miss"
        assert hits(rig, "disk", "miss") == 1


def test_another_language_is_told_the_reasons_in_its_own(matcher: Matcher, tmp_path: Path) -> None:
    with running(lambda *_: matcher, **on_disk(tmp_path)) as rig:
        rig.ask("/v1/match", PAIR)
    chinese = Matcher.open(settings=Settings(language="zh", threads=2))
    with running(lambda *_: chinese, **on_disk(tmp_path)) as rig:
        wait_for(rig, lambda: opened(rig))
        assert rig.ask("/v1/match", PAIR).content == compact(chinese.match(A, B).to_dict())
        assert hits(rig, "disk") == 1


def test_a_file_that_breaks_costs_no_request(matcher: Matcher, tmp_path: Path) -> None:
    with running(lambda *_: matcher, **on_disk(tmp_path, cache_entries=0)) as rig:
        wait_for(rig, lambda: opened(rig))
        fresh = rig.ask("/v1/match", PAIR).content
        wait_for(rig, lambda: not rig.app.state.service.cache._outer.waits)
        file = tmp_path / "verdicts.sqlite"
        for name in ("verdicts.sqlite-wal", "verdicts.sqlite"):
            (tmp_path / name).write_bytes(b"rubbish" * 5000)
        for _ in range(30):
            assert rig.ask("/v1/match", PAIR).content == fresh
            rig.run(asyncio.sleep(0.02))
        assert file.read_bytes()[:15] == b"SQLite format 3"


def test_cleared_by_another_process_it_is_forgotten_here_too(matcher: Matcher, tmp_path: Path) -> None:
    from menpai.serving.cache.stores import open_stores  # noqa: PLC0415  (as the command line does)

    with running(lambda *_: matcher, **on_disk(tmp_path)) as rig:
        wait_for(rig, lambda: opened(rig))
        rig.ask("/v1/match", PAIR)
        settings = Settings(cache_file=str(tmp_path / "verdicts.sqlite"))

        def entries() -> int:
            _, (store,) = open_stores(settings)
            count = store.info().entries
            store.close()
            return count

        wait_for(rig, lambda: entries() == 1)
        keys, (store,) = open_stores(settings)
        assert store.clear(keys.address(A)) == 1
        store.close()
        wait_for(rig, lambda: rig.metric('menpai_cache_entries{layer="memory"}') == 0)
        assert entries() == 0


def test_the_metrics_know_what_the_matcher_remembers(matcher: Matcher) -> None:
    with running(lambda *_: matcher, cache=False) as rig:
        before = hits(rig, "normalized"), hits(rig, "normalized", "miss")
        for n in (1, 2):
            rig.ask("/v1/match", {"a": f"文三路{n}号甲", "b": "文三路9号丁"})
        assert hits(rig, "normalized") == before[0] + 1
        assert hits(rig, "normalized", "miss") == before[1] + 3
        assert rig.metric('menpai_cache_entries{layer="normalized"}') == len(matcher.readings)
        assert rig.metric('menpai_cache_bytes{layer="normalized"}') == matcher.readings.bytes
