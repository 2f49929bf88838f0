"""Slips: two spellings that agree in all but one character of their names. The judge, which sees one pair alone, takes
such names for two places; in one table, with the same numbers in the same divisions, they are one place mistyped."""

from __future__ import annotations

import re

from menpai.evidence import Side
from menpai.evidence.divisions import common_division
from menpai.evidence.relation import Relation
from menpai.parsing.similar import TELLING, slip
from menpai.tables.linkage.marks import Mark, apart

SAME, NUMBERED, LISTED, ALIKE, LOST = 4.0, 4.0, 4.0, 3.0, 2.0
"""Log-odds of one place: the same names; a slip beside two numbers; a slip where the town's list of villages has one of the
two writings; a character of like sound or shape; one too few."""
_ELSEWHERE = re.compile("对面|[东南西北前后左右]|[往距隔靠]|[0-9]米|路口|交叉")
_SHORTEST = 3


def slip_odds(a: Side, b: Side, marks: tuple[Mark, Mark]) -> float:
    """The log-odds of one place that the writing of two addresses gives; 0 where they differ in more than a slip."""
    if not a.names or not b.names or marks[0].numbers != marks[1].numbers or apart(*marks):
        return 0.0
    if _elsewhere(a) or _elsewhere(b):
        return 0.0
    one, other = sorted(("".join(a.names), "".join(b.names)), key=lambda names: (len(names), names))
    if len(one) < 2:
        return 0.0
    town = common_division(a.divided, b.divided).relations.get("town", Relation.ABSENT)
    numbered = len(marks[0].numbers) > 1
    if one == other:
        return SAME if numbered or town != Relation.DIFFERS else 0.0
    kind = one_slip(one, other)
    if numbered:
        return NUMBERED if kind else 0.0
    if kind and town == Relation.EQUAL and bool(marks[0].village) != bool(marks[1].village):
        return LISTED
    if kind == "alike":
        sure = town == Relation.EQUAL or (town != Relation.DIFFERS and len(one) >= _SHORTEST)
        return ALIKE if sure else 0.0
    return LOST if kind == "lost" and town == Relation.EQUAL and len(one) >= _SHORTEST else 0.0


def one_slip(one: str, other: str) -> str:
    """`alike`: one character stands for another of like sound or shape; `lost`: the first lacks one; else nothing.

    No slip is a character that tells a place from its neighbour (东, 上, 新, 二).
    """
    at = next((n for n, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), len(one))
    if len(one) == len(other):
        known = one != other and one[at + 1 :] == other[at + 1 :] and slip(one[at], other[at])
        return "alike" if known and TELLING.isdisjoint((one[at], other[at])) else ""
    lost = len(one) + 1 == len(other) and one[at:] == other[at + 1 :] and other[at] not in TELLING
    return "lost" if lost else ""


def _elsewhere(side: Side) -> bool:
    return "distance" in side.values or any(map(_ELSEWHERE.search, side.given.get("assist", ())))
