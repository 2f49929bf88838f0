from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.decide import READINGS, Manner, decide
from menpai.errors import Language
from menpai.evidence import FEATURES, hard_conflicts, measure
from menpai.scoring import Score
from menpai.scoring.scorer import LEAST_EXACT
from menpai.verdict import Probabilities, Verdict
from tests.judging import case_pairs, comparison

COMPARISONS = [comparison(a, b) for a, b in case_pairs()]
SURE = Probabilities(0.9, 0.06, 0.04)
_shares = st.tuples(*[st.floats(0.001, 1)] * 3)
probabilities = _shares.map(lambda p: Probabilities(*(x / sum(p) for x in p)))


def judge(
    a: str,
    b: str,
    given: Probabilities = SURE,
    language: Language = "en",
    weights: Any = None,
    row: bool = True,
) -> Verdict:
    c = comparison(a, b)
    if weights is None:
        weights = np.ones(len(FEATURES) + 1)
    manner = Manner("p@1", "digest", language, (weights, weights))
    return decide(c, Score(given, "encoder"), measure([c])[0] if row else None, manner)


@pytest.mark.parametrize(
    ("a", "b", "name", "label", "quotes"),
    [
        ("文三路123号", "文三路125号", "policy_number_conflict", "partial_match", ("123", "125")),
        ("海月花园3幢", "海月花园5幢", "policy_number_conflict", "partial_match", ("3", "5")),
        ("海月花园3幢501室", "海月花园3幢502室", "policy_number_conflict", "partial_match", ("501", "502")),
        ("南京市东泰花园", "洛阳市东泰花园", "policy_division_conflict", "not_match", ("南京", "洛阳")),
        (
            "杭州市西湖区海月花园",
            "杭州市上城区海月花园",
            "policy_division_conflict",
            "not_match",
            ("西湖", "上城"),
        ),
    ],
)
def test_a_contradiction_cannot_stay_exact_and_says_so(
    a: str, b: str, name: str, label: str, quotes: tuple[str, str]
) -> None:
    for language in ("zh", "en"):
        verdict = judge(a, b, language=language)
        assert verdict.label == label
        first = verdict.evidence[0]
        assert first.name == name
        assert first.weight < 0
        assert all(quote in first.text for quote in quotes)
        assert ("differs" in first.text) == (language == "en")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("文三路123号", "文三路123号A座"),
        ("北京市海淀区上地街道", "北京市海淀区清河街道"),  # a town is often written wrong
        ("上海市闸北区共和新路1号", "上海市静安区共和新路1号"),
        ("海月花园", "海月花园三期"),
    ],
)
def test_without_a_contradiction_the_probabilities_stay(a: str, b: str) -> None:
    verdict = judge(a, b)
    assert verdict.probabilities == SURE
    assert not [e for e in verdict.evidence if e.name.startswith("policy")]


def test_what_is_no_match_already_stays_so_and_hardly_exact() -> None:
    verdict = judge("文三路123号", "文三路125号", Probabilities(0.1, 0.2, 0.7))
    assert verdict.probabilities == pytest.approx((LEAST_EXACT, 0.3 - LEAST_EXACT, 0.7))
    assert verdict.conflicts
    less = Probabilities(LEAST_EXACT / 2, 0.29, 0.7)
    assert judge("文三路123号", "文三路125号", less).probabilities == less


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("文三路123号", "文三路125号"),
        ("翠苑小区3幢", "古荡小区5幢"),
        ("杭州市文三路123号", "南京市文三路123号"),
        ("肯德基(东门店)", "肯德基(工大店)"),
    ],
)
@given(given=probabilities)
def test_a_contradiction_leaves_next_to_nothing_of_exact(a: str, b: str, given: Probabilities) -> None:
    verdict = judge(a, b, given)
    assert verdict.probabilities.exact_match <= LEAST_EXACT
    assert sum(verdict.probabilities) == pytest.approx(1)


@given(st.sampled_from(COMPARISONS), probabilities)
def test_the_label_is_the_argmax_and_never_exact_against_a_contradiction(
    c: Any, given: Probabilities
) -> None:
    weights = np.ones(len(FEATURES) + 1)
    manner = Manner("p@1", "digest", "zh", (weights, weights))
    verdict = decide(c, Score(given, "fast"), measure([c])[0], manner)
    assert abs(sum(verdict.probabilities) - 1) < 1e-9
    assert min(verdict.probabilities) > 0
    assert getattr(verdict.probabilities, verdict.label) == max(verdict.probabilities)
    assert verdict.decided_by == "fast"
    edited = verdict.probabilities != given
    assert edited == any(e.name.startswith("policy") for e in verdict.evidence)
    if hard_conflicts(c):
        assert verdict.label != "exact_match"


def test_evidence_is_what_was_measured_the_strongest_first() -> None:
    weights = np.linspace(-2, 2, len(FEATURES) + 1)
    verdict = judge(
        "杭州市文三路123号海月花园", "文三路125号", Probabilities(0.005, 0.295, 0.7), weights=weights
    )
    strength = [abs(e.weight) for e in verdict.evidence]
    assert strength == sorted(strength, reverse=True)
    assert min(strength) >= 0.05, "what hardly weighs is not said"
    c = comparison("杭州市文三路123号海月花园", "文三路125号")
    wanted = {f.name: f.measure(c) * w for f, w in zip(FEATURES, weights, strict=False)}
    assert {e.name: pytest.approx(e.weight) for e in verdict.evidence} == {
        name: weight for name, weight in wanted.items() if abs(weight) >= 0.05
    }


def test_without_features_only_the_edits_are_said() -> None:
    verdict = judge("文三路123号", "文三路125号", row=False)
    assert [e.name for e in verdict.evidence] == ["policy_number_conflict"]
    assert judge("文三路123号", "文三路123号", row=False).evidence == ()


def test_the_verdict_carries_what_the_matcher_knows() -> None:
    verdict = judge("文三路123号", "文三路123号")
    assert (verdict.pack, verdict.behaviour, verdict.decided_by) == ("p@1", "digest", "encoder")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("reading", [2.5, -2.5])
def test_what_the_encoder_read_is_a_reason_with_its_weight(language: Any, reading: float) -> None:
    c = comparison("文三路123号", "文三路123号A座")
    manner = Manner("p@1", "digest", language, (np.zeros(len(FEATURES) + 1),) * 2)
    (reason,) = decide(c, Score(SURE, "encoder", reading), measure([c])[0], manner).evidence
    assert (reason.name, reason.weight) == ("encoder_reading", reading)
    assert reason.text == READINGS["encoder_reading"][language][reading < 0]
