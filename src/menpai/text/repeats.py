"""repeats: a part that is written twice in a row is kept once."""

from __future__ import annotations

import re

from menpai.text.edits import Edit, Sign

_LONGEST = 48
# Characters that occur again in a text that holds a repeat, a short one.
_LEAST, _LEAST_SHORT = 3, 2
_HAN = re.compile("[\u3400-\u9fff]")
# Short parts that are folded too: the municipalities, counties of one character (忠县忠县).
_SHORT = re.compile(
    "(?:(北京|上海|天津|重庆)(?=\\1(?![东西南北中]?[路街道]))|([\u3400-\u9fff]县)(?=\\2(?!城)))"
)
_MAY_BE_SHORT = Sign("北上天重县", "北京北|上海上|天津天|重庆重|县.县").finder()
# Where a word ends; a copy that begins with one of these ends with one, or it straddles two words:
# in 邯郸市武安市武安镇 the repeated 市武安 is none.
_ENDS = frozenset("省市区县旗州盟镇乡村街道路巷弄号楼栋幢座室层元户园院苑里坊城组队店厦场校")
# Where the second copy runs on into another word: 长春市长春市场, but not 滑县滑县城关镇.
OTHER_WORD = re.compile("(?<=市)(?:[场民政]|中[区心])|(?<=县)城(?![关厢郊])|(?<=区)块|(?<=[镇乡])政")
_NAME_ENDS = frozenset("镇乡村街道路巷弄县市区")


def spare(text: str) -> int:
    """How many characters only repeat others; of two equal neighbours of three characters, three at least."""
    return len(text) - len(set(text))


def repeats(text: str) -> list[Edit]:
    """Drop the first of two equal neighbours of three characters or more (some shorter ones too)."""
    repeated = spare(text)
    if repeated < _LEAST_SHORT:
        return []
    if _MAY_BE_SHORT(text) and (edits := [(m.start(), m.end(), "") for m in _SHORT.finditer(text)]):
        return edits
    if repeated < _LEAST:
        return []
    trigrams = set(zip(text, text[1:], text[2:], strict=False))
    return _long(text) if len(trigrams) < len(text) - 2 else []


def _long(text: str) -> list[Edit]:
    """The repeats of three characters or more: a trigram that stands again shows where one may be."""
    edits: list[Edit] = []
    last: dict[str, int] = {}
    free = 0
    for at in range(len(text) - 2):
        trigram = text[at : at + 3]
        start = last.get(trigram, -1)
        last[trigram] = at
        if start >= free and 3 <= at - start <= _LONGEST and _is_fold(text, start, at, 2 * at - start):
            edits.append((start, at, ""))
            free = at
    return edits


def _is_fold(text: str, start: int, middle: int, end: int) -> bool:
    """Whether text[start:middle] is repeated after it, and dropping it loses nothing."""
    if text[start:middle] != text[middle:end] or len(_HAN.findall(text, start, middle)) < 2:
        return False
    if text.count("(", start, middle) != text.count(")", start, middle):
        return False
    first, last, after = text[start], text[middle - 1], text[end : end + 1]
    if first in "、,-" or (first in _ENDS and (last not in _ENDS or "、" in text[start:middle])):
        return False
    if OTHER_WORD.match(text, end) or (after in _NAME_ENDS and last not in _ENDS):
        return False
    return not _cuts_number(text[max(start - 1, 0) : start], first, last, after)


def _cuts_number(before: str, first: str, last: str, after: str) -> bool:
    """Whether an edge of the copies stands inside a number or a word of letters."""
    return _fuses(before, first) or _fuses(last, after) or _fuses(last, first)


def _fuses(left: str, right: str) -> bool:
    return bool(left and right) and (left + right).isascii() and (left + right).isalnum()
