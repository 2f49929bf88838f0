"""Two readings laid side by side: for each element, how the two relate; the common level; the conflicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from menpai.address import Address
from menpai.evidence.divisions import common_division
from menpai.evidence.names import relate_names
from menpai.evidence.numbers import relate_numbers
from menpai.evidence.relation import Relation
from menpai.verdict import Conflict

_NAMES = ("community", "road", "poi", "devzone")
_NUMBERS = ("roadno", "subpoi", "village_group", "building", "unit", "floor", "room")
# What a contradiction is called where the guide gives the element no level of its own.
_CONFLICT_OF = {"subpoi": "building", "village_group": "building", "floor": "room"}
_Relate = Callable[[list[str], list[str]], tuple[Relation, str, str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Element → relation, and element → the two texts that were compared (empty where a side gives none)."""

    a: Address
    b: Address
    relations: dict[str, Relation]
    texts: dict[str, tuple[str, str]]
    level: str
    conflicts: tuple[Conflict, ...]

    @property
    def identical(self) -> bool:
        """Both normalize to the same text."""
        return self.a.text == self.b.text


def compare(a: Address, b: Address) -> Comparison:
    """The comparison of two readings; symmetric but for the order of the texts it quotes."""
    divisions = common_division(a, b)
    relations = dict(divisions.relations)
    texts = dict(divisions.texts)
    values_a, values_b = _values(a), _values(b)
    for kinds, relate in ((_NAMES, relate_names), (_NUMBERS, relate_numbers)):
        for kind in kinds:
            side_a, side_b = values_a.get(kind), values_b.get(kind)
            if side_a or side_b:
                relations[kind], *quoted = relate(side_a or [], side_b or [])
                texts[kind] = (quoted[0], quoted[1])
    level = _level(divisions.level, relations)
    return Comparison(a, b, relations, texts, level, _conflicts(divisions.conflict, relations, texts))


def _values(address: Address) -> dict[str, list[str]]:
    """Kind → values, a crossing's roads counted as roads."""
    values: dict[str, list[str]] = {}
    for element in address.elements:
        values.setdefault("road" if element.kind == "intersection" else element.kind, []).append(element.value)
    return values


def _level(division: str, relations: dict[str, Relation]) -> str:
    """The finest level on which both agree; a number agrees only together with what carries it."""

    def agree(kind: str) -> bool:
        return relations.get(kind) in (Relation.EQUAL, Relation.CONTAINS)

    level = division
    for kind in ("community", "road", "poi"):
        if relations.get(kind) == Relation.EQUAL or (kind != "community" and agree(kind)):
            level = kind
    carried = level in ("road", "poi", "community")
    if relations.get("road") != Relation.DIFFERS or relations.get("poi") == Relation.EQUAL:
        if carried and relations.get("roadno") == Relation.EQUAL:
            level = "roadno"
        if level in ("roadno", "poi", "road", "community") and not _numbers_part(relations):
            for kind, named in (("village_group", "building"), ("building", "building"), ("unit", "unit"), ("room", "room")):
                if relations.get(kind) == Relation.EQUAL:
                    level = named
                elif relations.get(kind) == Relation.DIFFERS:
                    break
    return level


def _numbers_part(relations: dict[str, Relation]) -> bool:
    return Relation.DIFFERS in (relations.get("roadno"), relations.get("subpoi"))


def _conflicts(
    division: Conflict | None, relations: dict[str, Relation], texts: dict[str, tuple[str, str]]
) -> tuple[Conflict, ...]:
    """Contradictions, coarse to fine. What lies below a contradiction is another place's and not compared."""
    if division and division.element != "town":
        return (division,)
    found = [division] if division else []
    same_name = relations.get("poi") == Relation.EQUAL or relations.get("road") == Relation.EQUAL
    for kind in ("community", "road", "poi", *_NUMBERS):
        if relations.get(kind) != Relation.DIFFERS:
            continue
        if kind in ("community", "road", "poi") and same_name:
            continue
        found.append(Conflict(_CONFLICT_OF.get(kind, kind), *texts[kind]))
        break
    return tuple(found)
