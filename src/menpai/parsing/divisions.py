"""Read the chain of divisions: province to town and zones; in any order, repeated, contradictory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from menpai.address import Division, Element, Former
from menpai.parsing import gazetteer, guards
from menpai.parsing.gazetteer import LEVEL, Codes, Form


class Mention(NamedTuple):
    """A name in the text and the units it can mean here; `past` are those that bore it formerly."""

    start: int
    end: int
    codes: Codes
    kind: str
    full: bool = True
    past: Codes = ()


class Chain(NamedTuple):
    """What the text says about divisions: elements in order, the possible deepest units, where it stands."""

    elements: list[Element]
    divisions: tuple[Division, ...]
    former: tuple[Former, ...]
    start: int
    end: int


# Between divisions: separators, virtual units (1101 市辖区) and the scope words of shops (三环到四环之间).
_SKIP = re.compile(
    r"(?:[\s,;.:、·|/_-]|(?:省|自治区)?直辖县级行政(?:单位|区划|区)|省直辖县?|市?辖区|"
    r"[内外中一二三四五六]环(?:以[内外]|到[内外中一二三四五六]环(?:以[内外]|之间)?))*"
)
_TOWN_OFFICE = re.compile(r"办事处|办(?![公理事])")
_SEARCHED = 60
_DEPTH = 3
_LONGEST_CHAIN = 40


def read_chain(text: str, breaks: Sequence[int] = ()) -> Chain:
    """The chain at the start of the text, or the first full division name soon after it."""
    start = _skip(text, 0)
    mentions, codes, end = _walk(text, start)
    if not mentions:
        mentions, codes, end = _later(text, start, breaks)
    if not mentions:
        return Chain([], (), (), 0, 0)
    if not codes:
        codes = settle([m for m in mentions if m.codes])
    first = mentions[0].start
    return Chain(
        _elements(text, mentions, codes),
        tuple(map(gazetteer.division, codes)),
        tuple(_former(text, mentions, codes)),
        0 if first == start else first,
        end,
    )


def narrow(context: Codes, codes: Codes) -> Codes:
    """The deepest units that agree with both: of each agreeing pair the longer code; () if none agree."""
    if not context:
        return codes
    known, named = set(context), set(codes)
    below = [code for code in codes if _has_parent(code, known)]
    above = [code for code in context if _has_parent(code, named)]
    return tuple(dict.fromkeys((*below, *above))) if above else tuple(below)


def _has_parent(code: str, codes: set[str]) -> bool:
    """Whether the code or a parent of it is among the codes."""
    return code[:2] in codes or code[:4] in codes or code[:6] in codes or code in codes


def settle(mentions: Sequence[Mention]) -> Codes:
    """When names contradict each other: of the deepest units those with most of the mentions behind them."""
    named = tuple(dict.fromkeys(code for m in mentions for code in m.codes))
    leaves = [c for c in named if not any(d != c and d.startswith(c) for d in named)]
    support = {c: (sum(any(c.startswith(d) for d in m.codes) for m in mentions), len(c)) for c in leaves}
    best = max(support.values(), default=None)
    return tuple(code for code, value in support.items() if value == best)


def _skip(text: str, at: int) -> int:
    match = _SKIP.match(text, at)
    return match.end() if match else at


def _walk(text: str, at: int) -> tuple[list[Mention], Codes, int]:
    """Mentions from `at` on, the units they leave possible (() after a contradiction), and the end."""
    mentions: list[Mention] = []
    context: Codes = ()
    torn = False
    end = at
    while at < len(text) and len(mentions) < _LONGEST_CHAIN:
        mention = _name(text, at, context) or _zone(text, at) or _town(text, at, mentions, context)
        if mention is None:
            break
        mentions.append(mention)
        if mention.codes:
            agreed = narrow(context, mention.codes)
            torn = torn or not agreed
            context = agreed or mention.codes
        at = end = _skip(text, mention.end)
    return mentions, () if torn else context, end


def _later(text: str, start: int, breaks: Sequence[int]) -> tuple[list[Mention], Codes, int]:
    """The first chain that begins at a break, at a bracket or with a full name close to the start."""
    for at in breaks[:4]:
        found = _walk(text, at)
        if found[0] and (len(found[0]) > 1 or (found[0][0].full and found[0][0].codes)):
            return found
    for at in range(start + 1, min(len(text) - 2, _SEARCHED)):
        if gazetteer.forms(text[at : at + 2]) and _anchor(text, at):
            found = _walk(text, at)
            if found[0] and (at <= 4 or text[at - 1] in "()," or len(found[0]) > 1):
                return found
    return [], (), start


def _anchor(text: str, at: int) -> bool:
    """Whether a full name of a province, city, district or town begins here, in the midst of other text."""
    for form in gazetteer.forms(text[at : at + 2]):
        if form.full and form.length >= 3 and text.startswith(form.rest, at + 2):
            written = text[at : at + form.length]
            return written not in guards.INSIDE and not guards.full(text, at, at + form.length)
    return False


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
    agreed = _agreed(form.full, context)
    if not agreed or not context:
        agreed += _agreed(form.former, context)
    if agreed and _full_may(text, at, end, agreed, context):
        if not context and len(agreed[0]) == 9 and text[end - 1] != "道":
            agreed = tuple(dict.fromkeys((*agreed, *_same_stem(guards.stem(text[at:end]), ()))))
        return Mention(at, _office(text, end, agreed), agreed, LEVEL[len(agreed[0])], past=form.former)
    if not agreed and context and not depth and (mention := _contradiction(text, at, end, form)):
        return mention
    short = _agreed(form.short, context)
    if short and _short_may(text, at, end, short, context, depth):
        return Mention(at, end, short, LEVEL[len(short[0])], full=False)
    return None


def _agreed(codes: Codes, context: Codes) -> Codes:
    """The codes that agree with the context."""
    if not context or not codes:
        return codes
    if len(context) == 1:
        known = context[0]
        return tuple([c for c in codes if c.startswith(known) or known.startswith(c)])
    known_all = set(context)
    parents = {c[:n] for c in context for n in (2, 4, 6, 9)}
    return tuple([c for c in codes if c in parents or _has_parent(c, known_all)])


def _contradiction(text: str, at: int, end: int, form: Form) -> Mention | None:
    """A full name of a district or above that the context rules out: 遵义市花溪区."""
    if not form.full or form.length < 3 or len(form.full[0]) > 6:
        return None
    if text[at:end] in guards.INSIDE or guards.full(text, at, end) or guards.OFFICE.match(text, end):
        return None
    return Mention(at, end, form.full, LEVEL[len(form.full[0])])


def _office(text: str, end: int, codes: Codes) -> int:
    """Past the 办事处 of a town."""
    if len(codes[0]) < 9:
        return end
    match = _TOWN_OFFICE.match(text, end)
    return match.end() if match else end


def _full_may(text: str, at: int, end: int, codes: Codes, context: Codes) -> bool:
    """Whether a name with its suffix is a division here: not 东区 alone, not 朝阳市 in 朝阳市场."""
    if not context and text[at:end] in guards.GENERIC:
        return False
    if text[end - 1] == "市" and text[end : end + 2] in guards.CITY_PARTS and _has_part(text, end, codes):
        return False
    return not guards.full(text, at, end)


def _has_part(text: str, end: int, codes: Codes) -> bool:
    """Whether 青岛市北区 is 青岛 + 市北区."""
    parts = gazetteer.forms(text[end - 1 : end + 1])
    return any(f.rest == "区" and any(c.startswith(codes) for c in f.full) for f in parts)


def _short_may(text: str, at: int, end: int, codes: Codes, context: Codes, depth: int) -> bool:
    """Whether a name without suffix is a division here: no road, firm or dish made of it follows."""
    if depth > _DEPTH:
        return False
    if guards.SHORT.match(text, end):
        return _strong(text, end, narrow(context, codes), depth)
    if end == len(text):
        return True
    if any(len(code) > len(known) for code in codes for known in context):
        return True
    written = text[at:end]
    if not context and written not in guards.COMMON and (len(codes[0]) <= 4 or _distinct(written, codes)):
        return True
    return _strong(text, _skip(text, end), narrow(context, codes), depth)


def _distinct(written: str, codes: Codes) -> bool:
    """Whether a district's short name is borne by nothing else: no other district, no town elsewhere."""
    if len(codes) > 1 or codes[0][0] in "78":
        return False
    return all(
        code.startswith(codes[0]) or not form.rest.startswith(written[2:])
        for form in gazetteer.forms(written[:2])
        for code in (*form.full, *form.former)
    )


