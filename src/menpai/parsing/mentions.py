"""Names of divisions at one place of a text: which units they can mean there, if any."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from menpai.parsing import guards, zones
from menpai.parsing.changes import newer, recent
from menpai.parsing.gazetteer import LEVEL, Codes, Form, Gazetteer

# Between divisions: separators, virtual units (1101 市辖区, 5002 县) and the scope words of shops (三环到四环之间).
_SKIP = re.compile(
    r"(?:[\s,;.:、·|/_-]|(?i:null|undefined)|(?:省|自治区)?直辖县级行政(?:单位|区划|区)|省直辖县?|市?辖区|县(?=[^\d县]{2,3}县)|"
    r"[内外中一二三四五六]环(?:以[内外]|到[内外中一二三四五六]环(?:以[内外]|之间)?))*"
)
_SKIPPED = frozenset(" ,;.:、·|/_-\t\n\r\f\v\u3000省自直市辖区县内外中一二三四五六nNuU")
_TOWN_OFFICE = re.compile(r"办事处|办(?![公理事])")
_DEPTH = 3
# Where at the latest the first sign of a town stands (镇, 街道, 办事处), an unknown district before it included.
_TOWN_ENDS = 20


class Mention(NamedTuple):
    """A name in the text and the units it can mean here; `past` are those that bore it formerly.

    `moved`: a town that the tables have in another district than the one before it, or a county that left its city.
    """

    start: int
    end: int
    codes: Codes
    kind: str
    full: bool = True
    past: Codes = ()
    moved: bool = False


def read(
    gazetteer: Gazetteer, text: str, at: int, mentions: Sequence[Mention], context: Codes
) -> Mention | None:
    """The division, zone or town that is named at this place."""
    found = _name(gazetteer, text, at, context) or _zone(text, at)
    if found is None and guards.TOWN_SIGN.search(text, at, at + _TOWN_ENDS):
        found = _town(gazetteer, text, at, mentions, context) or _unknown(gazetteer, text, at)
    return found or _bare_town(gazetteer, text, at, context) or _corps(text, at, context)


def skip(text: str, at: int) -> int:
    """Past separators and words without meaning between divisions."""
    if text[at : at + 1] not in _SKIPPED:
        return at
    match = _SKIP.match(text, at)
    return match.end() if match else at


def anchor(gazetteer: Gazetteer, text: str, at: int) -> bool:
    """Whether a full name of a province, city, district or town begins here, in the midst of other text."""
    for form in gazetteer.forms(text[at : at + 2]):
        if form.full and form.length >= 3 and text.startswith(form.rest, at + 2):
            written = text[at : at + form.length]
            return written not in guards.INSIDE and not guards.full(text, at, at + form.length)
    return False


def narrow(context: Codes, codes: Codes) -> Codes:
    """The deepest units that agree with both: of each agreeing pair the longer code; () if none agree."""
    if not context:
        return codes
    if len(context) == len(codes) == 1:
        return (
            codes if codes[0].startswith(context[0]) else context if context[0].startswith(codes[0]) else ()
        )
    known, named = set(context), set(codes)
    below = [code for code in codes if _has_parent(code, known)]
    above = [code for code in context if _has_parent(code, named)]
    return tuple(dict.fromkeys((*below, *above))) if above else tuple(below)


def _has_parent(code: str, codes: set[str]) -> bool:
    """Whether the code or a parent of it is among the codes."""
    return code[:2] in codes or code[:4] in codes or code[:6] in codes or code in codes


def _name(gazetteer: Gazetteer, text: str, at: int, context: Codes, depth: int = 0) -> Mention | None:
    """The longest name of the tables at this place that may stand here."""
    for form in gazetteer.forms(text[at : at + 2]):
        if text.startswith(form.rest, at + 2):
            mention = _judge(gazetteer, text, at, form, context, depth)
            if mention is not None:
                return mention
    return None


def _judge(
    gazetteer: Gazetteer, text: str, at: int, form: Form, context: Codes, depth: int
) -> Mention | None:
    """The form as a mention if context and what follows allow it."""
    end = at + form.length
    past = form.former
    if past and form.short and not set(past) <= set(form.short):
        past = ()
    agreed = _agreed(form.full, context)
    if past or form.former:
        if not agreed:
            agreed = _agreed(past or form.short, context)
        elif not context:
            agreed += recent(gazetteer, text[at:end], past)
    if agreed and _full_may(gazetteer, text, at, end, agreed, context, depth):
        if not context and len(agreed[0]) == 9 and text[end - 1] != "道":
            agreed = tuple(dict.fromkeys((*agreed, *_same_stem(gazetteer, guards.stem(text[at:end]), ()))))
        return Mention(at, _office(text, end, agreed), agreed, LEVEL[len(agreed[0])], past=past)
    if not agreed and context and not depth:
        left = _left(gazetteer, text, at, form, context)
        if left or (mention := _contradiction(text, at, form)):
            return left or mention
    short = _agreed(form.short, context)
    if short and _short_may(gazetteer, text, at, end, short, context, depth):
        return Mention(at, _suffix(text, end, short), short, LEVEL[len(short[0])], full=False)
    bare = _agreed(form.bare, context) if context else ()
    if bare and _short_may(gazetteer, text, at, end, bare, context, depth):
        return Mention(at, end, bare, LEVEL[len(bare[0])], full=False, past=bare)
    return None


def _left(gazetteer: Gazetteer, text: str, at: int, form: Form, context: Codes) -> Mention | None:
    """A county under a parent that it has left since: 扬州市泰兴县, 四川省万县市."""
    end = at + form.length
    firm = guards.OFFICE.match(text, end) and not gazetteer.forms(text[end : end + 2])
    if form.length < 3 or firm or guards.full(text, at, end):
        return None
    named = [code for code in (*form.full, *form.former) if len(code) <= 6]
    left = tuple(c for c in named if any(gazetteer.was_under(c, known) for known in context))
    return Mention(at, end, left, LEVEL[len(left[0])], past=left, moved=True) if left else None


def _agreed(codes: Codes, context: Codes) -> Codes:
    """The codes that agree with the context."""
    if not context or not codes:
        return codes
    if len(context) == 1:
        known = context[0]
        if len(codes) == 1:
            return codes if codes[0].startswith(known) or known.startswith(codes[0]) else ()
        return tuple([c for c in codes if c.startswith(known) or known.startswith(c)])
    known_all = set(context)
    parents = {c[:n] for c in context for n in (2, 4, 6, 9)}
    return tuple([c for c in codes if c in parents or _has_parent(c, known_all)])


def _contradiction(text: str, at: int, form: Form) -> Mention | None:
    """A full name of a district or above that the context rules out: 遵义市花溪区."""
    end = at + form.length
    if not form.full or form.length < 3 or len(form.full[0]) > 6 or text[end - 1] in "镇乡":
        return None
    if text[at:end] in guards.INSIDE or guards.full(text, at, end) or guards.OFFICE.match(text, end):
        return None
    return Mention(at, end, form.full, LEVEL[len(form.full[0])])


def _office(text: str, end: int, codes: Codes) -> int:
    """Past the 办事处 of a town; past the 街道 of one that is still called 区 (石岐区街道)."""
    if len(codes[0]) < 9:
        return end
    if text[end - 1] == "区" and text.startswith("街道", end):
        end += 2
    match = _TOWN_OFFICE.match(text, end)
    return match.end() if match else end


def _full_may(
    gazetteer: Gazetteer, text: str, at: int, end: int, codes: Codes, context: Codes, depth: int
) -> bool:
    """Whether a name with its suffix is a division here: not 东区 alone, not 朝阳市 in 朝阳市场."""
    if not context and text[at:end] in guards.GENERIC and not _town_of(gazetteer, text, end, codes, depth):
        return False
    if text[end - 1] in "市镇乡" and _shared(gazetteer, text, at, end):
        return False
    return not guards.full(text, at, end)


def _town_of(gazetteer: Gazetteer, text: str, at: int, codes: Codes, depth: int) -> bool:
    """Whether a town of one of these districts follows: 郊区荫营镇."""
    town = None if depth else _name(gazetteer, text, skip(text, at), codes, depth + 1)
    return town is not None and len(town.codes[0]) == 9


def _shared(gazetteer: Gazetteer, text: str, at: int, end: int) -> bool:
    """Whether the last character begins the next name: 青岛 + 市北区, not 青岛市 + 北区; 庆阳 + 镇原县."""
    forms = gazetteer.forms(text[end - 1 : end + 1])
    if not forms or end - at < 3:
        return False
    below = [f.full for f in forms if text.startswith(f.rest, end + 1)]
    if not any(below):
        return False
    rest = text[at + 2 : end - 1]
    above = next((f.short for f in gazetteer.forms(text[at : at + 2]) if f.rest == rest), ())
    return bool(above) and any(code.startswith(above) for codes in below for code in codes)


def _suffix(text: str, end: int, codes: Codes) -> int:
    """Past the wrong suffix of a district: 浦东区 for 浦东新区, 红谷滩新区 for 红谷滩区."""
    match = guards.WRONG_SUFFIX.match(text, end) if len(codes[0]) == 6 else None
    return match.end() if match else end


def _short_may(
    gazetteer: Gazetteer, text: str, at: int, end: int, codes: Codes, context: Codes, depth: int
) -> bool:
    """Whether a name without suffix is a division here: no road, firm or dish made of it follows."""
    if depth > _DEPTH:
        return False
    if guards.SHORT.match(text, end):
        return _name(gazetteer, text, end, narrow(context, codes), depth + 1) is not None
    if end == len(text):
        return True
    if any(len(code) > len(known) for code in codes for known in context):
        return True
    written = text[at:end]
    if (
        not context
        and written not in guards.COMMON
        and (len(codes[0]) <= 4 or _distinct(gazetteer, written, codes))
    ):
        return True
    return _strong(gazetteer, text, skip(text, end), narrow(context, codes), depth)


def _distinct(gazetteer: Gazetteer, written: str, codes: Codes) -> bool:
    """Whether a district's short name is borne by nothing else: no other district, no town elsewhere."""
    if len(codes) > 1 or codes[0][0] in "78":
        return False
    return all(
        code.startswith(codes[0]) or not form.rest.startswith(written[2:])
        for form in gazetteer.forms(written[:2])
        for code in (*form.full, *form.former)
    )


