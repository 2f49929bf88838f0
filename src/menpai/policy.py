"""Policies: what a person would state about a pair whatever the model says, because it can be checked.

A policy moves probability from one label to another and says so in the evidence; a label that loses keeps less than
it gives, so it cannot win against the one that gains. Where two addresses contradict, next to nothing is left of
P(exact): less than the same pair has without the contradiction, whatever else the model reads there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from menpai.address import DIVISION_LEVELS, Address
from menpai.errors import Language
from menpai.evidence import Comparison, Relation, hard_conflicts, uncarried_number
from menpai.evidence.slips import slip_of
from menpai.evidence.within import beside, facility, other_branch
from menpai.scoring.scorer import LEAST_EXACT
from menpai.verdict import LABELS, Evidence, Probabilities

_NUMBERS = frozenset({"roadno", "building", "unit", "room"})
# What may stand around a house on one side only, and what lies within it.
_AROUND = frozenset({*DIVISION_LEVELS, "community", "devzone", "road", "roadno"})
_WITHIN = frozenset({"unit", "floor", "room"})
_HOUSES = ("宿舍", "楼", "厂", "厂房", "大厦", "公寓", "阁", "座", "轩", "公司", "宾馆", "酒店")
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


class Finding(NamedTuple):
    """Where a policy applies: the element (or "") and what the two sides say."""

    element: str
    a: str
    b: str


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


def number_conflict(c: Comparison) -> Finding | None:
    """House number, building, unit or room contradict on one road or in one place."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element in _NUMBERS), None)


def number_apart(c: Comparison) -> Finding | None:
    """A building, unit, floor or room contradicts, and no road or place that both name carries it."""
    conflict = uncarried_number(c)
    return Finding(*conflict) if conflict else None


def division_conflict(c: Comparison) -> Finding | None:
    """Province, city or district contradict and neither is a former name of the other."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element not in _NUMBERS), None)


def other_city(c: Comparison) -> Finding | None:
    """Province or city contradict: whatever else agrees is a namesake."""
    return next((Finding(*x) for x in hard_conflicts(c) if x.element in ("province", "city")), None)


def building_inside(c: Comparison) -> Finding | None:
    """Place or house number agree, nothing contradicts, and one side goes down to a numbered building."""
    agree = Relation.EQUAL in (c.relations.get("poi"), c.relations.get("roadno"))
    if not agree or c.relations.get("building") != Relation.MISSING or hard_conflicts(c):
        return None
    building = next(e for side in (c.a, c.b) for e in side.elements if e.kind == "building")
    return Finding("building", *c.texts["building"]) if building.value[:1].isdigit() else None


def room_inside(c: Comparison) -> Finding | None:
    """One house on both sides, by its number in a place or on a road or by its own name, nothing contradicts, and
    only one side goes on to a unit, floor or room."""
    if c.division_conflict or c.left.relative != c.right.relative:
        return None
    known = {kind: relation for kind, relation in c.relations.items() if relation != Relation.ABSENT}
    only = {kind for kind, relation in known.items() if relation == Relation.MISSING}
    if (
        set(known.values()) - {Relation.EQUAL, Relation.MISSING}
        or only - _AROUND - _WITHIN
        or not only & _WITHIN
    ):
        return None
    same = {kind for kind, relation in known.items() if relation == Relation.EQUAL}
    if not {"poi", "building"} <= same and (
        "unit" in only or not ({"road", "roadno"} <= same or _one_house(c))
    ):
        return None
    within = next(kind for kind in ("room", "floor", "unit") if kind in only)
    return Finding(within, *c.texts[within])


def _one_house(c: Comparison) -> bool:
    """Whether the finest place that both name is a house, whose rooms have no building before them."""
    a, b = (side.given.get("poi", ("",))[-1] for side in (c.left, c.right))
    return a == b and a.endswith(_HOUSES)


def block_at_door(c: Comparison) -> Finding | None:
    """Road and house number agree, no side names a place, and one side adds a lettered block (A座)."""
    agree = all(c.relations.get(kind) == Relation.EQUAL for kind in ("road", "roadno"))
    alone = c.relations.get("building") == Relation.MISSING and "poi" not in c.relations
    if not agree or not alone or any(not text.endswith("号") for text in c.texts["roadno"]):
        return None
    block = next((e.value for side in (c.a, c.b) for e in side.elements if e.kind == "building"), "")
    return Finding("building", *c.texts["building"]) if block.isalpha() else None


def name_slip(c: Comparison) -> Finding | None:
    """Two names are one but for slips of the pen, the number on them agrees, and nothing contradicts."""
    found = slip_of(c)
    return Finding("", *found) if found else None


def area_around(c: Comparison) -> Finding | None:
    """One side names a division and nothing else, and the other side lies in it, also a finer division."""
    if _bare(c.a) and _bare(c.b):
        return area_inside(c)
    if c.division_conflict or c.division_level == "none" or _bare(c.a) == _bare(c.b):
        return None
    return Finding("", c.a.text, c.b.text)


def area_inside(c: Comparison) -> Finding | None:
    """Both name divisions and nothing else, and one goes on to a finer one."""
    apart = c.division_conflict or c.division_level == "none" or c.a.level == c.b.level
    return None if apart or not (_bare(c.a) and _bare(c.b)) else Finding("", c.a.text, c.b.text)


def same_area(c: Comparison) -> Finding | None:
    """Both name a division and nothing else, and it is the same one."""
    ends = [address.elements[-1].value if address.elements else "" for address in (c.a, c.b)]
    same = ends[0] == ends[1] and c.a.level == c.b.level == c.division_level != "none"
    return Finding("", c.a.text, c.b.text) if same and _bare(c.a) and _bare(c.b) else None


def place_beside(c: Comparison) -> Finding | None:
    """One side ends opposite of what the other names, or some metres from it."""
    found = beside(c)
    return Finding("", *found) if found else None


def facility_inside(c: Comparison) -> Finding | None:
    """One side goes on to a shop, car park or hall inside the place that the other names."""
    found = facility(c)
    return Finding("", *found) if found else None


def branch_apart(c: Comparison) -> Finding | None:
    """The names of two branches of one shop or bank."""
    found = other_branch(c)
    return Finding("", *found) if found else None


def nothing_shared(c: Comparison) -> Finding | None:
    """No character in common, nor anything that means the same, nor coordinates: none of 8,295 judged training pairs is
    like that."""
    same = c.division_level != "none" or Relation.EQUAL in c.relations.values() or c.metres is not None
    return None if same or set(c.a.text) & set(c.b.text) else Finding("", c.a.text, c.b.text)


def _bare(address: Address) -> bool:
    return all(e.kind in DIVISION_LEVELS for e in address.elements)


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
