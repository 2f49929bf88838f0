"""Read what follows the divisions: community, village, road, numbers, estate, building, unit, floor, room."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from menpai.address import Element
from menpai.parsing import english, names, numbers, patterns
from menpai.parsing.draft import PLACES, Draft

_LONGEST_REMARK = 80


def read_detail(text: str, at: int, end: int, breaks: Sequence[int] = ()) -> list[Element]:
    """The elements of text[at:end] in order; a name never runs across one of the breaks."""
    draft = Draft(text, at, end)
    if english.is_english(text, at, end):
        english.read(draft)
        return draft.out
    for stop in (*(b for b in breaks if at < b < end), end) if breaks else (end,):
        draft.word, draft.end = draft.begin, stop
        for match in patterns.TOKEN.finditer(text, draft.begin, stop):
            if match.start() >= draft.begin:
                _READERS[match.lastgroup or ""](draft, match)
        names.cut(draft, stop)
    return draft.out


def _separator(draft: Draft, match: re.Match[str]) -> None:
    """Ends the open name, unless it is the space inside an English one or the dot of 保利·香槟国际."""
    start, end = match.span()
    words = draft.text[start - 1 : start] + draft.text[end : end + 1]
    if match[0] == "·" and len(words) == 2 and words.isalpha() and draft.begin < start:
        return
    if match[0] == " " and draft.begin < start and len(words) == 2 and words.isascii() and words.isalpha():
        return
    names.cut(draft, start)
    draft.begin = draft.word = end


def _assist(draft: Draft, match: re.Match[str]) -> None:
    """对面, 旁边, 门口; but 河门口 is a name, 北角 at the start a place, and 学院|路西 a road and its side."""
    start, end = match.span()
    written = match[0]
    if written == "门口" and start - draft.begin == 1:
        return
    if written[0] == "路" and not patterns.BESIDE_ROAD.search(draft.text, max(draft.word, start - 6), start):
        return
    corner = written[-1] == "角" and len(written) == 2 and draft.begin == start and not draft.out
    if corner and not _is_road(draft, end):
        return
    names.cut(draft, start)
    if corner:
        draft.add("poi", start, end, written, "place")
    else:
        draft.add("assist", start, end, written, "sign")


def _is_road(draft: Draft, at: int) -> bool:
    """Whether a road's name begins here."""
    name = draft.names.match(draft.text, at, draft.end)
    return name is not None and name["road"] is not None


def _bracket(draft: Draft, match: re.Match[str]) -> None:
    """A remark: part of a firm's name, a branch (南山校区), something to read on, or an assist."""
    text, start = draft.text, match.start()
    close = draft.closing(start, _LONGEST_REMARK)
    inner = text[start + 1 : close] if close > 0 else ""
    if close > 0 and draft.begin < start and _in_name(text, start, close, inner):
        return
    names.cut(draft, start)
    draft.begin = start + 1
    if close < 0:
        return
    if patterns.LETTERED.fullmatch(inner) and draft.last in PLACES:
        draft.add("subpoi", start + 1, close, inner + "区", "remark")
        draft.begin = close + 1
        return
    branch = draft.last == "poi" and patterns.BRANCH.fullmatch(inner)
    if not branch and patterns.NAMING.fullmatch(inner) and not any(e.kind == "poi" for e in draft.out[-6:]):
        return
    beside = patterns.BESIDE.search(inner)
    if branch or beside or patterns.ASIDE.match(inner) or not patterns.READABLE.search(inner):
        if inner.strip():
            draft.add("subpoi" if branch else "assist", start + 1, close, inner, "remark")
        draft.begin = close + 1


def _in_name(text: str, start: int, close: int, inner: str) -> bool:
    """Whether the bracket stands inside a firm's name: 万商天勤(成都)律师事务所."""
    if patterns.LETTERED.fullmatch(inner) or patterns.BESIDE.search(inner):
        return False
    around = text[start - 1] + text[close + 1 : close + 2]
    if len(around) < 2 or not around.isalpha() or text[start - 1] in "路街道巷号楼":
        return False
    return 1 <= len(inner) <= 4 and inner.isalpha() and not patterns.READABLE.search(inner)


def _closing(draft: Draft, match: re.Match[str]) -> None:
    """Ends the open name, unless its bracket belongs to that name."""
    start = match.start()
    if draft.text.rfind("(", draft.begin, start) < 0:
        names.cut(draft, start)
        draft.begin = start + 1


_READERS: dict[str, Callable[[Draft, re.Match[str]], None]] = {
    "post": numbers.post,
    "num": numbers.number,
    "let": numbers.letter,
    "flat": numbers.flat,
    "low": numbers.low,
    "assist": _assist,
    "open": _bracket,
    "close": _closing,
    "sep": _separator,
}
