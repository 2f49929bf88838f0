"""Marks: what of a spelling keeps it out of a cluster, whatever chain of likenesses leads there."""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

from menpai.evidence import Side
from menpai.evidence.divisions import common_division
from menpai.evidence.numbers import relate_numbers
from menpai.evidence.relation import Relation
from menpai.evidence.side import Divided
from menpai.parsing.villages import code_of_village

_KINDS = ("roadno", "subpoi", "village_group", "building", "unit", "room")
_NUMBER = re.compile(r"[0-9]+|(?<![A-Z])[A-Z](?![A-Z])")


class Mark(NamedTuple):
    """The divisions of a spelling, the numbers of each kind, all numbers and single letters behind the divisions, and the
    code of the village or community, where the official list has it in its town."""

    divided: Divided
    kinds: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]
    village: str


def mark_of(side: Side) -> Mark:
    """The mark of a reading."""
    numbers = frozenset(number.lstrip("0") for number in _NUMBER.findall(side.detail))
    return Mark(
        side.divided,
        tuple(side.given.get(kind, ()) for kind in _KINDS),
        numbers,
        code_of_village(side.address),
    )


def apart(a: Mark, b: Mark) -> bool:
    """Whether two spellings cannot be one place: other divisions above the town, another listed village, another number
    of the same kind, or each with a number that the other lacks, which holds however they were read."""
    if a.village and b.village and a.village != b.village:
        return True
    if (a.numbers - b.numbers and b.numbers - a.numbers) or any(map(_differ, a.kinds, b.kinds)):
        return True
    conflict = common_division(a.divided, b.divided).conflict
    return conflict is not None and conflict.element != "town"


def any_apart(some: frozenset[Mark], others: frozenset[Mark]) -> bool:
    """Whether any of the marks of two clusters are apart; marks that both have need no look."""
    return any(apart(a, b) for a, b in product(some, others) if a != b)


def _differ(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    return bool(a and b) and relate_numbers(a, b)[0] == Relation.DIFFERS
