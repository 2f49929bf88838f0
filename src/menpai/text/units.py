"""units: words for building, unit and floor that were mistyped beside a number: 29懂1单元, 3号搂."""

from __future__ import annotations

import re

from menpai.text.edits import Edit, Sign

_MEANT = {
    "懂": "栋",
    "戙": "栋",
    "动": "栋",
    "洞": "栋",
    "冻": "栋",
    "橦": "幢",
    "憧": "幢",
    "幛": "幢",
    "撞": "幢",
}
# Between a number and a number no place name has these; 动, 洞, 冻 and 撞 are words, so a unit must follow.
_UNITS = re.compile(
    "(?<=[0-9A-Z])(?P<building>[懂戙橦憧幛](?=[0-9A-Z单]|$)|[动洞冻撞](?=[0-9一二三四五六七八九]{0,2}单元))"
    "|(?<=[0-9一二三四五六七八九十])单(?P<unit>[园远无原员圆])(?=[0-9]|$)"
    "|(?<=[0-9]号)(?P<storey>搂)(?=[0-9一二三四五六七八九]|$)"
)
SIGN = Sign("0-9A-Z单号", "[0-9A-Z][懂戙橦憧幛动洞冻撞]|单[园远无原员圆]|号搂")
_MAY_MATCH = SIGN.finder()


def units(text: str) -> list[Edit]:
    """Edits that write the unit word that was meant."""
    if _MAY_MATCH(text) is None:
        return []
    return [(*m.span(m.lastgroup or 0), _meant(m)) for m in _UNITS.finditer(text)]


def _meant(match: re.Match[str]) -> str:
    return _MEANT[match["building"]] if match["building"] else "元" if match["unit"] else "楼"
