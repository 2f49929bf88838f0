"""Cut the open name into town, community, village, road, crossing and place."""

from __future__ import annotations

import re

from menpai.parsing import name_patterns as patterns
from menpai.parsing import values
from menpai.parsing.draft import Draft
from menpai.parsing.patterns import is_estate

_ESTATE_VILLAGE = re.compile(r"(?:新|[一二三四五六七八九十])村$")
# By the last character of a place: the patterns that may cut its tail off, and the kind of that tail.
_CUTS: dict[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    char: tuple((pattern, kind) for ends, pattern, kind in (
        ("组社队连", patterns.GROUP_NUMBER, "village_group"),
        ("楼座栋幢", patterns.WING, "building"),
        ("楼层", patterns.STOREY, "floor"),
        ("元", patterns.ENTRANCE, "unit"),
        ("户", patterns.SIDE, "room"),
        ("委", patterns.WARD, "subpoi"),
        ("区期院门苑团园里", patterns.SUBPLACE, "subpoi"),
        ("市面头脸铺房部", patterns.SHOPFRONT, "assist"),
    ) if char in ends)
    for char in "组社队连楼层座栋幢元户区期院门苑团园里市面头脸铺房部委"
}  # fmt: skip
_DIRECTIONS = frozenset("东西南北中")
_TRAILS = frozenset("旁内面对套层")
# How 近石门一路, 靠近.., 临.. and 内 begin; behind which 内 is no name (1号院|内平房), and how names begin with it.
_NEARS = frozenset("近靠临邻毗紧挨内")
_YARDS = ("院", "号楼", "栋", "幢")
_OF_NAME = frozenset("蒙江丘黄乡环")
_SHORTEST_NEAR = 3
# What a number alone shows: 三连, 五委.
_ALONE = (patterns.GROUP_NUMBER, patterns.WARD)
_GROUPED = ("poi", "community", "town")
# 5街 between the stalls of a market.
_AISLE = re.compile(r"\d{1,3}街")
# How much of a name is looked at for its tail, and how many parts are cut off it.
_TAIL = 24
_MOST_PARTS = 4
_SHORTEST_GLUED = 5


def cut(draft: Draft, end: int) -> None:
    """Add the elements of the open name text[begin:end]; afterwards nothing is open before `end`."""
    text, at, stop = draft.text, draft.begin, end
    if at >= end:
        return
    while at < stop and text[stop - 1] == " ":
        stop -= 1
    while at < stop and text[at] == " ":
        at += 1
    if at < stop:
        _pieces(draft, at, stop)
    draft.begin = end


def _pieces(draft: Draft, at: int, end: int) -> None:
    """The elements of text[at:end], a name that is not empty."""
    text = draft.text
    at = _scope(draft, at, end)
    while at < end:
        at = _near_road(draft, _after_road(draft, at, end), end)
        if at >= end:
            break
        match = draft.names.match(text, at, end) if patterns.SUFFIXED.search(text, at, end) else None
        if match is None:
            _places(draft, at, end)
            break
        _named(draft, match.lastgroup or "", at, match.end())
        at = match.end()


def _scope(draft: Draft, at: int, end: int) -> int:
    """Past 城区 and 靠近 at the start of a word."""
    if at != draft.word:
        return at
    match = patterns.NEAR.match(draft.text, at, end) if draft.out or draft.text[at] in "距靠" else None
    if match is None and draft.text[at] in "县城市全其镇":
        match = patterns.SCOPE.match(draft.text, at, end)
    if match is None:
        return at
    draft.add("assist", at, match.end(), match[0], "sign")
    return match.end()


def _named(draft: Draft, kind: str, at: int, stop: int) -> None:
    """A name with the suffix of its kind."""
    written = draft.text[at:stop]
    if kind == "road":
        _road(draft, at, stop)
    elif kind == "community":
        draft.add("community", at, stop, values.community(written), "suffix")
    elif kind == "village":
        _add_place(draft, _glued(draft, at, stop), stop, "suffix")
    else:
        draft.add("town", at, stop, written, "suffix")


def _road(draft: Draft, at: int, stop: int) -> None:
    """A road, without the place that stands glued before it: 黑马市场|半边街."""
    text = draft.text
    if text.startswith("中国", at) and stop - at >= 5:
        draft.add("assist", at, at + 2, "中国", "sign")
        at += 2
    at = _glued(draft, at, stop)
    if _AISLE.fullmatch(text, at, stop) and draft.in_market:
        draft.add("subpoi", at, stop, text[at:stop], "part")
        return
    draft.add("road", at, stop, values.road(text[at:stop]), "suffix")


def _glued(draft: Draft, at: int, stop: int) -> int:
    """Past the place that stands glued before a road or village: 大港油田|花园路."""
    split = _whole(draft.text, at, stop - 1, patterns.WHOLE_BEFORE, patterns.BARE_SUFFIX)
    if split:
        _cut_place(draft, at, split)
    return split or at


def _whole(text: str, at: int, end: int, whole: re.Pattern[str], ongoing: re.Pattern[str]) -> int:
    """Where a place ends before a name of its own: 世茂广场|星巴克, but not 阳光花园酒店; 0 if nowhere."""
    if end - at >= _SHORTEST_GLUED:
        for found in whole.finditer(text, at + 1, min(end, at + _TAIL)):
            if end - found.end() >= 2 and not ongoing.match(text, found.end(), end):
                return found.end()
    return 0


