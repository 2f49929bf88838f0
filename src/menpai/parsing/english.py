"""Read a detail that is written in English: FLAT H, 18/F, BLOCK 3, 8 KING TUNG STREET."""

from __future__ import annotations

import re

from menpai.parsing.draft import Draft
from menpai.text.edits import compiled

_FOREIGN = re.compile(r"[^\x00-\x7f]")
_WORDS = re.compile(r"[A-Z]{3,}[ .,]|[A-Z]{4,}$")
_NUMBER = r"[A-Z]?\d{1,5}[A-Z]?(?:-[A-Z]?\d{1,5}[A-Z]?)?"
_ROADS = "ROAD|RD|STREET|ST|AVENUE|AVE|LANE|LN|DRIVE|DR|PATH|HIGHWAY|BOULEVARD|BLVD|LU|JIE|DADAO|DAJIE|XIANG|HUTONG"
# Each is bounded: at most five words, at most five digits.
_PARTS = (
    rf"(?P<room>\b(?:ROOM|RM|FLAT|SUITE|STE|APARTMENT|APT|SHOP)\.?[ ,]?(?:NO[., ]{{1,2}})?"
    rf"(?P<room_no>{_NUMBER}|[A-Z]{{1,2}}\b))"
    rf"|(?P<floor>\b(?P<floor_no>\d{{1,3}}|[GB]|[LU]G|B\d)/F\b|\b(?:FLOOR|LEVEL) (?P<level>\d{{1,3}})\b|"
    r"\b(?P<ordinal>\d{1,3})(?:ST|ND|RD|TH)? ?(?:FLOOR|FL|F)\b)"
    r"|(?P<building>\b(?:BLOCK|BLK|BUILDING|BLDG|TOWER|TWR)\.?[ ,]?(?:NO[., ]{1,2})?"
    r"(?P<building_no>[A-Z]?\d{1,3}[A-Z]?\b|[A-Z]\b))"
    r"|(?P<unit>\bUNIT[ ,]?(?P<unit_no>[A-Z]?\d{1,4}[A-Z]?\b|[A-Z]\b))"
    rf"|(?P<lane>\bLANE (?P<lane_no>\d{{1,5}})\b)"
    rf"|(?:\bNO[., ]{{1,2}})?(?P<house>\b{_NUMBER}\b(?=[ ,][A-Z]))"
    rf"|(?P<road>\b[A-Z'’]{{2,12}}(?: [A-Z'’.]{{1,12}}){{0,3}} (?:{_ROADS})\b(?: [NSEW]\b)?)"
    r"|(?P<postcode>\b\d{6}\b)"
)
_LANE = re.compile(r"[ ,]{1,2}LANE \d")
_VALUES = ("room_no", "floor_no", "level", "ordinal", "building_no", "unit_no", "lane_no", "house")
_KINDS = {"house": "roadno", "lane": "roadno", "postcode": "assist"}
_SHORTEST = 5
_SIGNS = " ,.;:/()-"


def is_english(text: str, at: int, end: int) -> bool:
    """Whether text[at:end] has English words and no Chinese ones."""
    if end - at <= _SHORTEST or text[at] > "\x7f" or _FOREIGN.search(text, at, end):
        return False
    return _WORDS.search(text, at, end) is not None


def read(draft: Draft) -> None:
    """The elements of a detail in English; what has no word of its own is a place."""
    text = draft.text
    for match in compiled(_PARTS).finditer(text, draft.begin, draft.end):
        kind = next(name for name in ("room", "floor", "building", "unit", "lane", "house", "road", "postcode")
                    if match[name])  # fmt: skip
        value = next((match[name] for name in _VALUES if match[name]), match[kind])
        _places(draft, match.start())
        if kind == "house" and _LANE.match(text, match.end()):
            kind = "building"
        draft.add(
            _KINDS.get(kind, kind),
            *match.span("house" if match["house"] else kind),
            value + ("弄" if kind == "lane" else ""),
        )
    _places(draft, draft.end)


def _places(draft: Draft, end: int) -> None:
    """The places between two elements, parted by commas."""
    at = draft.begin
    for piece in draft.text[at:end].split(","):
        start, stop = at, at + len(piece)
        at = stop + 1
        while start < stop and draft.text[start] in _SIGNS:
            start += 1
        while start < stop and draft.text[stop - 1] in _SIGNS:
            stop -= 1
        if stop - start > 1:
            draft.add("poi", start, stop, draft.text[start:stop], "place")
    draft.begin = end
