"""The company a pair keeps: batches, orders, threads and streams change nothing."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.matcher import CHUNK, Matcher
from menpai.policy import POLICIES
from menpai.verdict import Verdict
from tests.judging import SETTINGS, case_pairs, judge, matcher, pairs, small_pack

SAME = ("文三路123号", "文三路123号")
# More than one chunk, in a company that differs from chunk to chunk.
MANY = list(itertools.islice(itertools.cycle([*case_pairs(), SAME]), CHUNK + CHUNK // 2))


@pytest.fixture(scope="module")
def alone() -> dict[tuple[str, str], Verdict]:
    return {pair: judge(*pair) for pair in dict.fromkeys(MANY)}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("step", [1, -1])
def test_a_verdict_is_the_same_alone_and_in_any_batch_to_the_bit(
    alone: dict[tuple[str, str], Verdict], threads: int, step: int
) -> None:
    given = MANY[::step]
    wanted = [alone[pair] for pair in given]
    judged_by = matcher(threads=threads)
    assert judged_by.match_many(given) == wanted
    assert list(judged_by.match_iter(iter(given))) == wanted
    assert judged_by.match_many(given[: CHUNK // 4]) == wanted[: CHUNK // 4]


@settings(max_examples=25)
@given(st.lists(pairs(), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_a_verdict_does_not_depend_on_neighbours_or_order(given: list[tuple[str, str]], random: Any) -> None:
    wanted = {pair: judge(*pair) for pair in given}
    random.shuffle(given)
    assert matcher().match_many(given) == [wanted[pair] for pair in given]


def test_what_was_read_before_does_not_matter() -> None:
    before = matcher().match_many(case_pairs())
    matcher().forget()
    assert matcher().match_many(case_pairs()) == before


def test_without_evidence_the_verdict_is_the_same_but_for_the_reasons() -> None:
    for full, bare in zip(
        matcher().match_many(case_pairs()), matcher().match_many(case_pairs(), evidence=False), strict=True
    ):
        assert isinstance(full, Verdict)
        assert isinstance(bare, Verdict)
        assert (bare.probabilities, bare.level, bare.conflicts) == (
            full.probabilities,
            full.level,
            full.conflicts,
        )
        assert {e.name for e in bare.evidence} <= set(POLICIES)
        assert set(bare.evidence) <= set(full.evidence)


def test_threads_may_share_a_matcher(alone: dict[tuple[str, str], Verdict]) -> None:
    wanted = [alone[pair] for pair in MANY[:CHUNK]]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: matcher().match_many(MANY[:CHUNK]), range(8)))
    assert found == [wanted] * 8


class Counted:
    """An endless source that counts how far it was read."""

    def __init__(self) -> None:
        self.read = 0

    def __iter__(self) -> Iterator[tuple[str, str]]:
        while True:
            self.read += 1
            yield SAME


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stream_is_read_a_few_chunks_ahead_and_no_further(threads: int) -> None:
    source = Counted()
    stream = matcher(threads=threads).match_iter(source)
    assert source.read == 0, "nothing is read before the first answer is asked for"
    for taken in range(1, 3 * CHUNK):
        next(stream)
        assert source.read <= taken + (threads + 2) * CHUNK
    stream.close()  # type: ignore[attr-defined]
    assert matcher(threads=threads).match(*SAME) == judge(*SAME)


def test_a_source_that_fails_fails_the_stream_and_nothing_else() -> None:
    def source() -> Iterator[tuple[str, str]]:
        yield from [SAME] * (2 * CHUNK)
        raise LookupError("the file is gone")

    with pytest.raises(LookupError, match="gone"):
        list(matcher().match_iter(source()))
    assert matcher().match_many(MANY)[:3] == [judge(*pair) for pair in MANY[:3]]


def test_a_stream_that_is_left_keeps_no_thread(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    small = Matcher(small_pack(tmp_path / "p"), SETTINGS.replace(threads=2))
    stream = small.match_iter(cycle(MANY))
    next(stream)
    mine = set(threading.enumerate()) - before
    assert mine
    stream.close()  # type: ignore[attr-defined]
    del small, stream
    gc.collect()
    for thread in mine:
        thread.join(timeout=20)
    assert not any(thread.is_alive() for thread in mine)