def _strong(gazetteer: Gazetteer, text: str, at: int, context: Codes, depth: int) -> bool:
    """Whether a deeper or full division name or the zone of the place follows."""
    mention = _name(gazetteer, text, at, context, depth + 1)
    return mention is not None or guards.PLAIN_ZONE.match(text, at) is not None


def _zone(text: str, at: int) -> Mention | None:
    """A development zone in the chain: 高新区, 长春经济技术开发区; a town before it is read first."""
    end = zones.end_of(text, at)
    if end is None and (end := guards.zone(text, at)) and guards.TOWN_IN_ZONE.search(text, at, end):
        return None
    return None if end is None else Mention(at, end, (), "devzone")


def _town(
    gazetteer: Gazetteer, text: str, at: int, mentions: Sequence[Mention], context: Codes
) -> Mention | None:
    """A town in other than official words (两路镇 for 两路街道), or one that the tables do not have."""
    if mentions and mentions[-1].kind == "town" and mentions[-1].codes:
        return None
    match = guards.STREET_TOWN.match(text, at)
    if match and context and (codes := _same_stem(gazetteer, match["stem"], context)):
        return Mention(at, match.end(), codes, "town")
    match = guards.TOWN.match(text, at)
    end = match.end() if match else _listed_town(gazetteer, text, at)
    if not end:
        return None
    stem = match["stem"] if match else guards.stem(text[at:end])
    codes = _same_stem(gazetteer, stem, context)
    if not codes and context:
        codes = _same_stem(gazetteer, text[at:end], context)
    if codes:
        return Mention(at, end, codes, "town")
    if len(stem) < 2 or guards.NO_TOWN.search(stem) or text.endswith("地区", at, end):
        return None
    moved, past = _moved(gazetteer, text[at:end], stem, context)
    return Mention(at, end, moved, LEVEL[len(moved[0])] if moved else "town", past=past, moved=bool(moved))


