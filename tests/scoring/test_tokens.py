from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.scoring.tokens import BUCKETS, CLS, FLAGS, SEP, SIDE, SPECIAL, TYPES, UNKNOWN, Vocabulary, encode
from tests import strategies

VOCABULARY = Vocabulary([*SPECIAL, *"省市区县路号弄幢栋单元室海月花园文三0123456789ABC"])
Row = tuple[list[int], list[int], list[int]]

sides = st.one_of(
    strategies.addresses(),
    st.text("文三路海月12号AB", max_size=9),
    st.text("文三路123号弄㐂😀", min_size=SIDE - 4, max_size=2 * SIDE),
)
batches = st.lists(st.tuples(sides, sides), max_size=8)


def plain_flag(text: str, at: int, other: str) -> int:
    """What text[at] has in common with the other text: the longest of 1 to 3 characters around it."""
    flag = 0
    for size in (1, 2, 3):
        starts = range(max(0, at - size + 1), min(at, len(text) - size) + 1)
        if any(text[start : start + size] in other for start in starts):
            flag = size
    for run in re.finditer("[0-9]+|[A-Z]+", text):
        if run.start() <= at < run.end():
            return 4 if run.group() in re.findall("[0-9]+|[A-Z]+", other) else 5
    return flag


def plain_encode(a: str, b: str) -> Row:
    """ids, types and positions of one pair, written down one by one."""
    sides = [side if len(side) <= SIDE else side[:20] + side[-(SIDE - 20) :] for side in (a, b)]
    first, second = sorted(sides, key=lambda side: (len(side), side))
    ids, types, positions = [CLS], [0], [0]
    for segment, (text, other) in enumerate(((first, second), (second, first))):
        for at, char in enumerate(text):
            known = char in VOCABULARY.entries
            ids.append(VOCABULARY.entries.index(char) if known else UNKNOWN)
            types.append(segment * FLAGS + plain_flag(text, at, other))
            positions.append(at + 1)
        ids.append(SEP)
        types.append(segment * FLAGS)
        positions.append(len(text) + 1)
    width = min(bucket for bucket in BUCKETS if bucket >= len(ids))
    padding = [0] * (width - len(ids))
    return ids + padding, types + padding, positions + padding


@given(batches)
def test_encode_equals_its_plain_twin(pairs: list[tuple[str, str]]) -> None:
    for rows in encode(pairs, VOCABULARY):
        for at, index in enumerate(rows.pairs):
            found = tuple(array[at].tolist() for array in (rows.ids, rows.types, rows.positions))
            assert found == plain_encode(*pairs[index])


@given(batches)
def test_each_pair_stands_in_exactly_one_bucket(pairs: list[tuple[str, str]]) -> None:
    found = list(encode(pairs, VOCABULARY))
    assert sorted(index for rows in found for index in rows.pairs) == list(range(len(pairs)))
    widths = [rows.ids.shape[1] for rows in found]
    assert len(set(widths)) == len(widths)
    assert set(widths) <= set(BUCKETS)


@given(batches)
def test_both_orders_are_one_input(pairs: list[tuple[str, str]]) -> None:
    back = [(b, a) for a, b in pairs]
    for there, other in zip(encode(pairs, VOCABULARY), encode(back, VOCABULARY), strict=True):
        assert all((x == y).all() for x, y in zip(there, other, strict=True))


@given(batches)
def test_arrays_fit_the_tables_of_the_encoder(pairs: list[tuple[str, str]]) -> None:
    for rows in encode(pairs, VOCABULARY):
        assert rows.ids.dtype == rows.types.dtype == rows.positions.dtype == np.int32
        assert rows.ids.max() < len(VOCABULARY)
        assert rows.types.max() < TYPES
        assert rows.positions.max() <= SIDE + 1


def test_the_head_and_the_tail_of_a_long_text_are_kept() -> None:
    (rows,) = encode([("文" * 30 + "三" * 500 + "路" * 50, "号")], VOCABULARY)
    text = rows.ids[0, 3 : 3 + SIDE].tolist()  # behind CLS 号 SEP
    assert text == VOCABULARY.ids("文" * 20 + "路" * 42).tolist()


def test_a_number_is_shared_as_a_whole_or_not_at_all() -> None:
    (rows,) = encode([("文三路12号", "文三路112号")], VOCABULARY)
    assert rows.types[0, 1:7].tolist() == [3, 3, 3, 5, 5, 3]  # 12号 stands in 112号, the number does not


@pytest.mark.parametrize("entries", [["号"], ["[CLS]", "[PAD]"], []])
def test_a_vocabulary_starts_with_the_special_tokens(entries: list[str]) -> None:
    with pytest.raises(ValueError, match="starts with"):
        Vocabulary(entries)


def test_no_pairs_no_rows() -> None:
    assert list(encode([], VOCABULARY)) == []
