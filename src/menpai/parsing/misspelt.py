"""Misspelt units that stand before a name which is right: they are read past, and offered as typos later."""

from __future__ import annotations

import re

from menpai.parsing import guards
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.meaning import Mention, agreed_codes
from menpai.parsing.nearby_names import names_of, units_below

_SHORTEST, _LONGEST = 2, 5
# A district that begins behind a name of this length ends there.
_DISTRICT = re.compile("[区县市旗]")
_HAN = re.compile("[\u4e00-\u9fff]+")
# 永辉超市, 农贸城市 and the like are no cities.
_NO_CITY = re.compile("[超门夜菜花早集股楼都城米黑]市$")


def misspelt_city(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Mention | None:
    """A city one slip away in front of a district that it has: 徐洲市泉山区, 沉阳铁西区.

    Behind a province any unknown 市 counts, for a district of that province stands there.
    """
    if context and max(map(len, context)) > 2:
        return None
    if not _DISTRICT.search(text, at + _SHORTEST + 2, at + _LONGEST + 7):
        return None
    for end in range(at + _SHORTEST, min(at + _LONGEST, len(text) - 2) + 1):
        districts = _districts(gazetteer, text, end, context)
        if districts and _HAN.fullmatch(text, at, end):
            written = text[at:end]
            above = dict.fromkeys(c[:n] for c in districts for n in (4, 2) if c[:n] in gazetteer)
            for code in above:
                if (len(code) == 4 or code not in context) and _near(gazetteer, code, written):
                    return Mention(at, end, (), LEVEL[len(code)])
            if context and written[-1] == "市" and not _NO_CITY.search(written):
                return Mention(at, end, (), "city")
    return None


def is_district(gazetteer: Gazetteer, written: str, context: Codes) -> bool:
    """Whether this is one slip away from a district of the city: 罗胡区 in 深圳, but not 净月区 in 长春."""
    cities = [code for code in context[:2] if len(code) <= 4]
    return any(True for code in cities for _ in units_below(gazetteer, code).near(written))


def _near(gazetteer: Gazetteer, code: str, written: str) -> bool:
    return next(names_of(gazetteer, code).near(written), None) is not None


def _districts(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Codes:
    """The districts whose full name stands here."""
    for form in gazetteer.written(text, at):
        if form.length > 2 and form.full and len(form.full[0]) == 6:
            end = at + form.length
            return () if guards.full(text, at, end) else agreed_codes(form.full, context)
    return ()
