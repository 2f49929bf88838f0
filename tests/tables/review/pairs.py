"""Pairs made up for tests of a review."""

from __future__ import annotations

from menpai.tables.review.pair import Pair
from menpai.verdict import LABELS


def pair(number: int, similarity: float = 0.9, *, joined: bool | None = None, label: str = "") -> Pair:
    """A pair of its own number; its label is what its similarity says unless it is given."""
    says = label or LABELS[0 if similarity > 0.75 else 1 if similarity > 0.25 else 2]
    return Pair(
        f"文三路{number}号", f"西湖区文三路{number}号", f"l{number}", f"r{number}", says, similarity,
        says == LABELS[0] if joined is None else joined,
    )  # fmt: skip
