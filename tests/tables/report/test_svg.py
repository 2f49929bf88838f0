"""Charts: well-formed, in proportion, with every text escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.tables.report import svg

NASTY = '</svg><script>alert(1)</script>"&'


def numbers(text: str, name: str) -> list[float]:
    return [float(found) for found in re.findall(rf'{name}="([-\d.]+)"', text)]


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=30))
def test_bars_are_as_tall_as_their_counts(counts: list[int]) -> None:
    root = ET.fromstring(svg.bars({"plain": counts}, [str(at) for at in range(len(counts) + 1)], NASTY))
    tall = [float(bar.get("height", "")) for bar in root.iter("rect")]
    wanted = [max(0.6, 220 * count / max(max(counts), 1)) for count in counts if count]
    assert tall == pytest.approx(wanted, abs=0.06)


def test_series_are_stacked() -> None:
    root = ET.fromstring(svg.bars({"a": [1, 0], "b": [3, 2]}, ["x", "y", "z"], "t", {"edge": 0.5}))
    first, second, third = [(float(r.get("y", "")), float(r.get("height", ""))) for r in root.iter("rect")]
    assert first[0] == pytest.approx(second[0] + second[1], abs=0.2)
    assert (first[1], second[1], third[1]) == (55.0, 165.0, 110.0)
    assert len(list(root.iter("line"))) == 2


@pytest.mark.parametrize(
    "drawn",
    [
        svg.bars({"plain": [1]}, [NASTY] * 2, NASTY, {NASTY: 0.5}),
        svg.across([(NASTY, 3)], NASTY),
        svg.against([(3, 0.2, 0.4)], NASTY, NASTY, NASTY),
        svg.scatter({"linked_points": [(30.0, 120.0)]}, NASTY),
    ],
)
def test_texts_are_escaped(drawn: str) -> None:
    assert "<script" not in drawn
    assert ET.fromstring(drawn).tag == "svg"


def test_a_map_keeps_its_proportions_and_north_is_up() -> None:
    at = 60.0  # a degree of longitude is half as long as one of latitude
    drawn = svg.scatter({"linked_points": [(at, 10.0), (at, 12.0), (at + 1, 10.0)]}, "t")
    (x0, y0), (x1, _), (_, y2) = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", drawn)]
    assert x1 - x0 == pytest.approx(y0 - y2, rel=0.02)
    assert y2 < y0


@pytest.mark.parametrize(
    ("metres", "bar"), [(0.2, 1), (1, 1), (4.9, 2), (5, 5), (1234, 1000), (2500, 2000), (99_999, 50_000)]
)
def test_the_scale_bar_has_a_round_length(metres: float, bar: float) -> None:
    assert svg.round_length(metres) == bar


def test_the_scale_bar_is_as_long_as_it_says() -> None:
    drawn = svg.scatter({"linked_points": [(30.0, 120.0), (30.01, 120.0)]}, "t")
    wide = float(re.search(r"v8h([\d.]+)", drawn)[1])  # type: ignore[index]
    (_, low), (_, high) = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", drawn)]
    assert "200 m" in drawn
    assert wide / (low - high) == pytest.approx(200 / (0.01 * svg.METRES), rel=0.02)
