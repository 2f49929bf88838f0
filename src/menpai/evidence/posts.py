"""Posts on a highway stand for house numbers: K1212, 1212公里处 and 1212KM of G316 are one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from menpai.address import Element

_HIGHWAY = re.compile("[GSXY][0-9]{1,4}|.*高速")
_POST = re.compile(r"K?([0-9]{1,4})(?:公里|KM|(?<=K[0-9])|(?<=K[0-9]{2})|(?<=K[0-9]{3})|(?<=K[0-9]{4}))")
_REST = re.compile(r"\+?([0-9]{1,4})(?:米|M)?处?")
_BEARERS = frozenset(("distance", "roadno", "building", "room"))


def with_posts(elements: Sequence[Element]) -> Sequence[Element]:
    """The elements, with posts on a highway as its house numbers; the same object where there are none."""
    if not any(e.kind == "road" and _HIGHWAY.fullmatch(e.value) for e in elements):
        return elements
    return [_as_number(e) if e.kind in _BEARERS else e for e in elements]


def _as_number(element: Element) -> Element:
    """K1212 or K1212+300 as a house number; other elements as they are."""
    text = element.text.removesuffix("处")
    match = _POST.match(text)
    if match is None:
        return element
    more = _REST.fullmatch(text, match.end())
    if match.end() < len(text) and more is None:
        return element
    metres = f"+{more[1]}" if more else ""
    return element._replace(kind="roadno", value=f"K{match[1]}{metres}")
