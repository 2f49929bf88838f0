"""A text's price is that of what is done with it, follows what it took, and decides who is let in."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from menpai.errors import Problem, UsageError
from menpai.serving import prices as module
from menpai.serving.prices import Price, Prices, length_of
from tests.serving.rig import A, B, Rig, fails


def test_a_judged_search_costs_a_thousand_cleaned_texts_and_a_larger_one_more() -> None:
    prices = Prices()
    clean, search, judged = (prices.ask(kind, str, A).micros for kind in ("normalize", "search", "judge"))
    assert judged > 3 * search > 1000 * clean
    assert prices.ask("judge", str, A, 5.1).micros == pytest.approx(5.1 * judged)
    assert prices.ask("judge", str, {"address": A, "name": B, "lat": 30.2}).micros > judged


@pytest.mark.parametrize(
    ("value", "length"), [("文三路", 3), (7, 1), ({}, 1), ({"text": "文三", "lat": 3.0}, 2)]
)
def test_what_a_price_counts(value: Any, length: int) -> None:
    assert length_of(value) == length


def test_a_price_follows_what_things_take_and_one_stall_moves_it_little() -> None:
    price = Price(10.0)
    price.learn(1, 3600.0)
    assert price.micros == pytest.approx(11.0)
    for _ in range(100):
        price.learn(50, 50 * 25e-6)
    assert price.micros == pytest.approx(25.0, rel=0.01)


def test_what_was_done_is_learned_and_what_cannot_be_read_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: Any) -> Any:
        raise UsageError("address_empty", side="")

    prices = Prices()
    before = prices.ask("parse", str, A).micros
    assert prices.ask("parse", refuse, A).done() == Problem("address_empty", {"side": ""})
    assert prices.ask("parse", str, A).micros == before
    clock = iter((0.0, 9.0))
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    assert prices.ask("parse", len, A).done() == len(A)
    assert prices.ask("parse", str, A).micros == pytest.approx(1.1 * before)


def test_searches_that_would_take_too_long_are_refused_while_texts_are_few(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {"queries": [A] * 30}

    async def two(path: str, first: Any, second: Any) -> tuple[Any, Any]:
        return await asyncio.gather(rig.post(path, first), rig.post(path, second))

    first, second = rig.run(two("/v1/search", many, {"query": B}))
    assert (first.status_code, second.status_code) == (200, 200)
    service = rig.app.state.service
    monkeypatch.setattr(service.prices._known["judge"], "micros", 5e4)  # 30 queries: over 50 s
    first, second = rig.run(two("/v1/search", many, {"query": B}))
    assert first.status_code == 200  # nothing was before it
    fails(second, 503, "service_full")
    assert int(second.headers["retry-after"]) > 2
    assert rig.ask("/v1/parse", {"texts": [A]}).status_code == 200
    assert service.texts.predicted_wait() == 0.0
