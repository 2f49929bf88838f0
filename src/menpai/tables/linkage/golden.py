"""The golden record: the row of a cluster that stands for it, and the rule that chose it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from menpai.errors import Problem
from menpai.matcher import Matcher
from menpai.tables.linkage.records import Entity, Records

RULES = ("only", "complete", "frequent", "longest", "first")


Kinds = Sequence[int] | Mapping[int, int]
"Entity → how many kinds of elements its address has."


class Golden(NamedTuple):
    """The row, and the first rule that told it from the others of its cluster: it is the only spelling, has the most
    elements, is the most frequent, the longest, or the first in the order of the texts."""

    row: int
    rule: str


def choose(records: Records, rows: Sequence[int], kinds: Kinds) -> Golden:
    """The golden row of a cluster. Of equal rows it is the one with the first id."""
    places = records.of_row
    best, rule = best_spelling(records.entities, Counter(int(places[row]) for row in rows), kinds)
    row = min((row for row in rows if places[row] == best), key=lambda row: (records.ids[row], row))
    return Golden(row, rule)


def kinds_of(records: Records, rows: Sequence[int], matcher: Matcher) -> dict[int, int]:
    """How many kinds of elements the addresses of some rows have."""
    found = {}
    for at in {int(records.of_row[row]) for row in rows}:
        side = matcher.side(records.entities[at].address)
        found[at] = 0 if isinstance(side, Problem) else len(side.given)
    return found


def best_spelling(entities: Sequence[Entity], counts: Mapping[int, int], kinds: Kinds) -> tuple[int, str]:
    """Of the entities of a cluster, each with its number of rows, the one that stands for it, and the rule."""
    ranked = sorted(
        (_elements(entities[at], kinds[at]), count, len(entities[at].text), -at)
        for at, count in counts.items()
    )
    best = ranked[-1]
    if len(ranked) == 1:
        return -best[-1], "only"
    differs = next(at for at, (mine, other) in enumerate(zip(best, ranked[-2], strict=True)) if mine != other)
    return -best[-1], RULES[1 + differs]


def _elements(entity: Entity, kinds: int) -> int:
    """How much an entity says: kinds of elements of its address, name, phone and point."""
    return kinds + bool(entity.name) + bool(entity.phone) + (entity.point is not None)
