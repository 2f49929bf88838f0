"""What contradicts never speaks for the same place: two ways of writing one place, and then with other numbers."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import menpai
from tests import strategies
from tests.judging import case_pairs, judge

HEADS = ("", "杭州市", "浙江省杭州市西湖区", "西湖区")
TAILS = ("", " 放门卫", "(电联)")
numbers = st.integers(1, 400)


@settings(max_examples=60)
@given(
    st.sampled_from(strategies.ESTATES),
    st.sampled_from(HEADS),
    st.sampled_from(TAILS),
    st.sampled_from(("幢", "号楼", "幢2单元")),
    numbers,
    numbers,
)
def test_another_building_never_raises_exact(
    name: str, head: str, tail: str, word: str, one: int, other: int
) -> None:
    assume(one != other)
    plain = judge(head + name, name + tail).probabilities.exact_match
    assert judge(f"{head}{name}{one}{word}", f"{name}{other}{word}{tail}").probabilities.exact_match <= plain


@settings(max_examples=60)
@given(st.sampled_from(strategies.ROADS), st.sampled_from(HEADS), st.sampled_from(TAILS), numbers, numbers)
def test_another_number_never_raises_exact(road: str, head: str, tail: str, one: int, other: int) -> None:
    assume(one != other)
    plain = judge(head + road, road + tail).probabilities.exact_match
    assert judge(f"{head}{road}{one}号", f"{road}{other}号{tail}").probabilities.exact_match <= plain


@settings(max_examples=40)
@given(
    st.sampled_from(strategies.ESTATES), st.sampled_from(("江苏省南京市", "无锡市", "北京市海淀区")), numbers
)
def test_another_city_never_raises_exact(name: str, city: str, number: int) -> None:
    plain = judge(f"{name}{number}幢", f"{name}{number}号楼").probabilities.exact_match
    assert judge(f"杭州市{name}{number}幢", f"{city}{name}{number}号楼").probabilities.exact_match <= plain


ADDED = {
    "building": (("", "3幢"), ("", "5幢")),
    "room": (("", "201室"), ("", "305室")),
    "branch": (("", "(东门店)"), ("", "(工大店)")),
    "city": (("江苏省南京市", ""), ("河南省洛阳市", "")),
    "province": (("广东省", ""), ("浙江省", "")),
}


@pytest.mark.parametrize("kind", ADDED)
def test_a_contradiction_added_to_any_pair_never_raises_exact(kind: str) -> None:
    """Pairs of all kinds, whatever they say already; the addition counts where it is read as a contradiction."""
    (head, tail), (other_head, other_tail) = ADDED[kind]
    matcher = menpai.Matcher.open()
    bases = [pair for pair in case_pairs() if all(pair)]
    added = [(f"{head}{a}{tail}", f"{other_head}{b}{other_tail}") for a, b in bases]
    counted = 0
    for base, pair, before, after in zip(
        bases, added, matcher.match_many(bases), matcher.match_many(added), strict=True
    ):
        if isinstance(before, menpai.Problem) or isinstance(after, menpai.Problem):
            continue
        reasons = {evidence.name for evidence in after.evidence}
        if after.conflicts and not before.conflicts:
            counted += 1
            assert after.probabilities.exact_match <= before.probabilities.exact_match, (base, pair, reasons)
    assert counted
