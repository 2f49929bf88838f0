"""repeats: a part that is written twice in a row is kept once."""

from __future__ import annotations

import re

from menpai.text.edits import Edit

_LONGEST = 48
_HAN = re.compile("[\u3400-\u9fff]")
_SHORT = re.compile("(?:(北京|上海|天津|重庆)(?=\\1)|([\u3400-\u9fff][省市县区])(?=\\2))")
# After these a second 长春市 is the beginning of another word: 长春市长春市场.
_OTHER_WORD = {"市": "场民政中", "县": "城", "区": "块"}


def has_repeat(text: str) -> bool:
    """Whether `repeats` may find something; cheap, and never wrong when it says no."""
    trigrams = zip(text, text[1:], text[2:], strict=False)
    return len(set(trigrams)) < len(text) - 2 or _SHORT.search(text) is not None


def repeats(text: str) -> list[Edit]:
    """Drop the first of two equal neighbours of three characters or more (市, 区, 县: two)."""
    if not has_repeat(text):
        return []
    edits = [
        (m.start(), m.end(), "")
        for m in _SHORT.finditer(text)
        if not _starts_word(text, m.end(), m.end() * 2 - m.start())
    ]
    if edits:
        return edits
    last: dict[str, int] = {}
    free = 0
    for at in range(len(text) - 2):
        trigram = text[at : at + 3]
        before = last.get(trigram, -1)
        last[trigram] = at
        end = 2 * at - before
        if (
            before >= free
            and 3 <= at - before <= _LONGEST
            and text[before:at] == text[at:end]
            and _is_fold(text, before, at, end)
        ):
            edits.append((before, at, ""))
            free = at
    return edits


def _is_fold(text: str, start: int, middle: int, end: int) -> bool:
    """Whether dropping text[start:middle] loses nothing: real words, no number cut in two."""
    if len(_HAN.findall(text, start, middle)) < 2 or _starts_word(text, middle, end):
        return False
    cut_before = (
        text[start].isascii() and text[start - 1 : start].isalnum() and text[start - 1 : start].isascii()
    )
    cut_after = text[middle - 1].isascii() and text[end : end + 1].isascii() and text[end : end + 1].isalnum()
    return not (cut_before or cut_after or (text[start].isascii() and text[middle - 1].isascii()))


def _starts_word(text: str, start: int, end: int) -> bool:
    """Whether the second copy, text[start:end], runs on into another word."""
    return text[end : end + 1] in _OTHER_WORD.get(text[end - 1], "") and end < len(text)
