"""Crossings: two of them are one place if all their roads agree, and a crossing lies on each of its roads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from menpai.evidence.names import relate_names
from menpai.evidence.relation import Relation

_FINER = frozenset(("poi", "roadno", "subpoi", "building", "distance"))
Given = Mapping[str, Sequence[str]]


def relate_crossings(a: Given, b: Given) -> tuple[Relation, str, str] | None:
    """How the roads of two sides relate where a crossing is among them; None where the best road tells it.

    中山路 × 文三路 and 中山路 × 天目山路 share a road and are two places; 中山路 alone contains the first.
    """
    left, right = _crossing(a), _crossing(b)
    if left and right:
        return _two(left, right)
    if not left and not right:
        return None
    crossing, other = (left, b) if left else (right, a)
    roads = other.get("road", ())
    if not _FINER.isdisjoint(other) or not set(crossing).intersection(roads):
        return None
    texts = " × ".join(crossing), "、".join(roads)
    return Relation.CONTAINS, *(texts if left else texts[::-1])


def _crossing(given: Given) -> tuple[str, ...]:
    """The roads of the first crossing of two or more."""
    return next((tuple(road.split(",")) for road in given.get("road", ()) if "," in road), ())


def _two(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[Relation, str, str] | None:
    """Two crossings that share a road relate as their other roads do."""
    rest = [x for x in left if x not in right], [y for y in right if y not in left]
    if rest[0] == list(left) or not all(rest):
        return None
    return relate_names(*rest)
