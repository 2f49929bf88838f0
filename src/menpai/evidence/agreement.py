"""How far two addresses agree, and where they contradict, given what the model makes of the pair.

A label helps to read names: the same name in a pair that is no match is a namesake, not an agreement; two names
of one place are no contradiction. Numbers and divisions speak for themselves.
"""

from __future__ import annotations

from menpai.address import LEVELS
from menpai.evidence.comparison import Comparison
from menpai.evidence.relation import Relation
from menpai.verdict import Conflict

_NAMES = ("community", "road", "poi")
_NUMBERS = ("roadno", "subpoi", "village_group", "building", "unit", "floor", "room")
# What an agreement or contradiction is called where the guide gives the element no level of its own.
_LEVEL_OF = {"village_group": "building"}
_CONFLICT_OF = {"subpoi": "building", "village_group": "building", "floor": "room"}
_AGREE = (Relation.EQUAL, Relation.CONTAINS)


def hard_conflicts(c: Comparison) -> tuple[Conflict, ...]:
    """The contradictions that hold whatever the model says: divisions above the town, and the coarsest number
    where both stand on the same road or in the same place."""
    if c.division_conflict and c.division_conflict.element != "town":
        return (c.division_conflict,)
    number = next((kind for kind in _NUMBERS if c.relations.get(kind) == Relation.DIFFERS), None)
    if number is None or not _carried(c, number):
        return ()
    return (Conflict(_CONFLICT_OF.get(number, number), *c.texts[number]),)


def conflicts(c: Comparison, label: str) -> tuple[Conflict, ...]:
    """The coarsest contradiction, or none; what lies below it belongs to another place and is not compared."""
    if c.division_conflict and (label != "exact_match" or c.division_conflict.element != "town"):
        return (c.division_conflict,)
    if label != "exact_match":
        apart = (Relation.DIFFERS, Relation.SIMILAR) if label == "not_match" else (Relation.DIFFERS,)
        same_name = label == "partial_match" and any(
            c.relations.get(kind) in _AGREE for kind in ("road", "poi")
        )
        for kind in _NAMES if not same_name else ():
            if c.relations.get(kind) in apart:
                return (Conflict(kind, *c.texts[kind]),)
    return hard_conflicts(c)


def level(c: Comparison, label: str) -> str:
    """The finest element on which both agree; a number agrees only together with what carries it.

    Where the model knows better than the names (an alias), two addresses of one place agree as far as both go.
    """
    found = _level(c, label)
    if label == "exact_match" and LEVELS.index(found) < LEVELS.index("road"):
        return max(found, min(c.a.level, c.b.level, key=LEVELS.index), key=LEVELS.index)
    return found


def _level(c: Comparison, label: str) -> str:
    relations = c.relations
    found = c.division_level
    if relations.get("community") == Relation.EQUAL:
        found = "community"
    if relations.get("road") in _AGREE:
        found = "road"
    if label == "not_match":
        return found if not c.division_conflict else c.division_level
    if relations.get("poi") in _AGREE or (
        relations.get("poi") == Relation.SIMILAR and label == "exact_match"
    ):
        found = "poi"
    if relations.get("roadno") == Relation.EQUAL and _carried(c, "roadno"):
        found = "roadno"
    if Relation.DIFFERS in (relations.get("roadno"), relations.get("subpoi")):
        return found
    for kind in ("village_group", "building", "unit", "room"):
        if relations.get(kind) == Relation.EQUAL:
            found = _LEVEL_OF.get(kind, kind)
        elif relations.get(kind) == Relation.DIFFERS:
            break
    return found


def _carried(c: Comparison, number: str) -> bool:
    """Whether both numbers stand on one road or in one place, as far as the texts say."""
    names = [c.relations.get(kind, Relation.ABSENT) for kind in ("road", "poi", "community")]
    if any(relation in _AGREE for relation in names):
        return number != "roadno" or names[0] != Relation.DIFFERS
    return Relation.DIFFERS not in names and Relation.SIMILAR not in names and number != "roadno"
