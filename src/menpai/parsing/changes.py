"""What the history says of names in an address: why a name is a former one, which units are new, who left whom."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from menpai.address import Former
from menpai.parsing.dated import FIRST_YEAR
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer, history

# Changes by which a unit takes the place of one other, with the same ground.
# For so many years a former name is as likely as the same name of another unit today.
_LATELY = 15
_SAME_GROUND = frozenset(("renamed", "upgraded", "recoded", "moved"))


def former(gazetteer: Gazetteer, written: str, codes: Codes) -> Former:
    """The former name of these units, with what happened to it and in which year, as far as that is known."""
    level = LEVEL[len(codes[0])]
    if level == "town":
        year = new_since(gazetteer, codes[0][:6])
        return Former(written, level, codes, "moved" if year else "", str(year or ""))
    change = gazetteer.change(written, codes)
    return Former(written, level, codes, change.kind if change else "", str(change.year) if change else "")


@lru_cache(4096)
def recent(gazetteer: Gazetteer, written: str, codes: Codes) -> Codes:
    """Those of the units that bore the name until not long ago; all of them if that is not known."""

    def lately(code: str) -> bool:
        change = gazetteer.change(written, (code,))
        return change is None or change.year > gazetteer.year - _LATELY

    return tuple(filter(lately, codes))


def new_since(gazetteer: Gazetteer, code: str) -> int:
    """The year in which a district was formed of parts of others (临平区 2021, of 余杭区); 0 for an older one."""
    spell = history().at(code, gazetteer.year)
    if spell is None or spell.since <= FIRST_YEAR or _took_over(code, spell.since):
        return 0
    return spell.since


def newer(gazetteer: Gazetteer, code: str, others: Iterable[str]) -> bool:
    """Whether a district was formed of parts of others after these other districts were."""
    year = new_since(gazetteer, code)
    return bool(year) and all(new_since(gazetteer, other) < year for other in others)


@cache
def _followers() -> dict[str, set[tuple[str, int]]]:
    """Code → (kind, year) of the changes out of which a unit of this code came."""
    found: dict[str, set[tuple[str, int]]] = {}
    for spell in history():
        for code in spell.after:
            found.setdefault(code, set()).add((spell.kind, spell.until))
    return found


def _took_over(code: str, year: int) -> bool:
    """Whether the unit that came into being then only took the place of another."""
    return any(kind in _SAME_GROUND and until == year for kind, until in _followers().get(code, ()))
