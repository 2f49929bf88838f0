"""The LRU: bounds in entries, bytes and seconds, held against a plain twin, and from several threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai import lru as module
from menpai.lru import LRU

MOVES = st.lists(st.tuples(st.booleans(), st.integers(0, 9), st.integers(0, 5)), max_size=60)


@given(MOVES, st.integers(0, 6), st.integers(0, 12))
def test_it_keeps_what_a_plain_list_would_keep(
    moves: list[tuple[bool, int, int]], entries: int, limit: int
) -> None:
    known: LRU[int, int] = LRU(entries, limit, lambda _, value: value)
    twin: list[tuple[int, int]] = []  # what was used last stands last
    for put, key, value in moves:
        held = dict(twin)
        twin = [row for row in twin if row[0] != key]
        if put:
            known.put(key, value)
            twin += [(key, value)] * (value <= limit)
            while len(twin) > entries or sum(size for _, size in twin) > limit:
                twin.pop(0)
        else:
            assert known.get(key) == held.get(key)
            twin += [(key, held[key])] if key in held else []
        assert (len(known), known.bytes) == (len(twin), sum(size for _, size in twin))
    assert known.hits + known.misses == sum(not put for put, *_ in moves)


def test_what_is_too_old_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    known: LRU[str, int] = LRU(9, 99, lambda *_: 1, seconds=10)
    known.put("a", 1)
    now[0] = 109.9
    assert known.get("a") == 1
    now[0] = 110.0
    assert known.get("a") is None
    assert (len(known), known.bytes) == (0, 0)


def test_cleared_it_knows_nothing_and_counts_on() -> None:
    known: LRU[str, int] = LRU(9, 99, lambda *_: 1)
    known.put("a", 1)
    assert known.get("a") == 1
    known.clear()
    assert known.get("a") is None
    assert (len(known), known.bytes, known.hits, known.misses) == (0, 0, 1, 1)


def test_threads_do_not_break_its_sums() -> None:
    known: LRU[int, int] = LRU(50, 400, lambda _, value: value)
    start = threading.Barrier(4)

    def work(seed: int) -> None:
        start.wait()
        for at in range(4000):
            key = (at * 7 + seed) % 97
            known.put(key, key % 13)
            assert known.get(key) in (None, key % 13)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(known) <= 50
    assert known.bytes <= 400
    assert known.bytes == sum(known.get(key) or 0 for key in range(97))