def _listed_town(gazetteer: Gazetteer, text: str, at: int) -> int:
    """Where a town of the tables ends whose name the pattern does not take (横街镇 in 横街镇上冯新村), or 0."""
    for form in gazetteer.forms(text[at : at + 2]):
        if form.full and len(form.full[0]) == 9 and text.startswith(form.rest, at + 2):
            end = at + form.length
            return 0 if guards.full(text, at, end) else end
    return 0


def _bare_town(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Mention | None:
    """A town of the district without its suffix, before a road: 小东门聚奎街, 下应金谷中路."""
    if len(context) != 1 or len(context[0]) != 6:
        return None
    stems = gazetteer.stems(context[0])
    for length in (4, 3, 2):
        codes = stems.get(text[at : at + length], ())
        if len(codes) == 1 and guards.OWN_ROAD.match(text, at + length):
            return Mention(at, at + length, codes, "town", full=False)
    return None


def _same_stem(gazetteer: Gazetteer, stem: str, context: Codes) -> Codes:
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
    forms = [f for f in gazetteer.forms(written[:2]) if f.rest == written[2:]]
    exact = [code for f in forms for code in (*f.full, *f.former)]
    for candidates in (exact, _anywhere(gazetteer, stem)):
        found = dict.fromkeys(code for code in candidates if code[:4] in cities and code not in context)
        if len(found) == 1:
            (moved,) = found
            known = any(moved in f.former for f in forms) or newer(gazetteer, moved[:6], districts)
            return (moved,), (moved,) if known else ()
        if found:
            break
    return (), ()


def _corps(text: str, at: int, context: Codes) -> Mention | None:
    """兵团, 师 and 团 in Xinjiang: a zone and a town of the corps, without codes."""
    match = guards.CORPS.match(text, at) if context and context[0].startswith("65") else None
    return Mention(at, match.end(), (), match.lastgroup or "") if match else None


def _unknown(gazetteer: Gazetteer, text: str, at: int) -> Mention | None:
    """A district or zone that the tables do not have, before a town: 净月区德正街道, 航空港区冯堂办事处."""
    match = guards.UNKNOWN_DISTRICT.match(text, at)
    if match is None or not guards.TOWN.match(text, match.end()):
        return None
    if any(anchor(gazetteer, text, inside) for inside in range(at + 1, match.end() - 2)):
        return None
    return Mention(at, match.end(), (), "devzone" if match[0].endswith("区") else "district")
