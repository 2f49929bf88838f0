"""Names that the rules are unsure of, as a tagger settles them. The tagger here says what each test wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given

from menpai.address import Address, Normalized
from menpai.parsing import parse
from menpai.parsing.settle import NAMES, settle, settler, stretches
from menpai.parsing.spans import Span
from menpai.settings import Settings
from menpai.text import normalize
from tests.strategies import addresses

Part = tuple[str, str, float]


@dataclass
class Says:
    """Finds the same names (kind, name, confidence) in every text, and remembers what it was asked."""

    parts: Sequence[Part]
    asked: tuple[str, ...] = ()

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        self.asked = tuple(texts)
        return [
            [
                Span(kind, text.index(name), text.index(name) + len(name), sure)
                for kind, name, sure in self.parts
            ]
            for text in texts
        ]


def settled(text: str, *parts: Part) -> list[tuple[str, str, str]]:
    (address,) = settle([parse(normalize(text))], Says(parts))  # type: ignore[arg-type]
    return [(e.kind, e.text, e.source) for e in address.elements]


GLUED = "文三路12号云栖坊桂香斋3幢"


def test_a_doubtful_name_is_split() -> None:
    assert settled(GLUED, ("poi", "云栖坊", 0.8), ("poi", "桂香斋", 0.7)) == [
        ("road", "文三路", "rule"), ("roadno", "12号", "rule"), ("poi", "云栖坊", "tagger"),
        ("poi", "桂香斋", "tagger"), ("building", "3幢", "rule"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        [("poi", "云栖坊", 0.8)],  # does not fill the stretch
        [("poi", "云栖坊", 0.8), ("poi", "桂香斋3", 0.9)],  # reaches into a number with its unit word
        [("poi", "云栖坊", 0.8), ("poi", "桂香斋", 0.1)],  # is not sure
        [("poi", "云栖坊", 0.8), ("room", "桂香斋", 0.9)],  # is no name
        [],
    ],
)
def test_the_rules_stand_where_the_tagger_does_not_hold(parts: list[tuple[str, str, float]]) -> None:
    assert settled(GLUED, *parts) == [(e.kind, e.text, "rule") for e in parse(normalize(GLUED)).elements]


def test_what_a_suffix_shows_keeps_its_end() -> None:
    text = "云栖坊香樟东大道桂香斋"
    before = [(e.kind, e.text) for e in parse(normalize(text)).elements]
    assert before == [("road", "云栖坊香樟东大道"), ("poi", "桂香斋")]
    moved = settled(text, ("poi", "云栖坊", 0.8), ("road", "香樟东大道", 0.8), ("poi", "桂香斋", 0.8))
    assert [part[:2] for part in moved] == [("poi", "云栖坊"), ("road", "香樟东大道"), ("poi", "桂香斋")]
    for parts in (
        [("poi", "云栖坊香樟东大道桂香斋", 0.9)],
        [("road", "云栖坊香樟东", 0.9), ("poi", "大道桂香斋", 0.9)],
        [("poi", "云栖坊香樟东", 0.9), ("road", "大道", 0.9), ("poi", "桂香斋", 0.9)],
    ):
        assert [part[:2] for part in settled(text, *parts)] == before


def test_a_short_name_is_one_name() -> None:
    assert settled("文三路天府兰台2期", ("poi", "天府", 0.9), ("poi", "兰台", 0.9), ("subpoi", "2期", 0.9))[
        1
    ][:2] == ("poi", "天府兰台")


def test_joining_what_the_rules_parted_needs_more() -> None:
    text = "雅居乐东区3栋"
    parted = [("poi", "雅居乐"), ("subpoi", "东区"), ("building", "3栋")]
    for sure, wanted in ((0.3, parted), (0.9, [("poi", "雅居乐东区"), ("building", "3栋")])):
        assert [part[:2] for part in settled(text, ("poi", "雅居乐东区", sure))] == wanted


def test_only_doubtful_texts_are_asked_and_only_around_the_doubt() -> None:
    says = Says([])
    texts = ["浙江省杭州市西湖区文三路12号", f"杭州市西湖区{GLUED}2单元501室", "", "3幢2单元"]
    readings = [parse(normalize(text)) for text in texts]
    assert settle(readings, says) == readings  # type: ignore[arg-type]
    assert says.asked == (GLUED,)


def test_divisions_before_the_doubt_move_no_span() -> None:
    found = settled(f"杭州市西湖区{GLUED}", ("poi", "云栖坊", 0.8), ("poi", "桂香斋", 0.7))
    assert [part[1] for part in found] == ["杭州市", "西湖区", "文三路", "12号", "云栖坊", "桂香斋", "3幢"]


@given(addresses())
def test_stretches_are_names_side_by_side(text: str) -> None:
    address = parse(normalize(text))
    for stretch in stretches(address):
        inside = address.elements[stretch.first : stretch.last]
        assert all(e.kind in NAMES and e.source == "rule" for e in inside)
        assert all(a.end == b.start for a, b in pairwise(inside))
        assert (inside[0].start, inside[-1].end) == (stretch.start, stretch.end)


def test_settings_say_whether_readings_are_settled() -> None:
    reading = Address(Normalized("文三路", "文三路", (0, 1, 2)))
    assert settler(Settings())([reading]) == [reading]
    built_in = settler(Settings(tagger=True))
    assert built_in([reading]) == [reading]
    (found,) = built_in([parse(normalize(GLUED))])
    assert found.text == GLUED
