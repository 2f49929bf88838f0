"""Where two readings part: elements that contradict each other, and those that one side has alone."""

from __future__ import annotations

from collections.abc import Sequence

from menpai.address import Address, Element
from menpai.verdict import Conflict

DIFFERS, ALONE = "differs", "alone"
# A contradiction may be named after the level of an element: a phase counts as building, a floor as room.
_NAMED_AFTER = {"subpoi": "building", "village_group": "building", "floor": "room"}


def marks_of(
    a: Address, b: Address, conflicts: Sequence[Conflict]
) -> tuple[dict[Element, str], dict[Element, str]]:
    """The elements of either side that differ, or that the other side lacks."""
    return (
        _marks(a, b, [(conflict.element, conflict.a) for conflict in conflicts]),
        _marks(b, a, [(conflict.element, conflict.b) for conflict in conflicts]),
    )


def _marks(mine: Address, theirs: Address, conflicts: Sequence[tuple[str, str]]) -> dict[Element, str]:
    values = {element.value for element in theirs.elements}
    found = {}
    for element in mine.elements:
        if any(_is_in(element, kind, text) for kind, text in conflicts):
            found[element] = DIFFERS
        elif element.value not in values:
            found[element] = ALONE
    return found


def _is_in(element: Element, kind: str, text: str) -> bool:
    same = kind in (element.kind, _NAMED_AFTER.get(element.kind))
    return same and (element.text in text or text in element.text)
