"""The pipeline of normalize: named steps that find edits; every character keeps its offset."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from menpai.address import Normalized
from menpai.errors import UsageError, near
from menpai.text.characters import characters, identity
from menpai.text.clutter import brackets, country, remarks, separators
from menpai.text.contacts import CUTTERS
from menpai.text.contacts import SIGN as CONTACT_SIGN
from menpai.text.dashes import SIGN as DASH_SIGN
from menpai.text.dashes import dashes
from menpai.text.digits import SIGN as DIGIT_SIGN
from menpai.text.digits import digits
from menpai.text.edits import Sign, Step, apply
from menpai.text.markup import SIGN as MARKUP_SIGN
from menpai.text.markup import markup
from menpai.text.notes import SIGN as NOTE_SIGN
from menpai.text.notes import notes
from menpai.text.numerals import SIGN as NUMERAL_SIGN
from menpai.text.numerals import numerals
from menpai.text.prefixes import prefixes
from menpai.text.repeats import repeats
from menpai.text.units import SIGN as UNIT_SIGN
from menpai.text.units import units

_Finders = tuple[tuple[str, Step], ...]
_FINDERS: _Finders = (
    ("markup", markup),
    *(("contacts", cut) for cut in CUTTERS),
    ("notes", notes),
    ("country", country),
    ("brackets", brackets),
    ("digits", digits),
    ("units", units),
    ("dashes", dashes),
    ("separators", separators),
    ("numerals", numerals),
    ("repeats", repeats),
    ("repeats", prefixes),
)
STEPS: tuple[str, ...] = ("characters", *dict.fromkeys(name for name, _ in _FINDERS))
_FOLDING = tuple(step for step in _FINDERS if step[0] == "repeats")
# A text without any of these is left alone by every step but `characters` and `repeats`.
_MARKS = Sign(r"\- ,;:。.·!?|/\\、()中", r"[ ,;:。.·!?|/\\、()]|-(?:-|$)|中国|中华")
_SIGNED = (
    _MARKS | MARKUP_SIGN | CONTACT_SIGN | NOTE_SIGN | DIGIT_SIGN | UNIT_SIGN | DASH_SIGN | NUMERAL_SIGN
).finder()
# Rounds over a text end when so many characters were looked at; only made-up texts need more than three.
_MOST_WORK = 60_000


class Change(NamedTuple):
    """What one step did to the text."""

    step: str
    before: str
    after: str


def normalize(raw: str, skip: Collection[str] = ()) -> Normalized:
    """The cleaned text of an address with offsets into `raw`; normalizing twice changes nothing more.

    `skip` names steps of STEPS to leave out; an unknown name raises UsageError.
    """
    text, offsets = _folded(raw, skip)
    changed = {"characters"} if text != raw else set()
    for name, new, kept in _passes(text, offsets, _finders(tuple(skip)) if skip else _FINDERS):
        text, offsets = new, kept
        changed.add(name)
    steps = tuple(name for name in STEPS if name in changed) if changed else ()
    return Normalized(raw, text, tuple(offsets), remarks(text), steps)


def changes(raw: str, skip: Collection[str] = ()) -> tuple[Change, ...]:
    """What each step did, in order; a step that found something again stands there again."""
    text, offsets = _folded(raw, skip)
    found = [Change("characters", raw, text)] if text != raw else []
    for name, new, _ in _passes(text, offsets, _finders(tuple(skip))):
        found.append(Change(name, text, new))
        text = new
    return tuple(found)


def is_plain(text: str) -> bool:
    """Whether no step but `characters` and `repeats` would change the text; quick, and on the safe side."""
    return _SIGNED(text) is None and text[:1] != "-"


def _folded(raw: str, skip: Collection[str]) -> tuple[str, Sequence[int]]:
    return (raw, identity(len(raw))) if "characters" in skip else characters(raw)


@lru_cache(maxsize=64)
def _finders(skip: tuple[str, ...]) -> _Finders:
    """The steps that are not skipped."""
    for name in skip:
        if name not in STEPS:
            raise UsageError("step_unknown", step=name, known=", ".join(STEPS), **near(name, STEPS))
    return tuple((name, find) for name, find in _FINDERS if name not in skip)


def _passes(text: str, offsets: Sequence[int], finders: _Finders) -> Iterator[tuple[str, str, Sequence[int]]]:
    """Name, text and offsets after each step that changes something, in turn until none finds anything."""
    folding = _FOLDING if finders is _FINDERS else tuple(step for step in finders if step in _FOLDING)
    idle = work = 0
    while work < _MOST_WORK:
        run = folding if is_plain(text) else finders
        if idle >= len(run):
            return
        work += len(text)
        for name, find in run:
            idle += 1
            if edits := find(text):
                idle = 0
                text, offsets = apply(text, offsets, edits)
                yield name, text, offsets
            elif idle >= len(run):
                return
