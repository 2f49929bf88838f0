"""numerals: Chinese numerals become digits where they are numbers: 十八号 is 18号, 三里屯 stays."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from menpai.text.edits import Edit, Sign

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0}
_CAPITALS = dict(zip("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千", strict=True))
NUMERALS = "〇零一二三四五六七八九十百千廿卅" + "".join(_CAPITALS)
# A cardinal below 10,000: 二十三, 一百零五, 廿一.
_CARDINAL = re.compile(
    "(?:([一二三四五六七八九])千)?零?(?:([一二三四五六七八九])百)?零?"
    "(?:([一二三四五六七八九]?十|廿|卅))?([一二三四五六七八九])?"
)
_CAPITAL_TO_COMMON = str.maketrans(_CAPITALS)
# What follows the unit word in names: 三座店, 九楼村; and in names of towns: 二号桥街道, 四排赫哲族乡.
_SCENE = "村乡镇街社店塔桥山坟窑寨铺屯营庄坝沟湾团"
_TOWN = r"(?!镇|乡|村|街道|社区|桥街|渠乡|卜乡|\w{1,3}族乡|\w{0,2}[林农牧渔茶]场|种畜场|良种场)"
# Unit words by how sure they make a number.
_SURE = f"(?:号楼|单元|室|层|组|期|街坊|支弄)|(?:号|栋|幢|弄){_TOWN}"
_LIKELY = (
    f"楼(?![{_SCENE}梯])|巷(?![{_SCENE}口])|[队排区段](?![{_SCENE}]){_TOWN}|社(?!区)"
    f"|座(?=[^\u3400-\u9fff]|[{NUMERALS}楼层]|$)"
)
_INSIDE = "门(?![市诊卫])|户|梯"
_NUMBER = re.compile(
    rf"(?P<runs>[{NUMERALS}](?<![{NUMERALS}].)[{NUMERALS}]{{0,8}}(?:[、至到和,-][{NUMERALS}]{{1,9}}){{0,6}})"
    rf"(?:(?P<sure>{_SURE})|(?P<likely>{_LIKELY})|(?P<inside>{_INSIDE}))"
)
_RUN = re.compile(f"[{NUMERALS}]+")
# A room without its unit word, and what follows 附: 二单元五零一, 12号附一.
_ROOM = re.compile(
    "[〇零一二三四五六七八九十](?:(?<=[元栋幢座楼层][^十])[〇零一二三四五六七八九]{2,3}(?=$|[,) 户房])"
    "|(?<=号附.)(?<![〇零])[一二三四五六七八九十]{0,2}(?=$|[,) ]))"
)
# 两百号 is 二百号.
_PAIR = re.compile(f"两(?=[百千][{NUMERALS}]{{0,6}}(?:号|室|弄|栋|幢))")
# Roman numbers of parts; a single letter before 座 or 区 is a letter.
_ROMAN_VALUES = dict(zip("ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ", range(1, 13), strict=True))
_LETTERS = {sign: unicodedata.normalize("NFKC", sign) for sign in map(chr, range(0x2160, 0x2170))}
_LATIN = {_LETTERS[sign]: value for sign, value in _ROMAN_VALUES.items()}
_PART = "[期区座栋幢段]|号楼|单元|标段"
_ROMAN = re.compile(
    f"(?<![0-9A-ZⅠ-Ⅻ])(?P<sign>[Ⅰ-Ⅻ])(?=(?:[、至和,-][Ⅰ-Ⅻ]){{0,4}}(?:{_PART}))|(?P<signs>[Ⅰ-Ⅿ])"
    f"|(?<![0-9A-ZⅠ-Ⅻ])(?P<latin>[IVX]{{1,4}})(?=期)|(?<![0-9A-ZⅠ-Ⅻ])(?P<long>[IVX]{{2,4}})(?={_PART})"
)
_MAY_BE_ROMAN = re.compile("[Ⅰ-ⅯIVX]").search
_NOT_BEFORE = frozenset("0123456789两万亿几数多")
_HOUSE_PARTS = frozenset("楼栋幢号院座元层室0123456789")
# What a text must hold for anything here to matter; quick to search.
SIGN = Sign(
    f"{NUMERALS}Ⅰ-ⅯIVX元栋幢座楼层号",
    rf"[{NUMERALS}][号单栋幢室层弄组期街支楼队排巷区段社座门户梯]|[Ⅰ-Ⅿ]|[IVX][期区座栋幢段号单标]"
    r"|[元栋幢座楼层][〇零一二三四五六七八九]{3}|号附[一二三四五六七八九十]",
)
_MAY_MATCH = SIGN.finder()


def numerals(text: str) -> list[Edit]:
    """Edits that turn numerals before unit words, and lists of them (三、四楼), into digits."""
    if _MAY_MATCH(text) is None:
        return []
    found = _ROMAN.finditer(text) if _MAY_BE_ROMAN(text) else ()
    edits = [(m.start(), m.end(), value) for m in found if (value := _roman(m))]
    edits += [(m.start(), m.end(), value) for m in _ROOM.finditer(text) if (value := _bare(m[0]))]
    if "两" in text:
        edits += [(m.start(), m.end(), "二") for m in _PAIR.finditer(text)]
    for match in _NUMBER.finditer(text):
        if _is_name(match, text[max(match.start() - 1, 0) : match.start()]):
            continue
        runs = _RUN.finditer(text, match.start(), match.end("runs"))
        edits += [(*run.span(), value) for run in runs if (value := _value(run[0], match))]
    return sorted(edits)


def _is_name(match: re.Match[str], before: str) -> bool:
    """Whether the numerals belong to a longer number or to a name, seen from the character before."""
    if before and before in _NOT_BEFORE:
        return True
    if not before and match["likely"] in ("段", "区"):
        return True
    return bool(match["inside"]) and before not in _HOUSE_PARTS


def _roman(match: re.Match[str]) -> str:
    """The digits of a Roman number, or its letters where it counts no part; "" for letters that are none."""
    if match["signs"]:
        return _LETTERS[match["signs"]]
    value = _ROMAN_VALUES.get(match["sign"] or "") or _LATIN.get(match["latin"] or match["long"] or "", 0)
    return "" if not value or match["latin"] == "X" else str(value)


def _bare(run: str) -> str:
    """The digits of a room or an annex without unit word."""
    return _positional(run) if len(run) > 2 else _cardinal(run)


def _value(written: str, match: re.Match[str]) -> str:
    """The digits of a numeral before the unit word of a match, or "" where it is no number."""
    run = written.translate(_CAPITAL_TO_COMMON)
    if run != written and not match["sure"] and not (match["likely"] or "").startswith("楼"):
        return ""
    if any(c in "十百千廿卅" for c in run):
        return _cardinal(run)
    if len(run) == 1:
        return "" if _DIGITS[run] == 0 else str(_DIGITS[run])
    return _positional(run) if match["sure"] or (match["likely"] or "").startswith("楼") else ""


def _cardinal(run: str) -> str:
    """一百二十三 → 123; "" if the run is not one well-formed cardinal."""
    match = _CARDINAL.fullmatch(run)
    if not match:
        return ""
    thousands, hundreds, tens, ones = match.groups()
    ten = 0 if not tens else {"廿": 2, "卅": 3}.get(tens) or (1 if tens == "十" else _DIGITS[tens[0]])
    total = 1000 * _DIGITS.get(thousands or "", 0) + 100 * _DIGITS.get(hundreds or "", 0) + 10 * ten
    return str(total + _DIGITS.get(ones or "", 0))


def _positional(run: str) -> str:
    """二〇一 → 201; "" for 五六 and 一二三, which are lists, and for other short runs."""
    digits = [_DIGITS[c] for c in run]
    if len(run) == 2 or all(b == a + 1 for a, b in pairwise(digits)):
        return ""
    return "".join(map(str, digits))
