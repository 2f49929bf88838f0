"""Read the chain of divisions: province, city, district, town, development zone, in any order and repeated."""

from __future__ import annotations

import re
from typing import NamedTuple

from menpai.address import Division, Element, Former
from menpai.parsing import gazetteer, guards
from menpai.parsing.gazetteer import LEVEL, Codes, Form


class Mention(NamedTuple):
    """A division name in the text and the units it can mean here; `grade` is full, short or former."""

    start: int
    end: int
    codes: Codes
    grade: str
    kind: str


class Chain(NamedTuple):
    """What the text says about divisions: elements in order, the possible deepest units, where it ends."""

    elements: list[Element]
    divisions: tuple[Division, ...]
    former: tuple[Former, ...]
    start: int
    end: int


_SKIP = re.compile(
    r"(?:[\s,;.:、·|/_-]|中国|中华人民共和国|(?:省|自治区)?直辖县级行政(?:单位|区划|区)|省直辖县?|市辖区|"
    r"所在地区:?|详细地址:?|收货地址:?|地址:?)*"
)
_DEEPEST_SEARCH = 60


def read_chain(text: str) -> Chain:
    """The chain at the start of the text, or the first full division name soon after it."""
    start = _skip(text, 0)
    mentions, codes, end = _walk(text, start, ())
    if not mentions:
        for at in range(start + 1, min(len(text) - 2, _DEEPEST_SEARCH)):
            if gazetteer.forms(text[at : at + 2]) and _anchor(text, at):
                start = at
                mentions, codes, end = _walk(text, at, ())
                break
    if not mentions:
        return Chain([], (), (), start, start)
    if not codes and any(m.codes for m in mentions):
        codes = settle(mentions)
    elements = _elements(text, mentions, codes)
    former = tuple(
        Former(text[m.start : m.end], LEVEL[len(m.codes[0])], m.codes)
        for m in mentions
        if m.grade == "former"
    )
    return Chain(elements, tuple(map(gazetteer.division, codes)), former, mentions[0].start, end)


def narrow(context: Codes, codes: Codes) -> Codes:
    """The deepest units that agree with both: of each agreeing pair the longer code; () if none agree."""
    if not context:
        return codes
    found: dict[str, None] = {}
    for code in codes:
        for known in context:
            if code.startswith(known):
                found[code] = None
            elif known.startswith(code):
                found[known] = None
    return tuple(found)


def settle(mentions: list[Mention]) -> Codes:
    """When names contradict each other: the units with most of the mentions behind them, deepest first."""
    support = {
        code: sum(bool(narrow((code,), m.codes)) for m in mentions) for m in mentions for code in m.codes
    }
    best = max((count, len(code)) for code, count in support.items())
    return tuple(code for code, count in support.items() if (count, len(code)) == best)


def _skip(text: str, at: int) -> int:
    match = _SKIP.match(text, at)
    return match.end() if match else at


def _walk(text: str, at: int, context: Codes) -> tuple[list[Mention], Codes, int]:
    """Mentions from `at` on, the units they leave possible (() after a contradiction), and the end."""
    mentions: list[Mention] = []
    end = at
    torn = False
    while at < len(text):
        mention = _name(text, at, context) or _zone(text, at, mentions) or _town(text, at, mentions, context)
        if mention is None:
            break
        mentions.append(mention)
        if mention.codes:
            agreed = narrow(context, mention.codes)
            torn = torn or not agreed
            context = agreed or mention.codes
        end = mention.end
        at = _skip(text, end)
    return mentions, () if torn else context, end


def _name(text: str, at: int, context: Codes, depth: int = 0) -> Mention | None:
    """The longest name of the tables at this place that may stand here."""
    for form in gazetteer.forms(text[at : at + 2]):
        if text.startswith(form.rest, at + 2):
            mention = _judge(text, at, form, context, depth)
            if mention is not None:
                return mention
    return None


