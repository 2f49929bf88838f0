"""From a reading of ours to the spans of a scheme, in the raw text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from menpai.address import Address, Element
from menpai.parsing.schemes.scheme import Scheme
from menpai.parsing.schemes.spans import Tagged

_LANE = re.compile(r"[弄巷条]$")
_YARD = re.compile(r"号大?院$")
_NUMBER = frozenset(("roadno", "building", "unit", "floor", "room"))
_PARK = re.compile(r"(?:工业|产业|科技|高新|开发|物流|软件|创业|创意)园?区?$|(?:工业园|开发|保税|园)区$")
_VILLAGE = re.compile(r"(?<!新)[村庄屯寨]$|村委会?$")
_SECTION = re.compile(r"(?<=[路街道])[东西南北中]段$")
_DIRECTION = re.compile(
    r"斜?对[面过]|正对面?|[东西南北]{1,2}(?:[侧边面头角]|方向)?|[往向朝以][东西南北]{1,2}(?:方向)?|路[东西南北]{1,2}"
)
# A remark that names a place, or what something is beside: (恒基公寓), (碧桂园对面).
_PLACE = re.compile(
    r"\D+(?:公寓|小区|花园|家园|酒店|宾馆|市场|超市|商场|广场|大厦|学校|小学|中学|医院|公司|中心|[店厂苑园城])"
)
_BESIDE = re.compile(r"(?<=\D{3})(?:斜?对[面过]|正对面?|旁边?|附近|隔壁|后面|[东西南北]侧)$")
_INSTITUTION = re.compile(
    "中心|[小中党学]校?|学校|卫生|医院|政府|派出所|车站|客运|街道|办事处|幼儿|[镇乡县]?委|敬老|供电|邮|经济|一中|二中|人民"
)
_DIVISIONS = frozenset(("prov", "city", "district", "town"))
_JOIN = re.compile("[与和及跟]")
_DASH = re.compile("[-~—－]")
_RUN = re.compile(r"中国|[^.]+")
_MUNICIPALITY = re.compile("(北京|上海|天津|重庆)市?")


class Part(NamedTuple):
    """A piece of the normalized text and what part of an address it is (see the table of schemes)."""

    name: str
    start: int
    end: int


def export(address: Address, scheme: Scheme) -> list[Tagged]:
    """The spans that the scheme would have for this reading; offsets are those of the raw text."""
    normalized = address.normalized
    spans = [
        Tagged(tag, *normalized.raw_span(part.start, part.end))
        for part in _parts(address, scheme)
        if (tag := scheme.parts.get(part.name, ""))
    ]
    if normalized.raw != normalized.text and scheme.name != "menpai":
        spans = _said_twice(spans, normalized.raw, set(normalized.offsets))
    spans.extend(_first_of_two(address, scheme))
    if scheme.parts.get("dropped"):
        spans.extend(_dropped(address, scheme, spans))
    return sorted(spans, key=lambda span: span.start)


def _parts(address: Address, scheme: Scheme) -> Iterator[Part]:
    if scheme.name == "menpai":
        yield from (Part(e.kind, e.start, e.end) for e in address.elements)
        return
    before: list[Element] = []
    for at, element in enumerate(address.elements):
        if before:
            yield from _between(address.text, before[-1], element)
        name = _named(element, before, address.elements[at + 1 :])
        section = _SECTION.search(element.text) if name in ("road", "side_road") else None
        if section and scheme.parts["section"]:
            cut = element.start + section.start()
            yield Part(name, element.start, cut)
            yield Part("section", cut, element.end)
        elif name == "assist":
            yield from _remark(element)
        else:
            yield Part(name, element.start, element.end)
        before.append(element)


def _remark(element: Element) -> Iterator[Part]:
    """An assist: the place that it names, and where something stands to it."""
    where = _BESIDE.search(element.text)
    if where is None:
        yield Part("poi" if _PLACE.fullmatch(element.text) else "assist", element.start, element.end)
        return
    cut = element.start + where.start()
    yield Part("poi", element.start, cut)
    yield Part("direction" if _DIRECTION.fullmatch(where[0]) else "assist", cut, element.end)


def _named(element: Element, before: Sequence[Element], after: Sequence[Element]) -> str:
    """What an element is in the finer names of the schemes."""
    kind, text = element.kind, element.text
    last = before[-1] if before else None
    lane = last is not None and last.kind == "roadno" and _LANE.search(last.text)
    if kind == "building" and lane and element.text.endswith("号"):
        return "lane_number"
    if kind == "roadno":
        return _numbered(element, before, after)
    if kind == "province" and _MUNICIPALITY.fullmatch(text):
        return "city"
    if kind == "road" and last is not None and last.kind == "road":
        return "side_road"
    if kind == "poi" and _PARK.search(text):
        return "park"
    if kind == "poi" and _VILLAGE.search(text) and (last is None or last.kind in ("district", "town")):
        return "community"
    if (
        kind in ("community", "poi")
        and last is not None
        and last.kind == "community"
        and _VILLAGE.search(text)
    ):
        return "hamlet"
    if kind == "subpoi" and last is not None and last.kind == "community":
        return "poi"
    if kind == "community" and text.endswith("社区") and after and after[0].kind in ("building", "unit"):
        return "block"
    if kind == "assist" and _DIRECTION.fullmatch(text):
        return "direction"
    return kind


def _numbered(element: Element, before: Sequence[Element], after: Sequence[Element]) -> str:
    """Which kind of number a house number is: of a road, a side road, a lane, a yard, or of a place."""
    last = before[-1] if before else None
    road = next(
        (e for e in reversed(before) if e.kind in ("road", "poi", "community", "village_group")), None
    )
    if _YARD.search(element.text):
        return "part_yard" if last is not None and last.kind == "poi" else "yard"
    if _LANE.search(element.text):
        return "lane" if after and after[0].kind in _NUMBER else "roadno"
    if last is not None and last.kind == "roadno":
        return "lane_number" if _LANE.search(last.text) else "door"
    if road is None or road.kind != "road":
        return "door" if before else "roadno"
    roads = [e for e in before if e.kind == "road"]
    side = len(roads) > 1 and _follow(before, roads[-2], roads[-1])
    return "side_number" if side else "roadno"


def _follow(elements: Sequence[Element], first: Element, second: Element) -> bool:
    """Whether nothing stands between two elements."""
    return elements.index(second) - elements.index(first) == 1


def _between(text: str, last: Element, following: Element) -> Iterator[Part]:
    """与 between two roads, - between two numbers."""
    between = text[last.end : following.start]
    if len(between) != 1:
        return
    if last.kind == following.kind == "road" and _JOIN.fullmatch(between):
        yield Part("join", last.end, following.start)
    if last.kind in _NUMBER and following.kind in _NUMBER and _DASH.fullmatch(between):
        yield Part("dash", last.end, following.start)


def _dropped(address: Address, scheme: Scheme, spans: Sequence[Tagged]) -> Iterator[Tagged]:
    """What normalize left out: repeated divisions, signs, 中国."""
    kept = set(address.normalized.offsets).union(*(range(span.start, span.end) for span in spans))
    gone = "".join("." if at in kept or char.isspace() else char for at, char in enumerate(address.raw))
    for run in _RUN.finditer(gone):
        yield Tagged(scheme.parts["country" if run[0] == "中国" else "dropped"], *run.span())


def _said_twice(spans: Sequence[Tagged], raw: str, kept: set[int]) -> list[Tagged]:
    """A division written twice in a row stands where it was written first; 盐洲镇盐洲镇小学 is a town and its school."""
    out = list(spans)
    for at, (tag, start, end) in enumerate(spans):
        first = 2 * start - end
        if tag not in _DIVISIONS or first < 0 or raw[first:start] != raw[start:end] or start - 1 in kept:
            continue
        out[at] = Tagged(tag, first, start)
        if at + 1 < len(spans) and spans[at + 1].start == end and _INSTITUTION.match(raw, end):
            out[at + 1] = spans[at + 1]._replace(start=start)
    return out


def _first_of_two(address: Address, scheme: Scheme) -> Iterator[Tagged]:
    """北京 before 北京市 is the province in all these schemes; our reading has one element for both."""
    match = _MUNICIPALITY.match(address.raw)
    if match and address.raw.startswith(match[1], match.end()) and scheme.name != "menpai":
        taken = address.normalized.raw_span(address.elements[0].start, 0) if address.elements else (0, 0)
        if taken[0] >= match.end():
            yield Tagged(scheme.parts["province"], match.start(), match.end())
