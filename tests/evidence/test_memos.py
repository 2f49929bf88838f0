"""What comparisons remember is soon full: from then on, names never seen before cost no memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from itertools import islice, product
from typing import Any

import pytest

from menpai.evidence import _related
from menpai.evidence.divisions import common_division
from menpai.evidence.names import abbreviates, grams, slipped
from menpai.evidence.numbers import members
from menpai.evidence.relation import Relation
from menpai.evidence.side import Divided
from menpai.evidence.slips import _slips
from menpai.parsing import guards

FULL, MORE, MOST_BYTES = 4_200, 2_000, 200_000
LEVELS = ("city", "district", "town", "road", "roadno", "poi", "building", "unit", "room", "floor")
RELATIONS = tuple(islice(product(Relation, repeat=len(LEVELS)), FULL + MORE))


def town(number: int) -> Divided:
    return Divided((f"3301{number:05}",), (("city", "杭州市"), ("town", f"{number}街道")))


MEMOS: dict[Any, Callable[[int], tuple[Any, ...]]] = {
    common_division: lambda n: (town(n), town(n + 1)),
    members: lambda n: (f"{n}-{n + 2}",),
    _related: lambda n: (tuple(zip(LEVELS, RELATIONS[n], strict=True)),),
    grams: lambda n: (f"文三{n}路",),
    slipped: lambda n: (f"文三{n}路", f"文山{n}路"),
    abbreviates: lambda n: (f"文{n}路", f"文三{n}路"),
    _slips: lambda n: (f"文三{n}", f"文山{n}", 1),
    guards.stem: lambda n: (f"文三{n}街道",),
}


@pytest.mark.parametrize("memo", MEMOS, ids=lambda memo: memo.__name__)
def test_a_memo_is_full_after_four_thousand_names(memo: Any) -> None:
    tracemalloc.start()
    try:
        for n in range(FULL):
            memo(*MEMOS[memo](n))
        full = tracemalloc.get_traced_memory()[0]
        for n in range(FULL, FULL + MORE):
            memo(*MEMOS[memo](n))
        assert tracemalloc.get_traced_memory()[0] - full < MOST_BYTES
    finally:
        tracemalloc.stop()
        memo.cache_clear()
