"""Policies: what a person would state about a pair whatever the model says, because it can be checked.

A policy moves probability from one label to another and says so in the evidence; a label that loses keeps less than
it gives, so it cannot win against the one that gains. Where two addresses contradict, next to nothing is left of
P(exact): less than the same pair has without the contradiction, whatever else the model reads there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from menpai.errors import Language
from menpai.evidence import Comparison
from menpai.findings import (
    Finding,
    area_around,
    area_inside,
    block_at_door,
    branch_apart,
    building_inside,
    division_conflict,
    facility_inside,
    name_slip,
    name_slip_alone,
    nothing_shared,
    number_apart,
    number_conflict,
    other_city,
    place_beside,
    room_inside,
    same_area,
)
from menpai.scoring.scorer import LEAST_EXACT
from menpai.verdict import LABELS, Evidence, Probabilities

_KEPT = 0.4
_ELEMENT_NAMES = {
    "province": ("省级区划", "province"),
    "city": ("城市", "city"),
    "district": ("区县", "district"),
    "roadno": ("门牌号", "house number"),
    "building": ("楼栋", "building"),
    "unit": ("单元", "unit"),
    "floor": ("楼层", "floor"),
    "room": ("房号", "room"),
}


class Policy(NamedTuple):
    """If `find` finds something, probability moves from the label `loser` to the label `winner`; the loser keeps `most`, or
    (without) 0.4 of what both have."""

    name: str
    loser: str
    winner: str
    find: Callable[[Comparison], Finding | None]
    zh: str
    en: str
    most: float | None = None

    def text(self, finding: Finding, language: Language) -> str:
        """The reason in words."""
        at = 0 if language == "zh" else 1
        name = _ELEMENT_NAMES.get(finding.element, ("", ""))[at]
        return (self.en if at else self.zh).format(name=name, a=finding.a, b=finding.b)


# First what speaks for the same place, then what speaks against it: a contradiction has the last word.
RULES = (
    Policy(
        "policy_room_inside", "partial_match", "exact_match", room_inside,
        "同一楼，只有一方写到单元、楼层或房号（{a}{b}）", "one house, and only one side goes on to a unit or room ({a}{b})",
    ),
    Policy(
        "policy_block_at_door", "partial_match", "exact_match", block_at_door,
        "道路和门牌号相同，{a}{b} 是这个门牌的一座", "same road and house number; {a}{b} is a block at that door",
    ),
    Policy(
        "policy_name_slip", "not_match", "exact_match", name_slip,
        "{a} 与 {b} 只差音近、形近或漏写的字，号码相同：是笔误", "{a} and {b} are one but for a slip, and the number agrees",
    ),
    Policy(
        "policy_slip_alone", "partial_match", "exact_match", name_slip_alone,
        "{a} 与 {b} 只差音近、形近或漏写的字，此外都相同：是笔误", "{a} and {b} are one but for a slip, and all else agrees",
    ),
    Policy(
        "policy_same_area", "not_match", "exact_match", same_area,
        "双方只写到行政区划，且相同", "both name a division and nothing else, and the same one",
    ),
    Policy(
        "policy_nothing_shared", "exact_match", "not_match", nothing_shared,
        "两个文本没有一个相同的字", "the two texts have no character in common",
    ),
    Policy(
        "policy_branch_conflict", "exact_match", "not_match", branch_apart,
        "两家分店（{a} ≠ {b}）：不是同一处", "two branches ({a} ≠ {b}): not the same place", LEAST_EXACT,
    ),
    Policy(
        "policy_number_conflict", "exact_match", "partial_match", number_conflict,
        "{name}不同（{a} ≠ {b}）：不会是同一处，最多是部分匹配",
        "{name} differs ({a} ≠ {b}): not the same place, at most a partial match",
        LEAST_EXACT,
    ),
    Policy(
        "policy_number_apart", "exact_match", "not_match", number_apart,
        "{name}不同（{a} ≠ {b}），路名或地名也对不上：不是同一处",
        "{name} differs ({a} ≠ {b}), and so do the names around it: not the same place",
        LEAST_EXACT,
    ),
    Policy(
        "policy_other_branch", "partial_match", "not_match", branch_apart,
        "两家分店（{a} ≠ {b}）：不是同一处", "two branches ({a} ≠ {b}): not the same place",
    ),
    Policy(
        "policy_division_conflict", "exact_match", "not_match", division_conflict,
        "{name}不同（{a} ≠ {b}），且不是旧名：不是同一处",
        "{name} differs ({a} ≠ {b}) and is no former name: not the same place",
        LEAST_EXACT,
    ),
    Policy(
        "policy_other_city", "partial_match", "not_match", other_city,
        "{name}不同（{a} ≠ {b}）：其余相同也只是同名", "{name} differs ({a} ≠ {b}): what else agrees is a namesake",
    ),
    Policy(
        "policy_building_inside", "exact_match", "partial_match", building_inside,
        "只有一方写到楼栋（{a}{b}）：一方包含另一方", "only one side goes down to a building ({a}{b}): one contains the other",
    ),
    Policy(
        "policy_facility_inside", "exact_match", "partial_match", facility_inside,
        "只有一方写到其中的 {a}{b}：一方包含另一方", "only one side goes on to {a}{b} inside it: one contains the other",
    ),
    Policy(
        "policy_beside", "exact_match", "partial_match", place_beside,
        "只有一方写明“{a}{b}”：在它旁边，不是同一处",
        "only one side says “{a}{b}”: beside the other, not the same place",
    ),
    Policy(
        "policy_area_inside", "exact_match", "partial_match", area_inside,
        "双方只写到行政区划，一方更细", "both name divisions alone, and one goes on to a finer one",
    ),
    Policy(
        "policy_area_around", "not_match", "partial_match", area_around,
        "一方只写到行政区划，另一方在其中", "one side names only a division, and the other lies in it",
    ),
)  # fmt: skip

# name: (Chinese, English). These edit the probabilities; all other evidence explains them.
POLICIES = {
    "distance": ("两个坐标相距约 {metres:.0f} 米", "the coordinates are {metres:.0f} m apart"),
    **{rule.name: (rule.zh, rule.en) for rule in RULES},
}


def apply_policies(
    c: Comparison, given: Probabilities, language: Language
) -> tuple[Probabilities, list[Evidence]]:
    """The edited probabilities, and an evidence for each edit (its weight: the change of P(exact) - P(not))."""
    probabilities, edits = weigh_distance(given, c.metres, language)
    for rule in RULES:
        loser, winner = LABELS.index(rule.loser), LABELS.index(rule.winner)
        total = probabilities[loser] + probabilities[winner]
        kept = max(_KEPT * total, LEAST_EXACT) if rule.most is None else rule.most
        if probabilities[loser] <= kept or (finding := rule.find(c)) is None:
            continue
        moved = list(probabilities)
        moved[loser], moved[winner] = kept, total - kept
        change = (moved[0] - moved[2]) - (probabilities[0] - probabilities[2])
        probabilities = Probabilities(*moved)
        edits.append(Evidence(rule.name, change, rule.text(finding, language)))
    return probabilities, edits


def weigh_distance(
    given: Probabilities, metres: float | None, language: Language
) -> tuple[Probabilities, list[Evidence]]:
    """Coordinates speak for the same place below about 300 m and against it above, in log-odds: +1.5 from 30 m
    down, 0 at 300 m, -1.5 for each factor of ten beyond (at most -4). A stated prior, not learned."""
    if metres is None:
        return given, []
    weight = max(-4.0, min(1.5, 1.5 * math.log10(300.0 / max(metres, 1.0))))
    odds = [p * math.exp(shift) for p, shift in zip(given, (weight, 0.0, -weight), strict=True)]
    text = POLICIES["distance"][0 if language == "zh" else 1].format(metres=metres)
    return Probabilities(*(p / sum(odds) for p in odds)), [Evidence("distance", weight, text)]