def _after_road(draft: Draft, at: int, end: int) -> int:
    """Past 交叉口, 旁 and 与 behind a road."""
    if draft.last != "road":
        return at
    match = patterns.CROSSING.match(draft.text, at, end)
    if match:
        roads = [e.value for e in draft.out[-4:] if e.kind == "road"]
        draft.add("intersection", at, match.end(), ",".join(sorted(roads[-2:])), "sign")
        return match.end()
    match = patterns.BESIDE.match(draft.text, at, end)
    if match:
        draft.add("assist", at, match.end(), match[0], "sign")
        return match.end()
    match = patterns.JOIN.match(draft.text, at, end)
    following = match and draft.names.match(draft.text, match.end(), end)
    return match.end() if match and following and following["road"] else at


def _near_road(draft: Draft, at: int, end: int) -> int:
    """Past 近石门一路 behind another element, and past 内 behind a yard."""
    if at >= end or not draft.out or draft.text[at] not in _NEARS:
        return at
    if draft.text[at] == "内":
        inside = draft.out[-1].end == at and draft.last_text.endswith(_YARDS)
        stop = at + 1 if inside and draft.text[at + 1 : at + 2] not in _OF_NAME else at
    else:
        near = patterns.NEAR_ROAD.match(draft.text, at, end)
        road = draft.names.match(draft.text, near.end(), end) if near else None
        stop = road.end() if road and road["road"] and road.end() - at > _SHORTEST_NEAR else at
        if stop > at and (join := patterns.JOIN.match(draft.text, stop, end)):
            other = draft.names.match(draft.text, join.end(), end)
            stop = other.end() if other and other["road"] else stop
        if stop > at and (crossing := patterns.CROSSING.match(draft.text, stop, end)):
            stop = crossing.end()
    if stop > at:
        draft.add("assist", at, stop, draft.text[at:stop], "sign")
    return stop


def _places(draft: Draft, at: int, end: int) -> None:
    """The named remainder: one place, or several written together."""
    for _ in range(_MOST_PARTS):
        split = _whole(draft.text, at, end, patterns.WHOLE, patterns.ONGOING)
        if not split:
            break
        _cut_place(draft, at, split)
        at = split
    _place(draft, at, end)


def _place(draft: Draft, at: int, end: int) -> None:
    """Estate or other place, with its zone, wing, entrance or assist cut off."""
    text = draft.text
    tail = patterns.TRAILING.search(text, max(at, end - 2), end) if text[end - 1] in _TRAILS else None
    stop = tail.start() if tail else end
    written = text[at:end]
    if draft.out and written in patterns.EMPTY:
        return
    left_over = draft.out and (
        written in patterns.LEFT_OVER
        or (stop - at == 2 and draft.last_text[-1] in "村庄屯" and patterns.END_OF_VILLAGE.match(written))
    )
    if stop == at or written in _DIRECTIONS or left_over:
        draft.add("assist", at, end, written, "sign")
        return
    if text[stop - 1] == "组" and _in_village(draft, at, stop) and patterns.GROUP.fullmatch(text, at, stop):
        draft.add("village_group", at, stop, values.group(text[at:stop]), "suffix")
    elif (
        text[stop - 1] == "委"
        and patterns.COMMITTEE.fullmatch(text, at, stop)
        and text[stop : stop + 1].isdigit()
    ):
        draft.add("community", at, stop, text[at : stop - 1], "suffix")
    else:
        _cut_place(draft, at, stop)
    if stop < end:
        draft.add("assist", stop, end, text[stop:end], "sign")


def _in_village(draft: Draft, at: int, stop: int) -> bool:
    """Whether a group may begin here: behind a village or town, also one of the gazetteer."""
    if draft.out:
        return draft.last in _GROUPED
    behind_town = at > 0 and draft.text[at - 1] in "乡镇场团"
    return behind_town and patterns.GROUP_NUMBER.search(draft.text, at, stop) is None


def _cut_place(draft: Draft, at: int, stop: int) -> None:
    """A place and the parts of it that its tail names."""
    if draft.text[stop - 1] not in _CUTS:
        _add_place(draft, at, stop)
        return
    parts: list[tuple[str, int, int]] = []
    while len(parts) < _MOST_PARTS and (found := _tail(draft, at, stop)):
        kind, start = found
        parts.append((kind, start, stop))
        stop = start
    if at < stop:
        _add_place(draft, at, stop)
    for kind, start, end in reversed(parts):
        draft.add(kind, start, end, _part(kind, draft.text[start:end]), "part")


def _tail(draft: Draft, at: int, stop: int) -> tuple[str, int] | None:
    """The kind and start of the part that ends the place text[at:stop]."""
    if at >= stop:
        return None
    for pattern, kind in _CUTS.get(draft.text[stop - 1], ()):
        found = pattern.search(draft.text, max(at, stop - _TAIL), stop)
        if found and (found.start() >= at + 2 or (found.start() == at and (draft.out or pattern in _ALONE))):
            return kind, found.start()
    return None


def _add_place(draft: Draft, at: int, stop: int, how: str = "") -> None:
    """A place; a village straight before it was only its parent and becomes a community."""
    written = draft.text[at:stop]
    if draft.last == "poi" and draft.out[-1].end == at:
        village = draft.out[-1]
        if village.text.endswith("村") and not _ESTATE_VILLAGE.search(village.text):
            draft.out[-1] = village._replace(kind="community")
    how = how or ("estate" if is_estate(written) else "place")
    draft.add("poi", at, stop, values.place(written), how)


def _part(kind: str, text: str) -> str:
    """The value of a wing, entrance or zone: 西楼 → 西, 东单元 → 东, 三期 → 3期."""
    if kind == "village_group":
        return values.group(text)
    if kind == "assist":
        return text
    if kind == "floor":
        return values.digits(text[:-1])
    if kind != "subpoi":
        for tail in ("单元", "楼", "座", "栋", "幢", "户"):
            if text.endswith(tail) and len(text) > len(tail):
                return values.digits(text.removesuffix(tail))
    return values.digits(text).replace("大门", "门")
