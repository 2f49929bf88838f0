"""Links as people decided them: joined against all odds, kept apart, and what becomes of the others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from menpai.matcher import Matcher
from menpai.tables.linkage import Links, Plan, Raw, Records, link, make_records
from menpai.tables.linkage.decided import decide

LEFT = ["杭州市西湖区文三路123号", "海月花园3栋2单元"]
RIGHT = ["文三路123号", "西湖区文三路123号", "文三路125号", "海月花园5幢"]


def records(addresses: Sequence[str], names: Sequence[str] = ()) -> Records:
    filled = [*names, *[""] * len(addresses)]
    return make_records((Raw("", address, filled[at]) for at, address in enumerate(addresses)), 500)


def linked(
    same: Sequence[tuple[int, int]] = (), different: Sequence[tuple[int, int]] = (), plan: Plan | None = None
) -> dict[int, int | None]:
    left, right, matcher, plan = records(LEFT), records(RIGHT), Matcher.open(), plan or Plan()
    found = decide(link(left, right, matcher, plan), left, right, matcher, plan, same, different)
    return {row: answer.right for row, answer in found.rows.items()}


def test_nothing_decided_changes_nothing() -> None:
    left, right, matcher = records(LEFT), records(RIGHT), Matcher.open()
    links = link(left, right, matcher)
    assert decide(links, left, right, matcher, Plan(), (), ()) == links


def test_a_pair_kept_apart_leaves_the_next_best() -> None:
    first = linked()[0]
    assert first in (0, 1)
    second = linked(different=[(0, first or 0)])[0]
    assert {first, second} == {0, 1}
    assert linked(different=[(0, 0), (0, 1)])[0] is None


def test_a_pair_is_joined_whatever_speaks_against_it() -> None:
    assert linked(same=[(0, 2), (1, 3)]) == {0: 2, 1: 3}
    assert linked(same=[(0, 2)], different=[(0, 2)])[0] == 2


def test_label_and_similarity_stay_those_of_the_judge() -> None:
    left, right, matcher = records(LEFT), records(RIGHT), Matcher.open()
    links: Links = decide(link(left, right, matcher), left, right, matcher, Plan(), [(0, 2)], ())
    wanted = matcher.match(LEFT[0], RIGHT[2])
    assert (links.rows[0].label, links.rows[0].similarity) == (wanted.label, pytest.approx(wanted.similarity))


def test_what_is_given_away_once_is_taken_from_who_had_it() -> None:
    left = records(["文三路1号", "文三路1号"], ["望江面馆", "望湖面馆"])
    right = records(["文三路1号", "文三路1号"], ["望江面馆", "望湖面馆"])
    matcher, plan = Matcher.open(), Plan()
    links = link(left, right, matcher, plan)
    assert {row: answer.right for row, answer in links.rows.items()} == {0: 0, 1: 1}
    found = decide(links, left, right, matcher, plan, [(0, 1)], ())
    assert found.rows[0].right == 1
    assert found.rows[1].right is None


def test_rows_that_are_not_there_are_passed_over() -> None:
    left, right, matcher = records(["", "文三路1号"]), records(["文三路1号", ""]), Matcher.open()
    links = link(left, right, matcher)
    found = decide(links, left, right, matcher, Plan(), [(0, 0), (1, 1)], [])
    assert found == links
