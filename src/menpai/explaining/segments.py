"""An address as a row of parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from menpai.address import Address, Element


class Segment(NamedTuple):
    """A part of the normalized text, and the element that it is (None: nothing was read in it)."""

    text: str
    element: Element | None


def segments(address: Address) -> Iterator[Segment]:
    """The whole normalized text in parts; elements never overlap."""
    at = 0
    for element in sorted(address.elements, key=lambda e: e.start):
        if element.start > at:
            yield Segment(address.text[at : element.start], None)
        if element.end > at:
            yield Segment(address.text[max(at, element.start) : element.end], element)
        at = max(at, element.end)
    if at < len(address.text):
        yield Segment(address.text[at:], None)
