"""Texts in letters: full pinyin (文三路 → wensanlu), initials (wsl), and the other readings of a text."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from menpai.text.pinyin import syllables

# Characters of which both readings are heard in names of places; elsewhere only the usual one is.
_TWO_READINGS = frozenset(
    "重长厦都乐行单朝会六堡曾尉解仇盛洞蚌弄番莞泌泊圩埔涡浚阿铅绿查翟柏什峙龟吓覃句陂珲漯渑屏降塞莘卜咀提晟栎殷牟陆召圈杉禅"
    "藏盖葛谷传调还角落"
)
_MOST_READINGS = 3
# What may be left out at the end of an element: 海淀 for 海淀区, 123 for 123号.
_SUFFIX = re.compile(
    "(?:(?:维吾尔|壮族|回族)?自治区|特别行政区|(?:[土布苗侗彝傣黎瑶畲回满藏]家?族|朝鲜族|蒙古族?|哈尼族|哈萨克|柯尔克孜)*自治[州县旗]"
    "|新区|街道办事处|街道|地区|社区居委会|居委会|村委会|社区|大街|大道|公路|"
    "(?<=\\d)(?:号楼|号院|单元|号|弄|幢|栋|座|楼|室|层|房|户|组|队|期|区)|[省市区县旗盟镇乡村路街巷道])$"
)


def short_length(text: str) -> int:
    """How many characters of an element say it without its generic ending; all where too little would be left."""
    found = _SUFFIX.search(text)
    if found is None:
        return len(text)
    left = found.start()
    return left if left > 1 or (left and text[0].isdigit()) else len(text)


def sounds(text: str) -> list[str]:
    """What each character sounds like: a syllable, a letter or a digit, else nothing."""
    return [_sounds(char)[0] for char in text]


@lru_cache(8192)
def spelled(element: str) -> tuple[str, tuple[str, ...]]:
    """Initials and sounds of an element; those of a library's common elements are remembered."""
    return initials(element), tuple(sounds(element))


def initials(text: str) -> str:
    """One letter or digit for each character, `~` for what has none."""
    return "".join(_initial(char) for char in text)


def other_readings(text: str) -> list[list[str]]:
    """Readings of a text in which one character sounds as it less often does."""
    if _TWO_READINGS.isdisjoint(text):
        return []
    usual, found = sounds(text), list[list[str]]()
    for at, char in enumerate(text):
        for other in _sounds(char)[1:]:
            found.append([*usual[:at], other, *usual[at + 1 :]])
    return found[:_MOST_READINGS]


@cache
def _sounds(char: str) -> tuple[str, ...]:
    if char.isascii():
        return (char.lower() if char.isalnum() else "",)
    known = syllables(char)
    return (known if char in _TWO_READINGS else known[:1]) or ("",)


@cache
def _initial(char: str) -> str:
    return _sounds(char)[0][:1] or "~"
