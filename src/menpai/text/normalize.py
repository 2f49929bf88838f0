"""The pipeline of normalize: named steps that find edits; every character keeps its offset."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import cycle

from menpai.address import Normalized
from menpai.text.characters import characters
from menpai.text.clutter import brackets, country, remarks, separators
from menpai.text.contacts import CUTTERS
from menpai.text.contacts import SIGN as CONTACT_SIGN
from menpai.text.edits import Step, apply
from menpai.text.numerals import SIGN as NUMERAL_SIGN
from menpai.text.numerals import numerals
from menpai.text.repeats import has_repeat, repeats

_FINDERS: tuple[tuple[str, Step], ...] = (
    *(("contacts", cut) for cut in CUTTERS),
    ("country", country),
    ("brackets", brackets),
    ("separators", separators),
    ("numerals", numerals),
    ("repeats", repeats),
)
STEPS: tuple[str, ...] = ("characters", *dict.fromkeys(name for name, _ in _FINDERS))
# A text without any of these (and without repeats) is left alone by every step after `characters`.
_SIGN = re.compile(rf"[ ,;:。.·!?|/\\、()]|-(?:-|$)|^-|中国|中华|{NUMERAL_SIGN}|{CONTACT_SIGN}")


def normalize(raw: str) -> Normalized:
    """The cleaned text of an address with offsets into `raw`; normalizing twice changes nothing more."""
    text: str
    offsets: Sequence[int]
    text, offsets = characters(raw)
    steps: tuple[str, ...] = ("characters",) if text != raw else ()
    if not is_clean(text):
        text, offsets, more = _clean(text, offsets)
        steps += more
    return Normalized(raw, text, tuple(offsets), remarks(text), steps)


def is_clean(text: str) -> bool:
    """Whether no step after `characters` would change the text; quick, and on the safe side."""
    return _SIGN.search(text) is None and not has_repeat(text)


def _clean(text: str, offsets: Sequence[int]) -> tuple[str, Sequence[int], tuple[str, ...]]:
    """Text and offsets after the steps, in turn until none finds anything, and the steps that did."""
    changed: set[str] = set()
    idle = 0
    for name, find in cycle(_FINDERS):
        edits = find(text)
        if edits:
            text, offsets = apply(text, offsets, edits)
            changed.add(name)
        idle = 0 if edits else idle + 1
        if idle == len(_FINDERS):
            break
    return text, offsets, tuple(name for name in STEPS if name in changed)
