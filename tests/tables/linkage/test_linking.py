"""link: who gets whom, in any order of the rows; what joins, what is vetoed, what is told of the rest."""

from __future__ import annotations

import random

import numpy as np
import pytest

from menpai.evidence.coordinates import Point
from menpai.tables.linkage import Links, Plan, Raw, Records, batches, judging, link, make_records
from menpai.tables.linkage.coverage import estimate_coverage
from menpai.tables.linkage.forecast import forecast
from menpai.tables.linkage.rivals import best_others
from tests.judging import matcher

LEFT = [
    Raw("1", "杭州市西湖区文三路123号"),
    Raw("2", "西湖区文三路123号"),
    Raw("3", "北京市朝阳区建国路8号院"),
    Raw("4", "海月花园3栋2单元"),
    Raw("5", ""),
    Raw("6", "成都市武侯区天府大道999号"),
]
RIGHT = [
    Raw("x", "文三路125号"),
    Raw("y", "浙江省杭州市西湖区文三路123号"),
    Raw("z", "北京朝阳建国路8号"),
    Raw("w", "海月花园3幢5单元"),
]
SHOPS = [
    Raw("1", "文三路123号", "望江面馆(文三店)"),
    Raw("2", "文三路123号", "望江面馆"),
    Raw("3", "文三路123号", "湖滨茶楼"),
    Raw("4", "文三路123号", "望江面馆"),
]


def linked(left: list[Raw], right: list[Raw], plan: Plan | None = None) -> dict[str, str | None]:
    """Left id → right id."""
    ours, theirs = make_records(left, 512), make_records(right, 512)
    return by_id(link(ours, theirs, matcher(), plan), ours, theirs)


def by_id(links: Links, left: Records, right: Records) -> dict[str, str | None]:
    return {
        left.ids[row]: None if found.right is None else right.ids[found.right]
        for row, found in links.rows.items()
    }


def test_exact_matches_join_and_many_rows_may_share_one() -> None:
    assert linked(LEFT, RIGHT) == {"1": "y", "2": "y", "3": "z", "4": None, "6": None}


def test_partial_matches_join_if_accepted() -> None:
    found = linked(LEFT, RIGHT, Plan(accept="partial"))
    assert found["4"] == "w"
    assert found["6"] is None


def test_one_to_one_gives_a_row_away_once() -> None:
    found = linked(LEFT, RIGHT, Plan(assign="one"))
    assert sorted(filter(None, found.values())) == ["y", "z"]


def test_the_order_of_the_rows_does_not_matter() -> None:
    wanted, chance = linked(LEFT, RIGHT), random.Random(2)
    for _ in range(3):
        left, right = list(LEFT), list(RIGHT)
        chance.shuffle(left)
        chance.shuffle(right)
        assert linked(left, right) == wanted


def test_chunks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = make_records([*LEFT, *SHOPS], 512), make_records([*RIGHT, *SHOPS[:2]], 512)
    whole = link(left, right, matcher(), Plan(accept="partial"))
    monkeypatch.setattr(batches, "PAIRS", 3)
    monkeypatch.setattr(judging, "READ_AT_ONCE", 2)
    again = link(left, right, matcher(), Plan(accept="partial"))
    assert (again.rows, again.pairs) == (whole.rows, whole.pairs)


def test_a_named_row_is_given_away_once_but_to_equal_rows() -> None:
    assert linked(SHOPS, [Raw("m", "文三路123号", "望江面馆")]) == {"1": None, "2": "m", "3": None, "4": "m"}


def test_equal_rows_get_equal_rows_in_their_order() -> None:
    twins = [Raw("m", "文三路123号", "望江面馆"), Raw("n", "文三路123号", "望江面馆")]
    assert linked(SHOPS, twins) == {"1": None, "2": "m", "3": None, "4": "n"}
    assert linked(SHOPS[1:], twins[:1], Plan(assign="one")) == {"2": "m", "3": None, "4": None}


def test_coordinates_part_two_branches() -> None:
    def shop(id_: str, point: Point) -> Raw:
        return Raw(id_, "", "望江面馆", "", point)

    near, far = (30.27, 120.13), (30.40, 120.30)
    assert linked([shop("1", near)], [shop("f", far), shop("n", (30.2702, 120.13))]) == {"1": "n"}


def test_what_does_not_join_is_still_told() -> None:
    left, right = make_records(LEFT, 512), make_records([RIGHT[3], Raw("v", "海月花园")], 512)
    links = link(left, right, matcher())
    found = links.rows[3]
    assert (found.right, found.label) == (None, "partial_match")
    assert found.gap == found.similarity
    assert links.rows[5] == (None, "not_match", 0.0, "none", (), None, False)
    assert [stage.name for stage in links.stages] == [
        "same", "candidates", "read", "slips", "vetoes", "score", "encoder", "assign",
    ]  # fmt: skip


def test_a_contradicting_number_is_vetoed_before_it_is_scored() -> None:
    left, right = make_records([Raw("1", "文三路123号")], 512), make_records([Raw("x", "文三路125号")], 512)
    links = link(left, right, matcher())
    stages = {stage.name: stage for stage in links.stages}
    assert (stages["candidates"].pairs_out, stages["read"].rows_in, stages["score"].rows_in) == (0, 0, 0)
    links = link(left, right, matcher(), Plan(accept="partial"))
    assert [answer.label for _, _, answer in links.pairs] == ["partial_match"]
    ranges = [make_records([Raw("1", text)], 512) for text in ("文三路12-16号", "文三路14号")]
    assert {stage.name: stage for stage in link(*ranges, matcher()).stages}["candidates"].pairs_out == 1


def test_no_rows() -> None:
    empty = make_records([], 512)
    assert link(empty, empty, matcher()).rows == {}
    assert linked(LEFT[:1], []) == {"1": None}


def test_the_forecast_counts_all_rows() -> None:
    left, right = make_records(LEFT, 512), make_records(RIGHT, 512)
    told = forecast(left, right, matcher(), Plan())
    assert (told["left_rows"], told["sample_rows"]) == (6, 5)
    assert told["memory_mb"] >= 0
    assert told["seconds"] >= 0


def test_best_others() -> None:
    groups, values = np.array([3, 1, 3, 3]), np.array([1.0, 5.0, 2.0, 2.0])
    assert best_others(groups, values, -9.0).tolist() == [2.0, -9.0, 2.0, 2.0]


def test_coverage_falls_where_pairs_are_found_deep() -> None:
    lefts = np.repeat(np.arange(100), 10)
    first = {row: row * 10 for row in range(100)}
    assert estimate_coverage(lefts, {}, 10) == estimate_coverage(lefts, first, 10) == 1.0
    deep = first | {row: row * 10 + 3 for row in range(10)} | {row: row * 10 + 8 for row in range(10, 15)}
    assert estimate_coverage(lefts, deep, 10) == pytest.approx(100 / 105)
