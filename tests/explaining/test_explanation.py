"""Explanations: aligned elements, the parts that decided, a sentence; drawings for notebooks."""

from __future__ import annotations

import json
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings

import menpai
from menpai.errors import UsageError
from menpai.explaining import explain, sentence
from menpai.explaining.segments import segments
from menpai.verdict import LABELS, Evidence, Probabilities
from tests.judging import case_pairs, comparison, matcher, pairs

DOUBT = ("杭州市西湖区文三路黄龙万科中心3幢", "西湖区学院路77号黄龙国际中心B座")
OPEN = {"br"}


class Tags(HTMLParser):
    """Finds what is open at the end, and what is loaded or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in OPEN:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_parts_are_what_the_encoder_loses_without_them() -> None:
    m = matcher(cascade=False)
    found = explain(m, *DOUBT)
    assert found.verdict.decided_by == "encoder"
    part = max(found.parts, key=lambda part: part.weight)
    text = found.a.text if part.side == "a" else found.b.text
    assert text[part.start : part.end] == part.text
    c = comparison(*DOUBT)
    read = list(m.cascade.texts(c))
    side = "ab".index(part.side)
    without = list(read)
    without[side] = read[side].replace(part.text, "", 1)
    logits = m.cascade.encoder.start([tuple(read), tuple(without)])().astype(float) * m.cascade.blend.encoder  # type: ignore[list-item]
    label = LABELS.index(found.verdict.label)
    margins = logits[:, label] - np.delete(logits, label, 1).mean(1)
    assert part.weight == pytest.approx(margins[0] - margins[1], abs=1e-5)
    assert part.text in found.sentence


def test_elements_are_aligned_coarse_to_fine() -> None:
    found = explain(matcher(), "杭州市西湖区文三路1号", "西湖区文三路3号")
    assert [(each.element, each.relation) for each in found.aligned] == [
        ("city", "missing"), ("district", "equal"), ("road", "equal"), ("roadno", "differs"),
    ]  # fmt: skip
    assert found.aligned[-1].a == "1号"


def test_a_stage_before_the_encoder_has_no_parts() -> None:
    assert explain(matcher(), "文三路1号", "文三路1号").parts == ()


@settings(max_examples=25)
@given(pairs())
def test_every_verdict_has_a_sentence_and_draws_itself(pair: tuple[str, str]) -> None:
    (verdict,) = matcher().match_many([pair])
    if isinstance(verdict, menpai.Problem):
        return
    for language in ("zh", "en"):
        assert sentence(verdict, language).endswith("。" if language == "zh" else ".")  # type: ignore[arg-type]
    drawn = Tags(verdict._repr_html_())
    assert drawn.open == []
    assert drawn.seen <= {"div", "span", "b", "br", "code"}
    assert drawn.attributes <= {"class", "style", "title"}


def test_a_sentence_says_conflicts_and_level() -> None:
    verdict = matcher().match("文三路1号", "文三路3号")
    assert (
        sentence(verdict, "zh") == "两条地址在同一片地方，但不是同一处，一致到道路，门牌号不同（1号 ≠ 3号）。"
    )
    assert "house number differs (1号 ≠ 3号)" in sentence(verdict, "en")


def test_a_sentence_says_the_policy_that_decided() -> None:
    verdict = matcher().match("文三路1号", "文三路3号")
    slip, other = "A and B are one but for a slip", "other city"
    evidence = (
        Evidence("road_equal", 2.0, "same road"),
        Evidence("policy_other_city", 0.5, other),
        Evidence("policy_name_slip", 0.2, slip),
    )
    same = Probabilities(0.6, 0.2, 0.2)
    said = sentence(replace(verdict, probabilities=same, conflicts=(), evidence=evidence), "en")
    assert said.index(slip) < said.index("same road")
    assert other not in said


def test_texts_of_strangers_are_escaped() -> None:
    a = '文三路1号<script>alert("x")</script>'
    verdict = replace(
        matcher().match("文三路1号", "文三路3号"), texts=(a, "文三路3号\"><img src=x onerror='a()'>")
    )
    drawn = Tags(verdict._repr_html_())
    assert not drawn.seen & {"script", "img"}
    assert drawn.attributes <= {"class", "style", "title"}
    unreadable = replace(verdict, texts=("", "<i>3</i>"))
    assert "i" not in Tags(unreadable._repr_html_()).seen


def test_no_texts_are_kept_where_no_evidence_was_asked_for() -> None:
    (lean,) = matcher().match_many([DOUBT], evidence=False)
    (full,) = matcher().match_many([DOUBT])
    assert isinstance(lean, menpai.Verdict)
    assert isinstance(full, menpai.Verdict)
    assert (lean.texts, full.texts) == (None, DOUBT)
    assert "文三路" not in json.dumps(lean.to_dict()["evidence"], ensure_ascii=False)
    assert full._repr_mimebundle_().keys() == {"text/html", "text/plain"}


def test_an_address_draws_itself() -> None:
    address = menpai.parse("杭州市西湖区文三路1号<b>")
    assert Tags(address._repr_html_()).open == []
    assert "".join(part.text for part in segments(address)) == address.text


def test_segments_cover_every_text() -> None:
    for pair in case_pairs():
        for text in pair:
            address = menpai.parse(text)
            assert "".join(part.text for part in segments(address)) == address.text


def test_an_address_that_cannot_be_judged_is_refused() -> None:
    with pytest.raises(UsageError):
        explain(matcher(), "", "文三路1号")
