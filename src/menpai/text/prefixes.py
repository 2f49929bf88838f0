"""repeats, second half: a chain of divisions written twice in other words: 江西南昌市…江西省南昌市…."""

from __future__ import annotations

import re

from menpai.text.clutter import PROVINCES
from menpai.text.edits import Edit
from menpai.text.repeats import OTHER_WORD, spare

_FARTHEST = 48
_LEAST = 4
_PROVINCE = re.compile(f"(?:{PROVINCES})(?:省|市|古)?")
# 江苏江苏省, 内蒙内蒙古; but 吉林吉林市 is a city in its province.
_TWICE = re.compile(f"({PROVINCES})(?=\\1(?:省|古|(?:壮族|回族|维吾尔)?自治区))")
_UNIT = re.compile("[省市区县旗州]")
# What one writing may have and the other not.
_OPTIONAL = re.compile("特别行政区|(?:壮族|回族|维吾尔)?自治区|地区|[省市古]")
_LAST = frozenset("区县市旗镇乡道")


def prefixes(text: str) -> list[Edit]:
    """Of several writings of one chain that follow each other near the start all but the longest go."""
    repeated = spare(text)
    if repeated < 2:
        return []
    if match := _TWICE.match(text):
        return [(0, match.end(), "")]
    if repeated < _LEAST:
        return []
    for start in _starts(text):
        second = _again(text, start, start + 2)
        while second > 0:
            if edits := _folds(text, start, second):
                return edits
            second = _again(text, start, second + 1)
    return []


def _starts(text: str) -> list[int]:
    """Where a chain may begin: at the start, after the province, after the first unit."""
    province, unit = _PROVINCE.match(text), _UNIT.search(text, 2, 14)
    return [0, *(match.end() for match in (province, unit) if match)]


def _again(text: str, start: int, least: int) -> int:
    """Where the two characters at `start` stand again, not before `least` and close enough; else -1."""
    return text.find(text[start : start + 2], least, start + _FARTHEST) if start + 2 < len(text) else -1


def _folds(text: str, start: int, second: int) -> list[Edit]:
    """The writings to drop, if what begins at `second` says the same as text[start:second]."""
    edits: list[Edit] = []
    kept, at = (start, second), second
    while (end := _same(text, *kept, at)) is not None:
        longer = end - at >= kept[1] - kept[0]
        edits.append((*kept, "") if longer else (at, end, ""))
        kept, at = ((at, end) if longer else kept), end
    return sorted(edits)


def _same(text: str, at: int, stop: int, other: int) -> int | None:
    """Where the writing that begins at `other` ends, if it says the same as text[at:stop]."""
    equal = 0
    while at < stop:
        if text[at : at + 1] == text[other : other + 1]:
            at, other, equal = at + 1, other + 1, equal + 1
            continue
        here, there = _OPTIONAL.match(text, at, stop), _OPTIONAL.match(text, other)
        if bool(here) == bool(there):
            return None
        at, other = (here.end() if here else at), (there.end() if there else other)
    last = text[other - 1]
    whole = last in _LAST and last == text[stop - 1] and OTHER_WORD.match(text, other) is None
    return other if equal >= _LEAST and whole else None