def _strong(text: str, at: int, context: Codes, depth: int) -> bool:
    """Whether a deeper or full division name or a zone follows."""
    mention = _name(text, at, context, depth + 1)
    return mention is not None or guards.zone(text, at) is not None


def _zone(text: str, at: int) -> Mention | None:
    """A development zone in the chain: 高新区, 长春经济技术开发区."""
    end = guards.zone(text, at)
    return None if end is None else Mention(at, end, (), "devzone")


def _town(text: str, at: int, mentions: list[Mention], context: Codes) -> Mention | None:
    """A town in other than official words (两路镇 for 两路街道), or one that the tables do not have."""
    if mentions and mentions[-1].kind == "town" and mentions[-1].codes:
        return None
    match = guards.STREET_TOWN.match(text, at)
    if match and (codes := _same_stem(match["stem"], context)) and len(context[:1]) == 1:
        return Mention(at, match.end(), codes, "town")
    match = guards.TOWN.match(text, at)
    if match is None:
        return None
    codes = _same_stem(match["stem"], context) or _same_stem(match[0], context)
    if not codes and (len(match["stem"]) < 2 or guards.NO_TOWN.search(match["stem"])):
        return None
    return Mention(at, match.end(), codes, "town")


def _same_stem(stem: str, context: Codes) -> Codes:
    """Towns of this stem, whatever they are called today, of the possible districts or below the context."""
    found = [
        code for known in context[:8] for code in gazetteer.stems(known[:6]).get(stem, ()) if len(known) >= 4
    ]
    if not found and len(stem) >= 2:
        forms = gazetteer.forms(stem[:2])
        wanted = {stem[2:] + suffix for suffix in guards.TOWN_SUFFIXES}
        found = [code for form in forms if form.rest in wanted for code in form.full if len(code) == 9]
    return narrow(context, tuple(found))


