"""How far two addresses agree, and where they contradict, given what the model makes of the pair.

A label helps to read names: the same name in a pair that is no match is a namesake, not an agreement; two names
of one place are no contradiction. Numbers and divisions speak for themselves.
"""

from __future__ import annotations

from menpai.address import LEVELS
from menpai.evidence.branches import one_branch
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
    number = _number_apart(c)
    return _first_number(c) if number and _carried(c, number) else ()


def uncarried_number(c: Comparison) -> Conflict | None:
    """The coarsest number below the house number that contradicts although no name that both give carries it: two
    roads may meet in one house, two buildings never."""
    number = _number_apart(c)
    if number is None or number == "roadno" or _carried(c, number):
        return None
    return _first_number(c)[0]


def _number_apart(c: Comparison) -> str | None:
    """The coarsest number that contradicts; two names that may be one branch's contradict nothing."""
    apart = (kind for kind in _NUMBERS if c.relations.get(kind) == Relation.DIFFERS)
    return next((kind for kind in apart if kind != "subpoi" or not one_branch(*c.texts[kind])), None)


def _first_number(c: Comparison) -> tuple[Conflict, ...]:
    """The coarsest number that contradicts, whatever carries it."""
    number = _number_apart(c)
    return (Conflict(_CONFLICT_OF.get(number, number), *c.texts[number]),) if number else ()


def conflicts(c: Comparison, label: str) -> tuple[Conflict, ...]:
    """The coarsest contradiction, or none; what lies below it belongs to another place and is not compared."""
    if c.division_conflict and (label != "exact_match" or c.division_conflict.element != "town"):
        return (c.division_conflict,)
    if label == "partial_match":
        return _apart_in_one_area(c)
    if label == "not_match":
        apart = (Relation.DIFFERS, Relation.SIMILAR)
        for kind in _NAMES:
            if c.relations.get(kind) in apart:
                return (Conflict(kind, *c.texts[kind]),)
    return hard_conflicts(c) or (_namesakes(c) if label == "not_match" else ())


def _apart_in_one_area(c: Comparison) -> tuple[Conflict, ...]:
    """What parts two places of one area: names of one place contradict nothing, numbers in it do, and hamlets of one
    village stand for its parts."""
    relations = c.relations
    one_area = any(relations.get(kind) in _AGREE for kind in ("road", "poi"))
    for kind in ("community", "road") if not one_area else ():
        if relations.get(kind) == Relation.DIFFERS:
            return (Conflict(kind, *c.texts[kind]),)
    apart = hard_conflicts(c) or _first_number(c)
    if (
        not apart
        and relations.get("community") == Relation.EQUAL
        and relations.get("poi") == Relation.DIFFERS
    ):
        return (Conflict("building", *c.texts["poi"]),)
    return apart


def _namesakes(c: Comparison) -> tuple[Conflict, ...]:
    """The name that two places share, or of which one has more than the other."""
    named = next((kind for kind in ("poi", "road") if c.relations.get(kind) in _AGREE), None)
    return (Conflict(named, *c.texts[named]),) if named else ()


def level(c: Comparison, label: str) -> str:
    """The finest element on which both agree; a number agrees only together with what carries it.

    Where the model knows better than the names (an alias), two addresses of one place agree as far as both go.
    """
    found = _level(c, label)
    if label == "exact_match" and LEVELS.index(found) < LEVELS.index("poi"):
        return max(found, _alias_level(c, found), key=LEVELS.index)
    return found


def _alias_level(c: Comparison, found: str) -> str:
    """As far as both go: to the named place if both name one, else to the finest that both have."""
    if c.relations.get("poi", Relation.MISSING) > Relation.MISSING:
        return "poi"
    return (
        min(c.a.level, c.b.level, key=LEVELS.index) if LEVELS.index(found) < LEVELS.index("road") else found
    )


def _level(c: Comparison, label: str) -> str:
    relations = c.relations
    found = c.division_level
    if relations.get("community") == Relation.EQUAL:
        found = "community"
    if relations.get("road") in _AGREE:
        found = "road"
    if label == "not_match":
        return found if not c.division_conflict else c.division_level
    if relations.get("poi") in _same_place(label):
        found = "poi"
    if label == "partial_match":
        found = _area_level(c, found)
    agree = _AGREE if label == "partial_match" else _AGREE[:1]
    if relations.get("roadno") in agree and _carried(c, "roadno"):
        found = "roadno"
    if Relation.DIFFERS in (relations.get("roadno"), relations.get("subpoi")):
        return found
    for kind in ("village_group", "building", "unit", "room"):
        if relations.get(kind) in (agree if kind == "building" else _AGREE[:1]):
            found = _LEVEL_OF.get(kind, kind)
        elif relations.get(kind) == Relation.DIFFERS:
            break
    return found


def _same_place(label: str) -> tuple[Relation, ...]:
    """The relations between two named places that leave them one place under this label."""
    return _AGREE if label == "partial_match" else (*_AGREE, Relation.SIMILAR)


def _area_level(c: Comparison, found: str) -> str:
    """In a partial match two numbers share their road. Two names that contradict, and are not told apart by a road, are
    parts of one place; so are two groups of a village, or a village and what lies in it."""
    poi, road = c.relations.get("poi"), c.relations.get("road")
    if road in _AGREE and c.relations.get("roadno") == Relation.DIFFERS:
        return "road"
    if poi in (Relation.DIFFERS, Relation.SIMILAR) and road != Relation.DIFFERS:
        return "poi"
    village = c.relations.get("community") == Relation.EQUAL and not c.texts["community"][0].endswith("社区")
    return "poi" if village and found == "community" else found


def _carried(c: Comparison, number: str) -> bool:
    """Whether both numbers stand on one road or in one place, as far as the texts say."""
    names = [c.relations.get(kind, Relation.ABSENT) for kind in ("road", "poi", "community")]
    if any(relation in _AGREE for relation in names):
        return number != "roadno" or names[0] != Relation.DIFFERS
    return Relation.DIFFERS not in names and Relation.SIMILAR not in names and number != "roadno"
