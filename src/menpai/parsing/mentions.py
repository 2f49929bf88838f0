"""Names of divisions at one place of a text: which units they can mean there, if any."""

from __future__ import annotations

import re
from collections.abc import Sequence

from menpai.parsing import guards, zones
from menpai.parsing.changes import recent
from menpai.parsing.gazetteer import LEVEL, Codes, Form, Gazetteer
from menpai.parsing.meaning import Mention, agreed_codes, narrow
from menpai.parsing.misspelt import is_district, misspelt_city
from menpai.parsing.quarters import quarter
from menpai.parsing.towns import bare_town, office, same_stem, town

# Between divisions: separators, virtual units (1101 市辖区, 5002 县) and the scope words of shops (三环到四环之间).
_SKIP = re.compile(
    r"(?:[\s,;.:、·|/_-]|(?i:null|undefined)|(?:省|自治区)?直辖县级行政(?:单位|区划|区)|省直辖县?|市?辖区|县(?=[^\d县]{2,3}县)|"
    r"(?:[内外一二三四五六]|(?<![港岛])(?<!行政区)(?<!中西区)中)环(?:以[内外]|到[内外中一二三四五六]环(?:以[内外]|之间)?))*"
)
_SKIPPED = frozenset(" ,;.:、·|/_-\t\n\r\f\v\u3000省自直市辖区县内外中一二三四五六nNuU")
_DEPTH = 3
# Where at the latest the first sign of a town stands (镇, 街道, 办事处), an unknown district before it included.
_TOWN_ENDS = 20


def read(
    gazetteer: Gazetteer, text: str, at: int, mentions: Sequence[Mention], context: Codes
) -> Mention | None:
    """The division, zone or town that is named at this place."""
    found = quarter(gazetteer, text, at, context) or _name(gazetteer, text, at, context) or _zone(text, at)
    if found is None and (not context or len(context[-1]) == 2):
        found = misspelt_city(gazetteer, text, at, context)
    if found is None and guards.TOWN_SIGN.search(text, at, at + _TOWN_ENDS):
        found = town(gazetteer, text, at, mentions, context) or _unknown(gazetteer, text, at, context)
    return found or bare_town(gazetteer, text, at, context) or _corps(text, at, context)


def skip(text: str, at: int) -> int:
    """Past separators and words without meaning between divisions."""
    if text[at : at + 1] not in _SKIPPED:
        return at
    match = _SKIP.match(text, at)
    return match.end() if match else at


def anchor(gazetteer: Gazetteer, text: str, at: int) -> bool:
    """Whether a full name of a province, city, district or town begins here, in the midst of other text."""
    for form in gazetteer.written(text, at):
        if form.full and form.length >= 3:
            written = text[at : at + form.length]
            return written not in guards.INSIDE and not guards.full(text, at, at + form.length)
    return False


def _name(gazetteer: Gazetteer, text: str, at: int, context: Codes, depth: int = 0) -> Mention | None:
    """The longest name of the tables at this place that may stand here."""
    by_rest, lengths = gazetteer.shapes(text[at : at + 2])
    for length in lengths:
        form = by_rest.get(text[at + 2 : at + length])
        if form is not None and form.length == length:
            mention = _judge(gazetteer, text, at, form, context, depth)
            if mention is not None:
                return mention
    return None


def _judge(
    gazetteer: Gazetteer, text: str, at: int, form: Form, context: Codes, depth: int
) -> Mention | None:
    """The form as a mention if context and what follows allow it."""
    end = at + form.length
    agreed = agreed_codes(form.full, context)
    past = form.former
    if past:
        if form.short and not set(past) <= set(form.short):
            past = ()
        if not agreed:
            agreed = agreed_codes(past or form.short, context)
        elif not context:
            agreed += recent(gazetteer, text[at:end], past)
    if agreed and _full_may(gazetteer, text, at, end, agreed, context, depth):
        if not context and len(agreed[0]) == 9 and text[end - 1] != "道":
            agreed = tuple(dict.fromkeys((*agreed, *same_stem(gazetteer, guards.stem(text[at:end]), ()))))
        return Mention(at, office(text, end, agreed), agreed, LEVEL[len(agreed[0])], past=past)
    if not agreed and context and not depth:
        left = _left(gazetteer, text, at, form, context)
        if left or (mention := _contradiction(text, at, form)):
            return left or mention
    short = agreed_codes(form.short, context)
    if short and _short_may(gazetteer, text, at, end, short, context, depth):
        return Mention(at, _suffix(text, end, short), short, LEVEL[len(short[0])], full=False)
    bare = agreed_codes(form.bare, context) if context else ()
    if bare and _short_may(gazetteer, text, at, end, bare, context, depth):
        return Mention(at, end, bare, LEVEL[len(bare[0])], full=False, past=bare)
    return None


