"""The veto by numbers: it never parts two texts of which one has all numbers of the other; keys survive a slip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.tables.linkage.terms import keys_of
from menpai.tables.linkage.threads import ordered
from menpai.tables.linkage.vetoes import number_bits

NUMBERS = st.lists(st.integers(0, 1500).map(str), max_size=5)
JOINTS = st.sampled_from(("号", "幢", "-", "室", "弄0", "、"))


def texts(numbers: list[str], joints: list[str]) -> str:
    return "文三路" + "".join(n + j for n, j in zip(numbers, joints, strict=True)) + "号"


def written(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"[0-9]+", text)}


@given(st.data())
def test_a_vetoed_pair_has_a_number_on_either_side_that_the_other_lacks(data: st.DataObject) -> None:
    pair = []
    for _ in range(2):
        numbers = data.draw(NUMBERS)
        joints = data.draw(st.lists(JOINTS, min_size=len(numbers), max_size=len(numbers)))
        pair.append(texts(numbers, joints))
    a, b = number_bits(pair).tolist()
    if a & ~b and b & ~a:
        assert written(pair[0]) - written(pair[1])
        assert written(pair[1]) - written(pair[0])


@pytest.mark.parametrize(
    ("a", "b", "vetoed"),
    [
        ("文三路12号", "文三路14号", True),
        ("文三路12号", "文三路12号3幢", False),
        ("文三路012号", "文三路12号", False),
        ("文三路12-16号", "文三路14号", False),
        ("文三路2、4号", "文三路3号", False),
        ("3-2-101", "3幢2单元102室", True),
        ("文三路", "学院路5号", False),
    ],
)
def test_numbers_rule_out(a: str, b: str, vetoed: bool) -> None:
    mine, theirs = number_bits([a, b]).tolist()
    assert bool(mine & ~theirs and theirs & ~mine) == vetoed


@pytest.mark.parametrize(
    ("a", "b", "plain"),
    [
        ("菊园新区洪德路880号", "洪微路880号", 1),
        ("孔寨村", "孔槐村", 0),
        ("三好村", "三村", 0),
        ("江西省宜春市宜丰县棠浦镇陈家村", "宜丰县陈家村", 4),
        ("龙山镇永康市南新村", "南新村永康市龙山镇", 6),
    ],
)
def test_keys_survive_a_mistyped_or_lost_character(a: str, b: str, plain: int) -> None:
    shared = set(keys_of([a])[0].tolist()) & set(keys_of([b])[0].tolist())
    assert len(shared) > plain


def test_keys_stand_with_their_texts() -> None:
    some = ["上海市浦东新区张江镇香楠路200弄1号101室", "", "陈家村", "A座", "宜丰县陈家村3幢2单元101室"]
    terms, rows = keys_of(some)
    for row, text in enumerate(some):
        assert np.array_equal(np.unique(terms[rows == row]), np.unique(keys_of([text])[0]))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_answers_come_in_order_and_tasks_are_drawn_as_needed(threads: int) -> None:
    drawn: list[int] = []

    def tasks() -> Iterator[int]:
        for task in range(1000):
            drawn.append(task)
            yield task

    answers = ordered(lambda task: task * 2, tasks(), threads)
    assert list(islice(answers, 20)) == list(range(0, 40, 2))
    assert len(drawn) <= 20 + 2 * threads + 1
    answers.close()  # type: ignore[attr-defined]
