"""Towns in a chain: in other than official words, without their suffix, moved to another district, or unlisted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from menpai.parsing import guards
from menpai.parsing.changes import newer
from menpai.parsing.gazetteer import LEVEL, Codes, Gazetteer
from menpai.parsing.meaning import Mention, narrow

_ROAD = frozenset("路街道巷")
# 草场街镇, 长风新村镇: what was or is taken for a 镇 is called a 街道 in the tables.
_ROAD_TOWN = re.compile(r"(?P<stem>[^\d\s()、,;]{1,6}?[路街村])[镇乡](?![路街镇乡])")
_TOWN_OFFICE = re.compile(r"办事处|办(?![公理事])")


def town(
    gazetteer: Gazetteer, text: str, at: int, mentions: Sequence[Mention], context: Codes
) -> Mention | None:
    """A town in other than official words (两路镇 for 两路街道), or one that the tables do not have."""
    if mentions and mentions[-1].kind == "town" and mentions[-1].codes:
        return None
    match = guards.STREET_TOWN.match(text, at)
    if match and context and (codes := same_stem(gazetteer, match["stem"], context)):
        return Mention(at, match.end(), codes, "town")
    match = _ROAD_TOWN.match(text, at)
    if match and context and len(context[0]) >= 6:
        codes = narrow(context, gazetteer.stems(context[0][:6]).get(match["stem"], ()))
        if codes:
            return Mention(at, match.end(), codes, "town")
    match = guards.TOWN.match(text, at)
    end = match.end() if match else _listed_town(gazetteer, text, at)
    if not end:
        return None
    stem = match["stem"] if match else guards.stem(text[at:end])
    codes = same_stem(gazetteer, stem, context)
    if not codes and context:
        codes = same_stem(gazetteer, text[at:end], context)
    if codes:
        return Mention(at, end, codes, "town")
    if len(stem) < 2 or guards.NO_TOWN.search(stem) or text.endswith("地区", at, end):
        return None
    if not context and _listed_inside(gazetteer, text, at, end):
        return None
    moved, past = _moved(gazetteer, text[at:end], stem, context)
    return Mention(at, end, moved, LEVEL[len(moved[0])] if moved else "town", past=past, moved=bool(moved))


def _listed_inside(gazetteer: Gazetteer, text: str, at: int, end: int) -> bool:
    """Whether a town of the tables ends what would be an unlisted one: 圆通总部|华新镇."""
    return any(_listed_town(gazetteer, text, start) == end for start in range(at + 2, end - 2))


def _listed_town(gazetteer: Gazetteer, text: str, at: int) -> int:
    """Where a town of the tables ends whose name the pattern does not take (横街镇 in 横街镇上冯新村), or 0."""
    for form in gazetteer.written(text, at):
        if form.full and len(form.full[0]) == 9:
            end = at + form.length
            return 0 if guards.full(text, at, end) else end
    return 0


def bare_town(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Mention | None:
    """A town of the district without its suffix, before a road: 小东门聚奎街, 下应金谷中路.

    花园路 before a road is the road, not 花园路街道."""
    if len(context) != 1 or len(context[0]) != 6:
        return None
    stems = gazetteer.stems(context[0])
    for length in (4, 3, 2):
        stem = text[at : at + length]
        codes = stems.get(stem, ())
        if len(codes) == 1 and stem[-1] not in _ROAD and guards.OWN_ROAD.match(text, at + length):
            return Mention(at, at + length, codes, "town", full=False)
    return None


def same_stem(gazetteer: Gazetteer, stem: str, context: Codes) -> Codes:
    """Towns of this stem, whatever they are called today, of the possible districts or below the context."""
    found = [
        code for known in context[:8] for code in gazetteer.stems(known[:6]).get(stem, ()) if len(known) >= 4
    ]
    return narrow(context, tuple(found) or _anywhere(gazetteer, stem))


def _anywhere(gazetteer: Gazetteer, stem: str) -> Codes:
    """Towns of this stem in the whole country."""
    if len(stem) < 2:
        return ()
    wanted = {stem[2:] + suffix for suffix in guards.TOWN_SUFFIXES}
    forms = gazetteer.forms(stem[:2])
    return tuple(code for form in forms if form.rest in wanted for code in form.full if len(code) == 9)


def _moved(gazetteer: Gazetteer, written: str, stem: str, context: Codes) -> tuple[Codes, Codes]:
    """The one town of this stem in another district of the same city, or what became of the town; and the same
    again if it is known that it changed.

    苍南县龙港镇 is 龙港市 since 2019, 余杭区乔司街道 lies in 临平区 since 2021; but 秀水镇 never was in 平定县.
    """
    districts = [code[:6] for code in context if len(code) >= 6]
    cities = {code[:4] for code in districts}
    form = gazetteer.form(written)
    exact = (*form.full, *form.former) if form else ()
    for candidates in (exact, _anywhere(gazetteer, stem)):
        found = dict.fromkeys(code for code in candidates if code[:4] in cities and code not in context)
        if len(found) == 1:
            (moved,) = found
            known = (form is not None and moved in form.former) or newer(gazetteer, moved[:6], districts)
            return (moved,), (moved,) if known else ()
        if found:
            break
    return (), ()


def office(text: str, end: int, codes: Codes) -> int:
    """Past the 办事处 of a town; past the 街道 of one that is still called 区 (石岐区街道)."""
    if len(codes[0]) < 9:
        return end
    if text[end - 1] == "区" and text.startswith("街道", end):
        end += 2
    match = _TOWN_OFFICE.match(text, end) if text[end : end + 1] == "办" else None
    return match.end() if match else end