def _left(gazetteer: Gazetteer, text: str, at: int, form: Form, context: Codes) -> Mention | None:
    """A county under a parent that it has left since: 扬州市泰兴县, 四川省万县市."""
    end = at + form.length
    firm = guards.OFFICE.match(text, end) and not gazetteer.forms(text[end : end + 2])
    if firm or guards.full(text, at, end):
        return None
    left = gazetteer.once(text[at:end], text[:at].rstrip(" ,")) if form.full or form.former else ()
    if not left and form.length >= 3:
        named = [code for code in (*form.full, *form.former) if len(code) <= 6]
        left = tuple(c for c in named if any(gazetteer.was_under(c, known) for known in context))
    return Mention(at, end, left, LEVEL[len(left[0])], past=left, moved=True, left=True) if left else None


def _contradiction(text: str, at: int, form: Form) -> Mention | None:
    """A full name of a district or above that the context rules out: 遵义市花溪区."""
    end = at + form.length
    if not form.full or form.length < 3 or len(form.full[0]) > 6 or text[end - 1] in "镇乡":
        return None
    if text[at:end] in guards.INSIDE or guards.full(text, at, end) or guards.OFFICE.match(text, end):
        return None
    return Mention(at, end, form.full, LEVEL[len(form.full[0])])


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
    follows = None if depth else _name(gazetteer, text, skip(text, at), codes, depth + 1)
    return follows is not None and len(follows.codes[0]) == 9


def _shared(gazetteer: Gazetteer, text: str, at: int, end: int) -> bool:
    """Whether the last character begins the next name: 青岛 + 市北区, not 青岛市 + 北区; 庆阳 + 镇原县."""
    if end - at < 3 or not gazetteer.shapes(text[end - 1 : end + 1])[1]:
        return False
    below = [form.full for form in gazetteer.written(text, end - 1) if form.full]
    if not below:
        return False
    above = gazetteer.form(text[at : end - 1])
    return above is not None and any(code.startswith(above.short) for codes in below for code in codes)


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
    if not context and _works(gazetteer, text, end, codes):
        return False
    if (
        not context
        and written not in guards.COMMON
        and (len(codes[0]) <= 4 or _distinct(gazetteer, written, codes))
    ):
        return True
    return _strong(gazetteer, text, skip(text, end), narrow(context, codes), depth)


def _works(gazetteer: Gazetteer, text: str, end: int, codes: Codes) -> bool:
    """Whether works or a team called like the division follow, which lie anywhere: 芙蓉工业区, 南昌第三工业区."""
    if guards.NUMBERED_WORKS.match(text, end):
        return True
    if len(codes[0]) < 6 or not guards.WORKS.match(text, end):
        return False
    return not any(gazetteer.division(code).name.endswith("市") for code in codes)


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


def _corps(text: str, at: int, context: Codes) -> Mention | None:
    """兵团, 师 and 团 in Xinjiang: a zone and a town of the corps, with the city of the corps if that is clear."""
    match = guards.CORPS.match(text, at) if context and context[0].startswith("65") else None
    if match is None:
        return None
    cities = {code for zone in zones.corps(match[0]) for code in zone.parents}
    codes = agreed_codes(tuple(cities), context) if len(cities) == 1 else ()
    return Mention(at, match.end(), codes, match.lastgroup or "", full=not codes)


def _unknown(gazetteer: Gazetteer, text: str, at: int, context: Codes) -> Mention | None:
    """A district or zone that the tables do not have, before a town: 净月区德正街道, 航空港区冯堂办事处."""
    match = guards.UNKNOWN_DISTRICT.match(text, at)
    if match is None or not guards.TOWN.match(text, match.end()):
        return None
    if any(anchor(gazetteer, text, inside) for inside in range(at + 1, match.end() - 2)):
        return None
    zone = match[0].endswith("区") and not is_district(gazetteer, match[0], context)
    return Mention(at, match.end(), (), "devzone" if zone else "district")
