from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.packs.bert_rows import FEW, NEAR, TOKEN_BUDGET, kept_lengths, pair_rows, single_rows
from menpai.packs.wordpiece import WordPiece
from tools.random_mgeo import vocabulary

WORDS = WordPiece(vocabulary(1200))
LIMIT = 24
lengths = st.integers(0, 40)
short = st.integers(1, LIMIT // 2 - 2)


def ids(count: int, first: int = 200) -> np.ndarray:
    return np.arange(first, first + count, dtype=np.int32)


def one_by_one(a: int, b: int, limit: int) -> tuple[int, int]:
    """The slow tokenizer: a token at a time from the longer side, from the second where both are equal."""
    while a + b > limit:
        a, b = (a - 1, b) if a > b else (a, b - 1)
    return a, b


@given(lengths, lengths)
def test_the_slow_cut_takes_a_token_at_a_time(a: int, b: int) -> None:
    if a + b > LIMIT:
        assert kept_lengths(a, b, LIMIT, slow=True) == one_by_one(a, b, LIMIT)


@pytest.mark.parametrize(
    ("a", "b", "limit", "kept"),
    [
        (300, 300, 509, (254, 255)),
        (301, 300, 509, (255, 254)),
        (300, 301, 509, (254, 255)),
        (10, 600, 509, (10, 499)),
        (600, 10, 509, (499, 10)),
        (300, 300, 510, (255, 255)),
    ],
)
def test_the_fast_cut_halves(a: int, b: int, limit: int, kept: tuple[int, int]) -> None:
    """As `tokenizers` 0.15 and 0.23 cut."""
    assert kept_lengths(a, b, limit) == kept


@given(st.lists(st.tuples(lengths, lengths), min_size=1, max_size=60), st.booleans())
def test_every_pair_is_one_row_without_padding(pairs: list[tuple[int, int]], slow: bool) -> None:
    firsts, seconds = [ids(a) for a, _ in pairs], [ids(b, 500) for _, b in pairs]
    seen = []
    for rows in pair_rows(firsts, seconds, WORDS, LIMIT, slow=slow):
        width = rows.inputs["input_ids"].shape[1]
        assert width <= LIMIT
        assert rows.inputs["input_ids"].size <= max(TOKEN_BUDGET, width)
        assert rows.inputs["attention_mask"].all()
        seen += rows.at.tolist()
        for at, row, types in zip(
            rows.at.tolist(), rows.inputs["input_ids"], rows.inputs["token_type_ids"], strict=True
        ):
            a, b = pairs[at] if sum(pairs[at]) <= LIMIT - 3 else kept_lengths(*pairs[at], LIMIT - 3, slow)
            assert row.tolist() == [WORDS.cls, *firsts[at][:a], WORDS.sep, *seconds[at][:b], WORDS.sep]
            assert types.tolist() == [0] * (a + 2) + [1] * (b + 1)
    assert sorted(seen) == list(range(len(pairs)))


@given(st.lists(st.tuples(short, short), min_size=1, max_size=60))
def test_few_rows_of_a_length_run_with_those_of_about_it(pairs: list[tuple[int, int]]) -> None:
    firsts, seconds = [ids(a) for a, _ in pairs], [ids(b, 500) for _, b in pairs]
    seen = []
    for rows in pair_rows(firsts, seconds, WORDS, LIMIT, near=True):
        width = rows.inputs["input_ids"].shape[1]
        assert width == rows.lengths.max()
        assert width <= rows.lengths.min() * (1 + NEAR) + 1
        unequal = len(set(rows.lengths.tolist())) > 1
        assert not unequal or np.count_nonzero(rows.lengths != width) < FEW
        seen += rows.at.tolist()
        for at, row, mask in zip(
            rows.at.tolist(), rows.inputs["input_ids"], rows.inputs["attention_mask"], strict=True
        ):
            (a, b), count = pairs[at], mask.sum()
            assert row[:count].tolist() == [
                WORDS.cls,
                *firsts[at][:a],
                WORDS.sep,
                *seconds[at][:b],
                WORDS.sep,
            ]
            assert not mask[count:].any()
            assert (row[count:] == WORDS.pad).all()
    assert sorted(seen) == list(range(len(pairs)))


def test_single_texts_are_cut_at_the_end_and_have_no_segments() -> None:
    (rows,) = single_rows([ids(100)], WORDS, LIMIT)
    assert rows.inputs["input_ids"][0].tolist() == [WORDS.cls, *ids(LIMIT - 2), WORDS.sep]
    assert not rows.inputs["token_type_ids"].any()


def test_ranking_rows_have_no_segments() -> None:
    (rows,) = pair_rows([ids(3)], [ids(4)], WORDS, LIMIT, segments=False)
    assert not rows.inputs["token_type_ids"].any()
