"""Coordinates beside the texts: distance is evidence, and it edits the probabilities in the open."""

from __future__ import annotations

from typing import Any

import pytest

from menpai.errors import Problem
from menpai.verdict import Verdict
from tests.judging import matcher

HERE = {"lat": 30.27, "lon": 120.13}
_METRE = 1 / 111_195


def at(text: str, metres: float = 0.0, **changes: Any) -> dict[str, Any]:
    return {"text": text, **HERE, "lat": HERE["lat"] + metres * _METRE} | changes


def judge(a: Any, b: Any) -> Verdict | Problem:
    (answer,) = matcher().match_many([(a, b)])
    return answer


def test_the_nearer_the_more_alike() -> None:
    plain = matcher().match("文三路123号", "文三路123号海月花园")
    found = [
        matcher().match(at("文三路123号"), at("文三路123号海月花园", m)) for m in (0, 300, 3000, 300_000)
    ]
    similarity = [verdict.similarity for verdict in found]
    assert similarity == sorted(similarity, reverse=True)
    assert similarity[0] > plain.similarity > similarity[2]
    assert similarity[1] == pytest.approx(plain.similarity, abs=0.01)
    assert [verdict.evidence[0].name for verdict in found] == ["distance"] * 4
    assert "3000 m" in found[2].evidence[0].text
    assert found[0].evidence[0].weight > 0 > found[2].evidence[0].weight


def test_a_point_on_one_side_says_nothing() -> None:
    assert judge(at("文三路123号"), "文三路125号") == judge("文三路123号", "文三路125号")


def test_distance_is_symmetric() -> None:
    a, b = at("文三路123号"), at("文三路125号", 90, crs="gcj02")
    there, back = matcher().match(a, b), matcher().match(b, a)
    assert there.probabilities == back.probabilities


@pytest.mark.parametrize(
    "place",
    [
        at("文三路1号", lat=91), at("文三路1号", lon=-181), at("文三路1号", lat="30"), at("文三路1号", lat=None),
        at("文三路1号", lat=float("nan")), at("文三路1号", lon=True), at("文三路1号", crs="utm"),
        at("文三路1号", crs=[]), at("文三路1号", height=3), {"text": "文三路1号", "x": 1, 2: 2},
    ],
)  # fmt: skip
def test_coordinates_that_cannot_be_used_are_a_problem(place: Any) -> None:
    answer = judge(place, "文三路1号")
    assert isinstance(answer, Problem)
    assert answer.code == "coordinates_invalid"
    assert all(answer.render(language)[0] for language in ("zh", "en"))
