"""Read the chain of divisions: province to town and zones; in any order, repeated, contradictory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from menpai.address import Division, DivisionConflict, Element, Former
from menpai.parsing import guards
from menpai.parsing.changes import former
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.hints import NO_HINTS, Hints, settle
from menpai.parsing.meaning import Mention, narrow
from menpai.parsing.mentions import anchor, read, skip
from menpai.parsing.readings import (
    PENALTIES,
    Reading,
    conflicts,
    order,
    rank,
    settled_by,
    weigh,
)  # fmt: skip

# How far into a text a chain may begin, and how many names it may have.
_SEARCHED = 60
_LONGEST = 40
_COUNTRY = "中国"
# How sure it is that a name which the tables do not have is a town or zone.
_UNLISTED = 0.8
# Digits of the codes of a kind. What has shorter ones lies in their unit: a quarter in its district, a region in Hong Kong.
_DIGITS = {kind: digits for digits, kind in LEVEL.items()} | {"devzone": 9}
# What a division may stand behind at the end of a text.
_ENDED = frozenset("号楼栋幢座室路街弄")
# The postal code before an address in Taiwan.
_POSTCODE = re.compile(r"\d{3}(?:\d{2,3})?(?!\d)\s?")
_TAIWAN = "71"


class Chain(NamedTuple):
    """What the text says about divisions: elements in order, the possible deepest units, where it stands."""

    elements: list[Element]
    divisions: tuple[Division, ...]
    former: tuple[Former, ...]
    start: int
    end: int
    penalty: float = 0.0
    conflicts: tuple[DivisionConflict, ...] = ()
    settled_by: tuple[str, ...] = ()


class Walk(NamedTuple):
    """Names that follow each other, the units that they leave possible (() if they contradict), and the end."""

    mentions: list[Mention]
    codes: Codes
    end: int


def read_chains(
    gazetteer: Gazetteer, text: str, breaks: Sequence[int] = (), hints: Hints = NO_HINTS
) -> list[Chain]:
    """The readings of the chain at the start of the text, or of the first one soon after it; cheapest first.

    Only a chain in doubt has more than one reading; a text without any division has one that is empty.
    """
    start = skip(text, 0)
    if text.startswith(_COUNTRY, start):
        start += len(_COUNTRY) if _walk(gazetteer, text, start + len(_COUNTRY)).mentions else 0
    elif text[start : start + 1].isdigit():
        start = _behind_postcode(gazetteer, text, start)
    walk = _walk(gazetteer, text, start, breaks)
    if not walk.mentions:
        walk = _later(gazetteer, text, start, breaks)
    elif _of_place(walk, text):
        later = _later(gazetteer, text, walk.end, breaks)
        walk = later if _outweighs(later, walk.codes) else walk
    if not walk.mentions:
        return [Chain([], tuple(map(gazetteer.division, hints.cities)), (), 0, 0)]
    if walk.codes or not any(m.codes for m in walk.mentions):
        readings = weigh(walk.mentions, walk.codes)
    else:
        readings = rank(walk.mentions)
    return [_chain(gazetteer, text, walk, reading, start, hints) for reading in readings]


def _of_place(walk: Walk, text: str) -> bool:
    """Whether all that is read is a name without its suffix, which may begin that of a place, and more may follow."""
    return len(walk.mentions) == 1 and not walk.mentions[0].full and text.find("市", walk.end) > 0


def _outweighs(later: Walk, codes: Codes) -> bool:
    """Whether full names further on say where the place lies, and it is elsewhere: 双清学府15号楼山东省日照市."""
    full = sum(mention.full for mention in later.mentions)
    return full > 1 and bool(later.codes) and not narrow(codes, later.codes)


def _behind_postcode(gazetteer: Gazetteer, text: str, at: int) -> int:
    """Past a postal code of Taiwan: 106台北市."""
    match = _POSTCODE.match(text, at)
    codes = _walk(gazetteer, text, match.end()).codes if match else ()
    return match.end() if match and codes and codes[0].startswith(_TAIWAN) else at


def _chain(gazetteer: Gazetteer, text: str, walk: Walk, reading: Reading, start: int, hints: Hints) -> Chain:
    """A reading as elements and values."""
    codes = reading.codes
    if len(codes) > 1:
        codes = order(gazetteer, codes, {text[m.start : m.end] for m in walk.mentions})
    penalty = reading.penalty + (PENALTIES["skipped"] if walk.mentions[0].start > start else 0.0)
    penalty += PENALTIES["misspelt"] if walk.codes and _misspelt(walk.mentions) else 0.0
    if hints is not NO_HINTS:
        homonyms = len(codes) > 1
        codes = settle(gazetteer, codes, hints)
        penalty -= PENALTIES["homonym"] if homonyms and len(codes) == 1 else 0.0
    first = walk.mentions[0].start
    past = [m for m in walk.mentions if m.past]
    return Chain(
        _elements(gazetteer, text, walk.mentions, codes),
        tuple(map(gazetteer.division, codes)),
        tuple(dict.fromkeys(_former(gazetteer, text, past, codes))) if past else (),
        0 if first == start else first,
        walk.end,
        round(penalty, 2),
        conflicts(text, reading) if reading.disagreeing else (),
        settled_by(codes) if len(codes) > 1 and not any(m.moved for m in walk.mentions) else (),
    )


def _misspelt(mentions: Sequence[Mention]) -> bool:
    """Whether a name was read past that is no city of the tables (徐洲市)."""
    return any(not m.codes and m.kind in ("province", "city") for m in mentions)


def _walk(gazetteer: Gazetteer, text: str, at: int, breaks: Sequence[int] = ()) -> Walk:
    """Names of divisions from `at` on, as many as follow each other; a zone never runs across a break."""
    mentions: list[Mention] = []
    context: Codes = ()
    torn = False
    end = at
    length = len(text)
    while at < length and len(mentions) < _LONGEST:
        mention = read(gazetteer, text, at, mentions, context)
        if (
            mention is None
            or (mentions and not context and not mention.full)
            or (breaks and mention.kind == "devzone" and _across(mention, breaks))
        ):
            break
        mentions.append(mention)
        if mention.moved:
            context = _after_move(context, mention)
        elif mention.codes:
            agreed = narrow(context, mention.codes)
            if not agreed and _in_name(gazetteer, text, mentions, context):
                mentions.pop()
                break
            torn = torn or not agreed
            context = agreed or mention.codes
        at = end = skip(text, mention.end)
    return Walk(mentions, () if torn else context, end)


def _after_move(context: Codes, mention: Mention) -> Codes:
    """What a chain can mean behind a unit that left its parent: a town is less sure than the district written."""
    if mention.left:
        return mention.past
    if len(mention.codes[0]) == 9:
        return (*context, *mention.past)
    return (*mention.past, *context)


def _in_name(gazetteer: Gazetteer, text: str, mentions: list[Mention], context: Codes) -> bool:
    """Whether the last name, which contradicts a finer one before it, begins the name of a firm, an estate or the
    like: 昆山市花桥镇上海市建工设计院, 儋州市白马井镇滨海新区滨海大道."""
    last = mentions[-1]
    finer = 6 if len(last.codes[0]) <= 4 else 9
    if max(map(len, context)) < finer or not text[last.end : last.end + 1].isalpha():
        return False
    return read(gazetteer, text, skip(text, last.end), mentions, last.codes) is None


def _across(mention: Mention, breaks: Sequence[int]) -> bool:
    return any(mention.start < at < mention.end for at in breaks)


def _later(gazetteer: Gazetteer, text: str, start: int, breaks: Sequence[int]) -> Walk:
    """The first chain that begins at a break, at a bracket, behind a word such as 在, or with a full name close
    to the start."""
    for at in breaks[:4]:
        found = _walk(gazetteer, text, at, breaks)
        if found.mentions and (
            len(found.mentions) > 1 or (found.mentions[0].full and found.mentions[0].codes)
        ):
            return found
    for at in range(start + 1, min(len(text) - 1, _SEARCHED)):
        if not gazetteer.forms(text[at : at + 2]):
            continue
        led = text[at - 1] in guards.LEADS
        if led or anchor(gazetteer, text, at):
            found = _walk(gazetteer, text, at, breaks)
            near = at <= 4 or led or text[at - 1] in "(),"
            if found.mentions and (near or len(found.mentions) > 1 or _behind(text, at, found.end)):
                return found
    return Walk([], (), start)


def _behind(text: str, at: int, end: int) -> bool:
    """Whether a name ends the text, right behind a number or a road: 文三路123号西湖区."""
    return end == len(text) and text[at - 1] in _ENDED and text[at:end] not in guards.INSIDE


def _elements(gazetteer: Gazetteer, text: str, mentions: list[Mention], codes: Codes) -> list[Element]:
    """One element per unit: of repeated names the fullest, else the last."""
    kept: dict[str, Element] = {}
    repeated = False
    for mention in mentions:
        key, element = _element(gazetteer, text, mention, codes)
        old = kept.get(key)
        if old is None:
            kept[key] = element
        elif len(element.text) >= len(old.text):
            repeated = True
            kept[key] = element
    return sorted(kept.values(), key=_start) if repeated else list(kept.values())


def _element(gazetteer: Gazetteer, text: str, mention: Mention, codes: Codes) -> tuple[str, Element]:
    """A mention as an element, and the unit or name that it stands for."""
    start, end, units, kind = mention[:4]
    written = text[start:end]
    meant = units if len(units) == 1 else _meant(mention, codes)
    if not meant:
        value = guards.zone_value(written) if kind == "devzone" else written
        value = guards.town_value(written) if kind == "town" else value
        return f"{kind}:{value}", Element(kind, written, start, end, value, "rule", _UNLISTED)
    if len(units[0]) < _DIGITS[kind]:
        value = guards.zone_value(written) if kind == "devzone" else guards.town_value(written)
        return f"{kind}:{value}", Element(kind, written, start, end, value, "gazetteer")
    kind = LEVEL[len(meant[0])]
    if kind == "district" and written.endswith(guards.TOWN_SUFFIXES) and meant[0] < "7":
        kind = "town"
    if len(meant) == 1:
        value = gazetteer.division(meant[0]).name
        return meant[0], Element(kind, written, start, end, value, "gazetteer")
    value = guards.town_value(written) if kind == "town" else written
    return f"{kind}:{value}", Element(kind, written, start, end, value, "gazetteer")


def _start(element: Element) -> int:
    return element.start


def _former(gazetteer: Gazetteer, text: str, mentions: list[Mention], codes: Codes) -> Iterator[Former]:
    """The names that mean today's units by a former name only."""
    for mention in mentions:
        meant = _meant(mention, codes)
        if meant and all(code in mention.past for code in meant):
            yield former(gazetteer, text[mention.start : mention.end], meant)


def _meant(mention: Mention, codes: Codes) -> Codes:
    """The units that a mention can still mean when the whole chain is read."""
    if len(mention.codes) < 2:
        return mention.codes
    return tuple(c for c in mention.codes if any(d.startswith(c) or c.startswith(d) for d in codes))
