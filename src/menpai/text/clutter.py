"""clutter: brackets in one form, the country's name, separators between parts, repeated parts."""

from __future__ import annotations

import re
from bisect import bisect

from menpai.address import Remark
from menpai.text.edits import Edit

_SEPARATOR = " ,;:。.·!?|/\\\\、-"
# Exported texts spell line ends out: \\r\\n.
_LINE_END = "[RNT](?![0-9A-Z])"
_RUN = re.compile(rf"[{_SEPARATOR}](?:(?<=\\){_LINE_END})?(?:\\{_LINE_END}|[{_SEPARATOR}])*")
_BRACKET = re.compile("[()]")
_CONTENT = re.compile(f"[^(){_SEPARATOR}]")
_UNITS = "号楼|单元|栋|幢|座|楼|层|号|室|户|弄|房"
# Order forms print the unit in brackets: 2(单元) is 2单元, and 11#楼(栋) has it twice.
_UNIT_AFTER_NUMBER = re.compile(rf"\((?<=[0-9A-Z]\()({_UNITS})\)")
# A number in brackets before a unit word: 12栋(2)单元 is 12栋2单元.
_NUMBER_BEFORE_UNIT = re.compile(
    "\\((?<![0-9A-Z(]\\()([0-9]{1,4}|[一二三四五六七八九十]{1,3})\\)(?=号|楼[0-9]|[栋幢座单层室户组队期弄])"
)
_UNIT_AFTER_UNIT = re.compile(rf"\((?<=[号楼元栋幢座层室户弄房]\()(?:{_UNITS})\)")
PROVINCES = (
    "北京|天津|河北|山西|内蒙|辽宁|吉林|黑龙江|上海|江苏|浙江|安徽|福建|江西|山东|河南|湖北|湖南|广东|广西|海南|"
    "重庆|四川|贵州|云南|西藏|陕西|甘肃|青海|宁夏|新疆|台湾|香港|澳门"
)
_COUNTRY = re.compile(
    rf"(?:^|(?<=[省市区县旗州]))[{_SEPARATOR}]{{0,4}}(?:中国|中华人民共和国)[{_SEPARATOR}]{{0,4}}(?=(?:{PROVINCES}))"
)
_NUMBER_LIKE = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ〇零一二三四五六七八九十百廿卅")


def brackets(text: str) -> list[Edit]:
    """Drop empty and unpaired brackets; take the brackets off a bare unit word and the number before one."""
    if "(" not in text and ")" not in text:
        return []
    edits = [(m.start(), m.end(), m[1]) for m in _UNIT_AFTER_NUMBER.finditer(text)]
    edits += [(m.start(), m.end(), m[1]) for m in _NUMBER_BEFORE_UNIT.finditer(text)]
    edits += [(m.start(), m.end(), "") for m in _UNIT_AFTER_UNIT.finditer(text)]
    if edits:
        return sorted(edits)
    pairs, alone = _pairs(text)
    content = [match.start() for match in _CONTENT.finditer(text)]
    edits = [(at, at + 1, ",") for at in alone]
    for start, end in pairs:
        if bisect(content, start) == bisect(content, end):
            edits += [(start, start + 1, ","), (end, end + 1, ",")]
    return sorted(edits)


def _pairs(text: str) -> tuple[list[tuple[int, int]], list[int]]:
    """Positions of the bracket pairs, and of the brackets that have no partner."""
    pairs: list[tuple[int, int]] = []
    alone: list[int] = []
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            pairs.append((opened.pop(), match.start()))
        else:
            alone.append(match.start())
    return pairs, alone + opened


def remarks(text: str) -> tuple[Remark, ...]:
    """The outermost bracketed parts of a text, brackets not counted."""
    if "(" not in text:
        return ()
    found: list[Remark] = []
    for start, end in sorted(_pairs(text)[0]):
        if not found or start > found[-1].end:
            found.append(Remark(start + 1, end, text[start + 1 : end]))
    return tuple(found)


def country(text: str) -> list[Edit]:
    """Drop 中国 before a province at the start or after a division; 中国银行 stays."""
    if "中国" not in text and "中华" not in text:
        return []
    return [(m.start(), m.end(), "") for m in _COUNTRY.finditer(text)]


def separators(text: str) -> list[Edit]:
    """Drop what separates parts, except where numbers would fuse; lists (、) and dashes stay."""
    edits: list[Edit] = []
    for match in _RUN.finditer(text):
        start, end = match.span()
        joint = _joint(match[0], text[start - 1 : start], text[end : end + 1])
        if joint != match[0]:
            edits.append((start, end, joint))
    return edits


def _joint(run: str, left: str, right: str) -> str:
    """What stands for a run of separators between two characters ("" at an edge)."""
    if left in ("", "(") or right in ("", ")"):
        return "-" if run[-1] == "-" and left in ("", "(") and right.isdecimal() else ""
    for sign in "、-":
        if sign in run:
            return sign
    if not (_is_number_like(left) and _is_number_like(right)):
        return ""
    if run in (".", "/", ",", " "):
        return run
    return " " if run.isspace() else "." if run == "·" else ","


def _is_number_like(char: str) -> bool:
    """Whether a neighbour would fuse with such a character: digits, numerals, letters of any alphabet."""
    return char in _NUMBER_LIKE or (char.isalnum() and not "\u2e80" <= char <= "\U0003ffff")
