"""Cut the open name into town, community, village, road, crossing and place."""

from __future__ import annotations

import re

from menpai.address import Element
from menpai.parsing import patterns, values
from menpai.parsing.draft import Draft

_ESTATE_VILLAGE = re.compile(r"(?:新|[一二三四五六七八九十])村$")
_CUTS = (
    (patterns.GROUP_NUMBER, "village_group"),
    (patterns.WING, "building"),
    (patterns.ENTRANCE, "unit"),
    (patterns.SIDE, "room"),
    (patterns.SUBPLACE, "subpoi"),
)
_DIRECTIONS = frozenset("东西南北中")


def cut(draft: Draft, end: int) -> None:
    """Add the elements of the open name text[begin:end]; afterwards nothing is open before `end`."""
    text, at, stop = draft.text, draft.begin, end
    while at < stop and text[stop - 1] == " ":
        stop -= 1
    while at < stop and text[at] == " ":
        at += 1
    _pieces(draft, at, stop)
    draft.begin = max(draft.begin, end)


def _pieces(draft: Draft, at: int, end: int) -> None:
    near = patterns.NEAR.match(draft.text, at, end) if draft.out and at == draft.word else None
    if near:
        draft.add("assist", at, near.end(), near[0])
        at = near.end()
    while at < end:
        at = _after_road(draft, at, end)
        if at >= end:
            break
        match = patterns.NAME.match(draft.text, at, end)
        if match is None:
            _place(draft, at, end)
            break
        _named(draft, match.lastgroup or "", at, match.end())
        at = match.end()


def _named(draft: Draft, kind: str, at: int, stop: int) -> None:
    """A name with the suffix of its kind."""
    written = draft.text[at:stop]
    if kind == "road":
        draft.add("road", at, stop, values.road(written))
    elif kind == "community":
        draft.add("community", at, stop, values.community(written))
    elif kind == "village":
        _add_place(draft, at, stop)
    else:
        draft.add("town", at, stop, written)


def _after_road(draft: Draft, at: int, end: int) -> int:
    """Past 交叉口, 旁 and 与 behind a road."""
    if draft.last != "road":
        return at
    match = patterns.CROSSING.match(draft.text, at, end)
    if match:
        roads = [e.value for e in draft.out[-4:] if e.kind == "road"]
        draft.add("intersection", at, match.end(), ",".join(sorted(roads[-2:])))
        return match.end()
    match = patterns.BESIDE.match(draft.text, at, end)
    if match:
        draft.add("assist", at, match.end(), match[0])
        return match.end()
    match = patterns.JOIN.match(draft.text, at, end)
    following = match and patterns.NAME.match(draft.text, match.end(), end)
    return match.end() if match and following and following["road"] else at


def _place(draft: Draft, at: int, end: int) -> None:
    """The named remainder: estate or other place, with its zone, wing, entrance or assist cut off."""
    text = draft.text
    tail = patterns.TRAILING.search(text, at, end)
    stop = tail.start() if tail else end
    if stop == at or (end - at == 1 and text[at] in _DIRECTIONS):
        draft.add("assist", at, end, text[at:end])
        return
    if draft.last in ("poi", "community", "town") and patterns.GROUP.fullmatch(text, at, stop):
        draft.add("village_group", at, stop, values.group(text[at:stop]))
    else:
        _cut_place(draft, at, stop)
    if stop < end:
        draft.add("assist", stop, end, text[stop:end])


def _cut_place(draft: Draft, at: int, stop: int) -> None:
    """A place and the part of it that its tail names."""
    for pattern, kind in _CUTS:
        found = pattern.search(draft.text, at, stop)
        if found and (found.start() >= at + 2 or (found.start() == at and draft.out)):
            if found.start() > at:
                _cut_place(draft, at, found.start())
            draft.add(kind, found.start(), stop, _part(kind, draft.text[found.start() : stop]))
            return
    _add_place(draft, at, stop)


def _add_place(draft: Draft, at: int, stop: int) -> None:
    """A place; a village straight before it was only its parent and becomes a community."""
    if draft.last == "poi" and draft.out[-1].end == at:
        village = draft.out[-1]
        if village.text.endswith("村") and not _ESTATE_VILLAGE.search(village.text):
            draft.out[-1] = Element("community", village.text, village.start, village.end, village.value)
    draft.add("poi", at, stop, values.place(draft.text[at:stop]))


def _part(kind: str, text: str) -> str:
    """The value of a wing, entrance or zone: 西楼 → 西, 东单元 → 东, 三期 → 3期."""
    if kind == "village_group":
        return values.group(text)
    if kind != "subpoi":
        for tail in ("单元", "楼", "座", "户"):
            if text.endswith(tail) and len(text) > len(tail):
                return values.digits(text.removesuffix(tail))
    return values.digits(text).replace("大门", "门")
