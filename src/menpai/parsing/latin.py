"""Divisions in pinyin or English: Chaoyang District, Beijing; in any order, as Latin addresses are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from menpai.address import Address, Element
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.meaning import narrow
from menpai.parsing.tables import read_table

_WORD = re.compile(r"[A-Z']+(?:-[A-Z]+)*")
_GAP = re.compile(r"[ .\-]{0,2}")
# Words that say the level of a name, with the lengths of code and the endings of the Chinese name that they allow.
_TYPES = {
    "PROVINCE": (2,), "SHENG": (2,), "MUNICIPALITY": (2, 4), "CITY": (2, 4, 6), "SHI": (2, 4, 6), "PREFECTURE": (4,),
    "ZHOU": (4,), "DISTRICT": (6,), "DIST": (6,), "QU": (6,), "COUNTY": (6,), "XIAN": (6,), "BANNER": (6,),
    "LEAGUE": (4,), "MENG": (4,), "QI": (6,),
}  # fmt: skip
_QUALIFIERS = frozenset(("AUTONOMOUS", "REGION", "SPECIAL", "ADMINISTRATIVE", "NEW", "AREA"))
_ROADS = re.compile(
    r"[ .]*(?:(?:EAST|WEST|NORTH|SOUTH|MIDDLE|DONG|XI|NAN|BEI|ZHONG)[ .]+)?"
    r"(?:\d|ROAD|RD|STREET|ST|AVENUE|AVE|LU|JIE|LANE|DADAO|DAJIE|MANSION|PLAZA|BUILDING|TOWER|COURT|GARDEN|VILLAGE|HOTEL|UNIVERSITY|BANK|HOSPITAL|CUN|JIUCUN|XINCUN|YUAN)\b"
)
# How far into a text names are looked for: no address in Latin letters is longer.
_FURTHEST = 500
_LONGEST = 5


class Mention(NamedTuple):
    """A Latin name of a division: where it stands, what it can mean, and whether its level is written too."""

    start: int
    end: int
    codes: Codes
    typed: bool


def read_latin(gazetteer: Gazetteer, address: Address) -> Address:
    """The address with the divisions that a text in Latin letters names."""
    text = address.text
    taken = [e for e in address.elements if e.kind != "poi"]
    mentions = [m for m in _mentions(text) if not any(m.start < e.end and e.start < m.end for e in taken)]
    mentions, codes = _settled(gazetteer, mentions)
    if not codes:
        return address
    kept = [e for e in address.elements if not any(m.start < e.end and e.start < m.end for m in mentions)]
    found = [_element(gazetteer, text, m, codes) for m in mentions]
    elements = sorted((*kept, *found), key=lambda element: element.start)
    return replace(address, elements=tuple(elements), divisions=tuple(map(gazetteer.division, codes)))


def end_of_chain(text: str) -> int:
    """Where the names end that begin a text and say their level: Beijing Shi Chaoyang Qu; 0 if there are none."""
    end = 0
    for mention in _mentions(text) if text.isascii() else ():
        if not mention.typed or text[end : mention.start].strip(" ,"):
            break
        end = mention.end
    return end


def latin(name: str) -> Codes:
    """The provinces, cities and counties of a Latin name: letters alone count."""
    letters = unicodedata.normalize("NFKD", name).lower()
    line = _table().get(re.sub(r"[^a-z]", "", letters), "")
    return tuple(filter(None, line.split(",")))


def _mentions(text: str) -> Iterator[Mention]:
    words = list(_WORD.finditer(text, 0, _FURTHEST))
    at = 0
    while at < len(words):
        found = _longest(text, words, at)
        if found is None:
            at += 1
            continue
        count, mention = found
        yield mention
        at += count


def _longest(text: str, words: list[re.Match[str]], at: int) -> tuple[int, Mention] | None:
    """The longest run of words from this one on that is a name, with the words that say its level."""
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        run = words[at : at + count]
        if any(not _GAP.fullmatch(text[a.end() : b.start()]) for a, b in pairwise(run)):
            continue
        codes = latin("".join(word[0] for word in run))
        if codes:
            return _with_type(text, words, at, count, codes)
    return None


def _with_type(
    text: str, words: list[re.Match[str]], at: int, count: int, codes: Codes
) -> tuple[int, Mention] | None:
    """The name as a mention if its level or its place allows it: a county only with its level or as a part of its own."""
    start, end, used = words[at].start(), words[at + count - 1].end(), count
    typed = False
    for word in words[at + count : at + count + 4]:
        if not _GAP.fullmatch(text[end : word.start()]) or word[0] not in (*_TYPES, *_QUALIFIERS):
            break
        if word[0] in _TYPES:
            codes = tuple(code for code in codes if len(code) in _TYPES[word[0]])
        typed, end, used = True, word.end(), used + 1
    alone = (start == 0 or text[start - 1] in ",(") and (end == len(text) or text[end] in ",)")
    if not typed:
        codes = codes if alone else tuple(code for code in codes if len(code) <= 4)
    road = _ROADS.match(text, end)
    return (used, Mention(start, end, codes, typed)) if codes and (typed or not road) else None


def _settled(gazetteer: Gazetteer, mentions: list[Mention]) -> tuple[list[Mention], Codes]:
    """The mentions that agree with each other, and the units that they leave possible; coarse names are believed first."""
    ordered = sorted(mentions, key=lambda m: (min(map(len, m.codes)), not m.typed))
    kept: list[Mention] = []
    codes: Codes = ()
    for mention in ordered:
        agreed = narrow(codes, tuple(code for code in mention.codes if code in gazetteer))
        if agreed:
            kept.append(mention)
            codes = agreed
    first = [code for code in codes if len(code) == min(map(len, codes))]
    alone = len(kept) == 1 and not kept[0].typed and len(first[0]) <= 4
    return sorted(kept), tuple(first) if alone else codes


def _element(gazetteer: Gazetteer, text: str, mention: Mention, codes: Codes) -> Element:
    meant = [c for c in mention.codes if any(d.startswith(c) for d in codes)]
    value = gazetteer.division(meant[0]).name
    return Element(
        LEVEL[len(meant[0])],
        text[mention.start : mention.end],
        mention.start,
        mention.end,
        value,
        "gazetteer",
    )


@cache
def _table() -> dict[str, str]:
    return read_table("latin.tsv")
