"""Canonical values: the form in which two elements of one kind are compared."""

from __future__ import annotations

import re

_DIGITS = {c: str(i) for i, c in enumerate("零一二三四五六七八九")} | {"两": "2", "〇": "0"}
_CHINESE = re.compile(r"[零〇一二两三四五六七八九十百]+")
_SECTION = re.compile(r"[一二三四五六七八九十]+(?=[段巷弄]$)")
_FIRST_IDEOGRAPH = "\u2e80"
_CLASS = {"国道": "G", "省道": "S", "县道": "X", "乡道": "Y"}
_HIGHWAY = re.compile(
    r"[GSXY]?(?P<number>\d{2,4})(?P<class>国道|省道|县道|乡道)|[GS]\d{1,4}(?P<name>\D+高速)(?:公路)?"
)
_LIST = re.compile(r"[、,.及和;/]+")
_RANGE = re.compile(r"[-~至到]+")
_ZEROS = re.compile(r"(?<![A-Z\d])0+(?=\d)")
_SPACE = re.compile(r"(?<![A-Z0-9]) | (?![A-Z0-9])")
_ORDINAL = re.compile(r"第(?=[一二三四五六七八九十]{1,3}工业)")
_TAIL = re.compile(r"(?:住宅小区|居民小区|小区)$")
_GROUP = re.compile(r"(?:村民小组|居民小组|村民组|居民组|小组|组|社|生产队|大队|队)$")
_COMMUNITY = re.compile(r"社区?(?:居民?委员?会)?$|居民?委员?会$")


def digits(text: str) -> str:
    """Chinese numerals as digits: 三期 → 3期, 十二 → 12."""
    return _CHINESE.sub(lambda m: number(m[0]), text)


def number(text: str) -> str:
    """A Chinese numeral below 1,000 in digits; digit by digit where no 十 or 百 stands in it."""
    if "十" not in text and "百" not in text:
        return "".join(_DIGITS[c] for c in text)
    total, current = 0, 0
    for char in text:
        if char in "十百":
            total += (current or 1) * (10 if char == "十" else 100)
            current = 0
        else:
            current = int(_DIGITS[char])
    return str(total + current)


def numbers(text: str) -> str:
    """A number, list or range in its canonical form: "2、4、6" → "2,4,6", "1至13" → "1-13", "05" → "5"."""
    if text.isdecimal():
        return text.lstrip("0") or "0"
    text = text.removeprefix("第").removeprefix("#").replace(" ", "").replace("字", "").replace("号", "")
    text = text.replace("之", "-").replace("副", "附")
    return _ZEROS.sub("", _RANGE.sub("-", _LIST.sub(",", text)))


def road(text: str) -> str:
    """The road's bare name; its sections and lanes are counted in digits: 建设路二段 → 建设路2段.

    A numbered highway is its code: G104 for 104国道 and G104国道; 京藏高速 for G6京藏高速公路.
    """
    match = _HIGHWAY.fullmatch(text) if text[:1] < _FIRST_IDEOGRAPH else None
    if match:
        return f"{_CLASS[match['class']]}{match['number']}" if match["number"] else match["name"]
    bare = text.replace(" ", "")
    if bare.endswith(("路段", "街段")):
        return bare[:-1]
    return _SECTION.sub(lambda m: number(m[0]), bare) if bare[-1:] in "段巷弄" else bare


def place(text: str) -> str:
    """A place's name without spaces and generic tail, if two characters remain: 阳光小区 → 阳光; 第三工业区 → 三工业区."""
    bare = text if text.isalnum() else _SPACE.sub("", text).replace("·", "")
    bare = _ORDINAL.sub("", bare) if "第" in bare else bare
    short = _TAIL.sub("", bare) if bare.endswith("小区") else bare
    return short if len(short) >= 2 else bare


def community(text: str) -> str:
    """引凤 for 引凤社区 and 引凤居委会; 卢家村 for 卢家村民委员会."""
    bare = text.replace(" ", "")
    for tail in ("村民委员会", "村委会", "村委"):
        if bare.endswith(tail):
            return bare.removesuffix(tail).removesuffix("村") + "村"
    return _COMMUNITY.sub("", bare) or bare


def group(text: str) -> str:
    """前进 for 前进组, 9 for 第九村民小组, 3连 for 三连."""
    bare = _GROUP.sub("", text).removeprefix("第") or text
    return digits(bare) if _CHINESE.fullmatch(bare.removesuffix("连")) else bare
