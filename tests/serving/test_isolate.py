"""A batch that fails: every good row is answered, every bad one alone, and a broken engine is not asked for ever."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from menpai.serving.isolate import MOST_FAILURES, isolated


@given(rows=st.lists(st.integers(), max_size=64), poison=st.sets(st.integers(0, 63), max_size=2))
def test_only_the_poison_fails(rows: list[int], poison: set[int]) -> None:
    numbered = list(enumerate(rows))

    def work(part: list[tuple[int, int]]) -> list[int]:
        if any(at in poison for at, _ in part):
            raise RuntimeError("poison")
        return [2 * row for _, row in part]

    for at, (row, answer) in enumerate(zip(rows, isolated(work, numbered), strict=True)):
        assert isinstance(answer, RuntimeError) if at in poison else answer == 2 * row


def test_a_broken_engine_is_not_tried_for_each_row() -> None:
    calls = 0

    def work(part: list[int]) -> list[int]:
        nonlocal calls
        calls += 1
        raise RuntimeError("broken")

    answers = isolated(work, list(range(4096)))
    assert all(isinstance(answer, RuntimeError) for answer in answers)
    assert calls == MOST_FAILURES


def test_answers_that_do_not_add_up_are_a_failure() -> None:
    (answer,) = isolated(lambda part: [], [1])
    assert "0 answers to 1 rows" in str(answer)
