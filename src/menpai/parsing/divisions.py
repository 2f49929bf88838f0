"""Read the chain of divisions: province to town and zones; in any order, repeated, contradictory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from menpai.address import Division, Element, Former
from menpai.parsing import guards
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.mentions import Mention, anchor, narrow, read, skip

# How far into a text a chain may begin, and how many names it may have.
_SEARCHED = 60
_LONGEST = 40


class Chain(NamedTuple):
    """What the text says about divisions: elements in order, the possible deepest units, where it stands."""

    elements: list[Element]
    divisions: tuple[Division, ...]
    former: tuple[Former, ...]
    start: int
    end: int


def read_chain(gazetteer: Gazetteer, text: str, breaks: Sequence[int] = ()) -> Chain:
    """The chain at the start of the text, or the first full division name soon after it."""
    start = skip(text, 0)
    mentions, codes, end = _walk(gazetteer, text, start)
    if not mentions:
        mentions, codes, end = _later(gazetteer, text, start, breaks)
    if not mentions:
        return Chain([], (), (), 0, 0)
    if not codes:
        codes = settle([m for m in mentions if m.codes])
    first = mentions[0].start
    return Chain(
        _elements(gazetteer, text, mentions, codes),
        tuple(map(gazetteer.division, codes)),
        tuple(dict.fromkeys(_former(text, mentions, codes))),
        0 if first == start else first,
        end,
    )


def settle(mentions: Sequence[Mention]) -> Codes:
    """When names contradict each other: of the deepest units those with most of the mentions behind them."""
    named = tuple(dict.fromkeys(code for m in mentions for code in m.codes))
    leaves = [c for c in named if not any(d != c and d.startswith(c) for d in named)]
    support = {c: (sum(any(c.startswith(d) for d in m.codes) for m in mentions), len(c)) for c in leaves}
    best = max(support.values(), default=None)
    return tuple(code for code, value in support.items() if value == best)


def _walk(gazetteer: Gazetteer, text: str, at: int) -> tuple[list[Mention], Codes, int]:
    """Mentions from `at` on, the units they leave possible (() after a contradiction), and the end."""
    mentions: list[Mention] = []
    context: Codes = ()
    torn = False
    end = at
    while at < len(text) and len(mentions) < _LONGEST:
        mention = read(gazetteer, text, at, mentions, context)
        if mention is None:
            break
        mentions.append(mention)
        if mention.moved:
            context = (*mention.codes, *context)
        elif mention.codes:
            agreed = narrow(context, mention.codes)
            torn = torn or not agreed
            context = agreed or mention.codes
        at = end = skip(text, mention.end)
    return mentions, () if torn else context, end


def _later(
    gazetteer: Gazetteer, text: str, start: int, breaks: Sequence[int]
) -> tuple[list[Mention], Codes, int]:
    """The first chain that begins at a break, at a bracket or with a full name close to the start."""
    for at in breaks[:4]:
        found = _walk(gazetteer, text, at)
        if found[0] and (len(found[0]) > 1 or (found[0][0].full and found[0][0].codes)):
            return found
    for at in range(start + 1, min(len(text) - 2, _SEARCHED)):
        if gazetteer.forms(text[at : at + 2]) and anchor(gazetteer, text, at):
            found = _walk(gazetteer, text, at)
            if found[0] and (at <= 4 or text[at - 1] in "()," or len(found[0]) > 1):
                return found
    return [], (), start


def _elements(gazetteer: Gazetteer, text: str, mentions: list[Mention], codes: Codes) -> list[Element]:
    """One element per unit: of repeated names the fullest, else the last."""
    kept: dict[str, tuple[Mention, str]] = {}
    for mention in mentions:
        meant = _meant(mention, codes)
        written = text[mention.start : mention.end]
        value = gazetteer.division(meant[0]).name if len(meant) == 1 else written
        if mention.kind == "devzone":
            value = guards.zone_value(written)
        elif mention.kind == "town" and len(meant) != 1:
            value = guards.town_value(written)
        key = meant[0] if len(meant) == 1 else f"{mention.kind}:{value}"
        old = kept.get(key)
        if old is None or mention.end - mention.start >= old[0].end - old[0].start:
            kept[key] = mention, value
    chosen = sorted(kept.values(), key=lambda item: item[0].start)
    return [Element(m.kind, text[m.start : m.end], m.start, m.end, value) for m, value in chosen]


def _former(text: str, mentions: list[Mention], codes: Codes) -> Iterator[Former]:
    """The names that mean today's units by a former name only."""
    for mention in mentions:
        meant = _meant(mention, codes) if mention.past else ()
        if meant and all(code in mention.past for code in meant):
            yield Former(text[mention.start : mention.end], LEVEL[len(meant[0])], meant)


def _meant(mention: Mention, codes: Codes) -> Codes:
    """The units that a mention can still mean when the whole chain is read."""
    if len(mention.codes) < 2:
        return mention.codes
    return tuple(c for c in mention.codes if any(d.startswith(c) or c.startswith(d) for d in codes))
