"""A review as it goes on: answers, skips, undo, resume, and what counts for the estimates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.tables.review import Session, draw, make_plan, open_labels
from menpai.tables.review.pair import Pair
from menpai.verdict import LABELS
from tests.tables.review.pairs import pair

PAIRS = [pair(number, number * 7 % 100 / 100) for number in range(400)]


@contextmanager
def session(
    path: Path, pairs: list[Pair] | None = None, most: int = 20, source: str = "s"
) -> Iterator[Session]:
    with open_labels(str(path / "l.jsonl")) as labels:
        yield Session(make_plan(draw(pairs or PAIRS, most), most), labels, "exact", source)


def test_it_goes_on_where_it_stopped_and_ends(tmp_path: Path) -> None:
    seen = []
    for _ in range(4):
        with session(tmp_path) as review:
            for _ in range(5):
                assert review.current is not None
                seen.append(review.current.key)
                assert review.answer(review.current.key, LABELS[0])
    with session(tmp_path) as review:
        assert review.current is None
        assert review.progress() == (20, 0, 20, {"exact_match": 20, "partial_match": 0, "not_match": 0})
    assert len(set(seen)) == 20


def test_an_answer_to_another_pair_is_not_taken(tmp_path: Path) -> None:
    with session(tmp_path) as review:
        assert review.current is not None
        key = review.current.key
        assert not review.answer("0" * 16, LABELS[0])
        assert review.answer(key, LABELS[0])
        assert not review.answer(key, LABELS[2])
        assert not review.skip(key)
        assert review.progress().answered == 1


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["answer", "skip", "undo", "reopen"]), max_size=40))
def test_undo_leads_back_step_by_step(steps: list[str]) -> None:
    """Against a plain stack of states."""
    import tempfile  # noqa: PLC0415  (a fixture would be shared by all examples)

    with tempfile.TemporaryDirectory() as folder:
        answered: list[str] = []
        stack: list[str] = []
        opened = session(Path(folder))
        review = opened.__enter__()
        for step in steps:
            current = review.current
            if step == "reopen":
                opened.__exit__(None, None, None)
                opened = session(Path(folder))
                review = opened.__enter__()
                stack.clear()
            elif step == "undo":
                assert review.undo() == bool(stack or answered)
                if stack or answered:
                    key = stack.pop() if stack else answered[-1]
                    if key in answered:
                        answered.remove(key)
                    assert review.current is not None
                    assert review.current.key == key
            elif current is not None:
                done = review.answer(current.key, LABELS[0]) if step == "answer" else review.skip(current.key)
                assert done
                stack.append(current.key)
                if step == "answer":
                    answered.append(current.key)
            assert review.progress().answered == len(answered)
        opened.__exit__(None, None, None)


def test_doubtful_pairs_do_not_lower_the_estimate(tmp_path: Path) -> None:
    """1,000 joined pairs, the 100 most doubtful wrong: precision is 0.9, though every doubtful pair asked is wrong."""
    pairs = [pair(number, 0.76 + number / 10_000) for number in range(1000)]
    wrong = {one.key for one in pairs[:100]}
    with session(tmp_path, pairs, 120) as review:
        while (current := review.current) is not None:
            review.answer(current.key, LABELS[2] if current.key in wrong else LABELS[0])
        answers = review.progress().labels
        precision = review.quality().precision
    assert answers[LABELS[2]] > 55
    assert precision is not None
    assert precision.value is not None
    assert abs(precision.value - 0.9) < 0.1
    assert precision.low < 0.9 < precision.high


def test_a_file_made_anew_keeps_the_answers_that_still_belong(tmp_path: Path) -> None:
    with session(tmp_path) as review:
        for _ in range(10):
            assert review.current is not None
            review.answer(review.current.key, LABELS[0])
    half = [one._replace(similarity=min(1.0, (one.similarity or 0) + 0.001)) for one in PAIRS[:200]]
    with session(tmp_path, half, source="other") as review:
        assert review.changed == 10
        assert 0 < review.progress().answered < 10


def test_skipped_pairs_come_back_another_day(tmp_path: Path) -> None:
    with session(tmp_path, PAIRS[:1]) as review:
        assert review.current is not None
        review.skip(review.current.key)
        assert review.current is None
        assert review.progress().skipped == 1
    with session(tmp_path, PAIRS[:1]) as review:
        assert review.current is not None