def _elements(text: str, mentions: list[Mention], codes: Codes) -> list[Element]:
    """One element per unit: of repeated names the fullest, else the last."""
    kept: dict[str, tuple[Mention, str]] = {}
    for mention in mentions:
        meant = _meant(mention, codes)
        written = text[mention.start : mention.end]
        value = gazetteer.division(meant[0]).name if len(meant) == 1 else written
        if mention.kind == "devzone":
            value = guards.zone_value(written)
        elif mention.kind == "town" and len(meant) != 1:
            value = guards.town_value(written)
        key = meant[0] if len(meant) == 1 else f"{mention.kind}:{value}"
        old = kept.get(key)
        if old is None or mention.end - mention.start >= old[0].end - old[0].start:
            kept[key] = mention, value
    chosen = sorted(kept.values(), key=lambda item: item[0].start)
    return [Element(m.kind, text[m.start : m.end], m.start, m.end, value) for m, value in chosen]


def _former(text: str, mentions: list[Mention], codes: Codes) -> Iterator[Former]:
    """The names that mean today's units by a former name only."""
    for mention in mentions:
        meant = _meant(mention, codes) if mention.past else ()
        if meant and all(code in mention.past for code in meant):
            yield Former(text[mention.start : mention.end], LEVEL[len(meant[0])], meant)


def _meant(mention: Mention, codes: Codes) -> Codes:
    """The units that a mention can still mean when the whole chain is read."""
    if len(mention.codes) < 2:
        return mention.codes
    return tuple(c for c in mention.codes if any(d.startswith(c) or c.startswith(d) for d in codes))
