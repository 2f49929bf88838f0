"""typos: names of divisions and roads that were mistyped: offered as corrections, never applied."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from menpai.address import Correction, Element
from menpai.parsing import guards
from menpai.parsing.divisions import Chain
from menpai.parsing.gazetteer import Codes, Gazetteer
from menpai.parsing.nearby_names import (
    EXTRA,
    Names,
    Near,
    known_roads,
    names_of,
    towns_below,
    units_below,
    zones_near,
)

# Nothing dearer is offered, nor anything that another name could be as well.
_DEAREST = 0.45
_MARGIN = 0.1
# What a name costs that the next name confirms, and one for which nothing stands before it.
_CONFIRMED = 0.5
_ALONE = 0.15
_LONGEST = 11
# Names as long as 六盘水市 are known without one of their characters.
_LONG = 3
_HAN = re.compile(f"[\u4e00-\u9fff]{{2,{_LONGEST}}}")
_ENDS = {
    "": re.compile("自治[区州县旗]|[省市县区旗盟州]"),
    "province": re.compile("自治[州县旗]|[市县区旗盟州]"),
    "city": re.compile("[市县区旗镇乡]|街[道到倒稻]|[接届]道|苏木"),
    "district": re.compile("[镇乡]|街[道到倒稻]|[接届]道|苏木"),
}
_LEVEL = {0: "", 2: "province", 4: "city", 6: "district"}
_MAY_END = re.compile("[省市县区旗盟州镇乡街接届苏]").search
_TYPED_ENDS = frozenset("璐潞露陆鹿录到倒稻衔衙")
_TYPED = re.compile("[^\\W0-9A-Z]{2,6}(?P<road>[璐潞露陆鹿录]|大[到倒稻]|[衔衙])$")
_ROAD = (
    dict.fromkeys("璐潞露陆鹿录", "路")
    | dict.fromkeys(("大到", "大倒", "大稻"), "大道")
    | dict.fromkeys("衔衙", "街")
)
_ROAD_COST = _SUFFIX_COST = _DOUBLED = 0.2
_SHORT_ROAD = 3
_STEM = re.compile("([^\\W0-9A-Z]{3,6}?)[东西南北中内外]{0,2}[一二三四五六七八九十]?(?:路|街|大道|大街)")
_TOWN = re.compile("(?:(?P<right>街道(?:办事处)?|苏木|办事处|[镇乡])|街[到倒稻]|[接届]道)$")


def find_typos(
    gazetteer: Gazetteer, text: str, chain: Chain, elements: Sequence[Element]
) -> tuple[Correction, ...]:
    """Names that no reading of the gazetteer fits but for one slip, in the order of the text."""
    short, unlisted = [], []
    for element in chain.elements:
        if element.source == "rule":
            unlisted.append(element)
        elif element.value != element.text and element.value.startswith(element.text):
            short.append(element)
    found = list(_unfinished(text, short)) if short else []
    found += _roads(gazetteer, elements)
    context = tuple([division.code for division in chain.divisions[:4]])
    if unlisted and not found:
        found += _unlisted(gazetteer, text, unlisted, context)
    if chain.start:
        found += _before(gazetteer, text, chain, context)
    if len(context[0] if context else "") in _LEVEL and _MAY_END(text, chain.end + 1, chain.end + _LONGEST):
        found += _after(gazetteer, text, chain, context)
    return tuple(sorted(dict.fromkeys(found))) if found else ()


def _unfinished(text: str, elements: Sequence[Element]) -> Iterator[Correction]:
    """Long names of which only the short one was read: 内蒙古自冶区, 承德德市."""
    for element in elements:
        value, start = element.value, element.start
        near: list[tuple[int, int, Near]] = []
        for size in (len(value) - 1, len(value), len(value) + 1):
            written = text[start : start + size]
            if written[-1] == value[-1] and len(written) == size > len(element.text):
                near += [(start, start + size, found) for found in Names({value: (value, ())}).near(written)]
        yield from _choose([item for item in near if item[2].cost < EXTRA or len(value) > _LONG], text)


def _unlisted(
    gazetteer: Gazetteer, text: str, elements: Sequence[Element], context: Codes
) -> Iterator[Correction]:
    """Names in the chain that the tables do not have: a unit on the way to what was read, or one below it."""
    for element in elements:
        if not context or not 2 <= len(element.text) <= _LONGEST:
            continue
        if element.kind in ("district", "devzone", "city", "province"):
            found = tuple(_above(gazetteer, text, element.start, element.end, context, ""))
            wider = tuple(dict.fromkeys(code[:4] for code in context))
            yield from found or _offer(gazetteer, text, wider, [(element.start, element.end)])
        elif element.kind == "town":
            ends = _ENDS["city"].finditer(text, element.start + 1, element.end)
            yield from _offer(gazetteer, text, context, [(element.start, end.end()) for end in ends])


def _before(gazetteer: Gazetteer, text: str, chain: Chain, context: Codes) -> Iterator[Correction]:
    """What stands before the first name that is known: nearly the name of a unit above, or its first character
    once more (甘甘肃省)."""
    first = chain.elements[0] if chain.elements else None
    if chain.start == 1 and first and first.source == "gazetteer" and text[0] == text[1]:
        yield Correction(0, first.end, text[: first.end], first.text, "extra", _DOUBLED)
    if 2 <= chain.start <= _LONGEST:
        yield from _above(gazetteer, text, 0, chain.start, context, "")


def _after(gazetteer: Gazetteer, text: str, chain: Chain, context: Codes) -> Iterator[Correction]:
    """What stands behind the last name that is known, if it looks like a division or a division follows it."""
    level = _LEVEL[len(context[0]) if context else 0]
    start = chain.end
    run = _HAN.match(text, start)
    if run is None:
        return
    spans = [(start, end.end()) for end in _ENDS[level].finditer(text, start + 1, run.end())]
    if spans:
        found = tuple(_offer(gazetteer, text, context or ("",), spans))
        yield from found or (_between(gazetteer, text, start, context) if level else ())


def _between(gazetteer: Gazetteer, text: str, start: int, context: Codes) -> Iterator[Correction]:
    """A short name before the next name that is known: 山东维坊奎文区."""
    for end in range(start + 2, min(start + 5, len(text) - 2)):
        for form in gazetteer.written(text, end):
            if form.length > 2:
                below = tuple(c for c in form.full if c.startswith(context) and c not in context)
                if below:
                    yield from _above(gazetteer, text, start, end, below, context[0])
                    return


def _above(
    gazetteer: Gazetteer, text: str, start: int, end: int, codes: Codes, top: str
) -> Iterator[Correction]:
    """text[start:end] as the slightly wrong name of a unit between `top` and the units that follow it."""
    above = dict.fromkeys(c[:n] for c in codes[:4] for n in (6, 4, 2) if len(top) < n < len(c))
    near = [
        found._replace(cost=round(found.cost * _CONFIRMED, 3))
        for code in above
        if code in gazetteer
        for found in names_of(gazetteer, code).near(text[start:end])
    ]
    yield from _choose([(start, end, found) for found in near], text)


def _offer(
    gazetteer: Gazetteer, text: str, context: Codes, spans: Sequence[tuple[int, int]]
) -> Iterator[Correction]:
    """The best correction of one of the spans, if one is clearly best."""
    near: list[tuple[int, int, Near]] = []
    for start, end in spans:
        written = text[start:end]
        if _is_known(gazetteer, written, context):
            return
        for found in _near(gazetteer, written, context):
            cost = found.cost * (_CONFIRMED if _confirms(gazetteer, text, end, found.codes) else 1)
            near.append((start, end, found._replace(cost=round(cost, 3))))
    yield from _choose(near, text)


def _near(gazetteer: Gazetteer, written: str, context: Codes) -> Iterator[Near]:
    """Names below the context that are one slip away; of a town the suffix may differ (镇 became 街道)."""
    town = _TOWN.search(written)
    for code in context:
        if town is None:
            for found in units_below(gazetteer, code).near(written):
                yield found if code else found._replace(cost=found.cost + _ALONE)
            if code and written.endswith("区"):  # 长春新区 is not 长春高新区 without a character
                yield from (f for f in zones_near(code).near(written) if f.kind in ("homophone", "shape"))
        elif len(code) >= 4:
            towns, bare = (
                towns_below(gazetteer, code),
                guards.stem(written) if town["right"] else written[:-2],
            )
            if bare not in towns.named:
                yield from towns.near(bare) if town["right"] else ()
            elif not town["right"]:
                yield Near(*towns.named[bare], "homophone", _SUFFIX_COST)


def _is_known(gazetteer: Gazetteer, written: str, context: Codes) -> bool:
    """Whether this is a name, of today or formerly, that a unit around or below the context has."""
    form = gazetteer.form(written)
    return form is not None and any(
        c.startswith(d) or d.startswith(c) for c in (*form.full, *form.former) for d in context
    )


def _confirms(gazetteer: Gazetteer, text: str, at: int, codes: Codes) -> bool:
    """Whether a name below these units follows."""
    return any(
        c.startswith(codes) and c not in codes for form in gazetteer.written(text, at) for c in form.full
    )


def _choose(near: Iterable[tuple[int, int, Near]], text: str) -> Iterator[Correction]:
    """The cheapest, unless another name costs hardly more."""
    ranked = sorted(near, key=lambda item: item[2].cost)
    if not ranked:
        return
    start, end, best = ranked[0]
    rivals = [found for _, _, found in ranked if found.name != best.name]
    if best.cost <= _DEAREST and not any(rival.cost < best.cost + _MARGIN for rival in rivals):
        yield Correction(start, end, text[start:end], best.name, best.kind, best.cost, best.codes)


def _roads(gazetteer: Gazetteer, elements: Sequence[Element]) -> Iterator[Correction]:
    """Roads whose last character was mistyped before their number (文三璐123号), and roads named after a city or
    a place that everybody knows (乌鲁木其路). Shorter names are too many to tell a slip from another road."""
    for at, element in enumerate(elements):
        kind, written, start, end, *_ = element
        if kind != "road" and (kind != "poi" or written[-1] not in _TYPED_ENDS):
            continue
        numbered = (
            at + 1 < len(elements) and elements[at + 1].kind == "roadno" and elements[at + 1].start == end
        )
        if numbered and written[-1] in _TYPED_ENDS and (match := _TYPED.fullmatch(written)):
            meant = written[: match.start("road")] + _ROAD[match["road"]]
            yield Correction(start, end, written, meant, "homophone", _ROAD_COST)
        elif kind == "road" and len(written) > _SHORT_ROAD and (match := _STEM.match(written)):
            near = [f for f in known_roads(gazetteer).substituted(match[1]) if f.kind == "homophone"]
            for found in _choose([(0, len(match[1]), found) for found in near], written):
                stretch = start + len(match[1])
                yield found._replace(start=start, end=stretch)