def _judge(text: str, at: int, form: Form, context: Codes, depth: int) -> Mention | None:
    """The form as a mention if context and what follows allow it."""
    end = at + form.length
    for grade, codes in (("full", form.full), ("former", form.former), ("short", form.short)):
        if not codes:
            continue
        agreed = tuple(c for c in codes if narrow(context, (c,))) if context else codes
        if not agreed:
            continue
        if grade == "short" and not _short_may(text, end, agreed, context, depth):
            continue
        if grade != "short" and not _full_may(text, at, end, agreed, context):
            continue
        return Mention(at, end, agreed, grade, LEVEL[len(agreed[0])])
    if context and form.full and form.length >= 3 and len(form.full[0]) <= 6 and depth == 0:
        if text[at:end] not in guards.GENERIC and guards.FULL.match(text, end) is None:
            return Mention(at, end, form.full, "full", LEVEL[len(form.full[0])])
    return None


def _full_may(text: str, at: int, end: int, codes: Codes, context: Codes) -> bool:
    """Whether a name with its suffix is a division here: not 东区 alone, not 朝阳市 in 朝阳市场."""
    if not context and text[at:end] in guards.GENERIC:
        return False
    return guards.FULL.match(text, end) is None


def _short_may(text: str, end: int, codes: Codes, context: Codes, depth: int) -> bool:
    """Whether a name without suffix is a division here: no road, firm or dish made of it follows."""
    if depth > 3 or guards.SHORT.match(text, end):
        return False
    if not context:
        if len(codes[0]) <= 4:
            return True
    elif any(len(code) > len(known) for code in codes for known in context):
        return True
    return end == len(text) or _strong(text, _skip(text, end), narrow(context, codes), depth)


def _strong(text: str, at: int, context: Codes, depth: int) -> bool:
    """Whether a full division name or a zone follows."""
    mention = _name(text, at, context, depth + 1)
    return mention is not None or guards.zone(text, at) is not None


def _anchor(text: str, at: int) -> bool:
    """Whether a full name of a province, city, district or town begins here, in the midst of other text."""
    for form in gazetteer.forms(text[at : at + 2]):
        if form.full and form.length >= 3 and text.startswith(form.rest, at + 2):
            written = text[at : at + form.length]
            return written not in guards.INSIDE and guards.FULL.match(text, at + form.length) is None
    return False


def _zone(text: str, at: int, mentions: list[Mention]) -> Mention | None:
    """A development zone in the chain: 高新区, 长春经济技术开发区."""
    end = guards.zone(text, at)
    return None if end is None else Mention(at, end, (), "full", "devzone")


def _town(text: str, at: int, mentions: list[Mention], context: Codes) -> Mention | None:
    """A town in other words than the official ones (两路镇 for 两路街道), or one that the tables do not have."""
    match = guards.TOWN.match(text, at)
    if match is None or any(m.kind == "town" and m.codes for m in mentions[-1:]):
        return None
    if not mentions and len(match["stem"]) < 2:
        return None
    return Mention(at, match.end(), _same_stem(match["stem"], context), "full", "town")


def _same_stem(stem: str, context: Codes) -> Codes:
    """Towns of the possible districts with this stem, whatever they are called today."""
    found = [
        code
        for known in context[:8]
        for name, code in gazetteer.towns(known[:6]).items()
        if guards.stem(name) == stem
    ]
    return tuple(found)


def _elements(text: str, mentions: list[Mention], codes: Codes) -> list[Element]:
    """One element per unit: of repeated names the fullest, else the last."""
    kept: dict[str, tuple[Mention, str]] = {}
    for mention in mentions:
        meant = _meant(mention, codes)
        written = text[mention.start : mention.end]
        value = gazetteer.division(meant[0]).name if len(meant) == 1 else written
        if mention.kind == "devzone":
            value = guards.zone_value(written)
        key = meant[0] if len(meant) == 1 else f"{mention.kind}:{value}"
        old = kept.get(key)
        if old is None or mention.end - mention.start >= old[0].end - old[0].start:
            kept[key] = mention, value
    chosen = sorted(kept.values(), key=lambda item: item[0].start)
    return [Element(m.kind, text[m.start : m.end], m.start, m.end, value) for m, value in chosen]


def _meant(mention: Mention, codes: Codes) -> Codes:
    """The units that a mention can still mean when the whole chain is read."""
    if len(mention.codes) < 2:
        return mention.codes
    return tuple(c for c in mention.codes if any(d.startswith(c) or c.startswith(d) for d in codes))
