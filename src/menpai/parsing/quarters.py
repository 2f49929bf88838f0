"""Quarters and regions of Hong Kong and Macau: 旺角 lies in 油尖旺区, 新界 stands before a district."""

from __future__ import annotations

import re
from functools import cache

from menpai.parsing.gazetteer import Codes, Gazetteer
from menpai.parsing.meaning import Mention, agreed_codes
from menpai.parsing.tables import read_lines

_PROVINCES = ("81", "82")
# Names that hold that of their province: they need nothing before or behind them.
_OWN = frozenset(("香港岛", "香港仔", "澳门半岛"))
# What makes the name of a quarter a road, an estate or a firm: 北角道, 旺角中心, 九龙仓.
_GOES_ON = re.compile(
    r"[东西南北中正新旧上下]{0,2}[一二三四五六七八九十]{0,3}(?:[路街道里径站仓庙]|大道|公路|大马路|隧道|码头|广场|中心|[村邨]|"
    r"花园(?!道)|城(?!市)|公园|医院|酒店|大厦|[中小大]学|体育|巴士|乡议)"
)


def quarter(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Mention | None:
    """The quarter or region that is named at this place; one that lies in another district than the written one
    has no codes (boundaries run through quarters)."""
    names = _names().get(text[at : at + 2])
    if names is None or (context and context[0][:2] not in _PROVINCES):
        return None
    name, code = next((item for item in names if text.startswith(item[0], at)), ("", ""))
    end = at + len(name)
    if not name or _GOES_ON.match(text, end) or _division(gazetteer, text, at, code, len(name) + 1):
        return None
    region = code in _PROVINCES
    if not context and name not in _OWN and not (region and _within(gazetteer, text, end, code)):
        return None
    return Mention(at, end, agreed_codes((code,), context), "city" if region else "town", full=region)


def _division(gazetteer: Gazetteer, text: str, at: int, code: str, shortest: int) -> bool:
    """Whether a name of a district there that is at least so long stands here (九龙城区, not 九龙)."""
    return any(
        form.length >= shortest and any(c.startswith(code[:2]) for c in (*form.full, *form.short))
        for form in gazetteer.written(text, at)
    )


def _within(gazetteer: Gazetteer, text: str, at: int, region: str) -> bool:
    """Whether a quarter or district of the region's province follows."""
    quarters = _names().get(text[at : at + 2], ())
    return any(text.startswith(name, at) and code.startswith(region) for name, code in quarters) or _division(
        gazetteer, text, at, region, 2
    )


@cache
def _names() -> dict[str, tuple[tuple[str, str], ...]]:
    """First two characters → (name, code), longest names first."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    rows = (line.split("\t") for line in read_lines("quarters.tsv"))
    for name, code in sorted(rows, key=lambda row: -len(row[0])):
        found[name[:2]] = (*found.get(name[:2], ()), (name, code))
    return found
