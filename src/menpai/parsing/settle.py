"""Where the rules are unsure of names, the tagger settles where each begins and ends, and what it is.

Divisions of the gazetteer and numbers with their unit words stand; between them lie stretches of names. A stretch
with a doubtful name is read by the tagger. Its spans replace the rules' if it is sure of them, and if what a suffix
or a word of a closed list has shown (文三路, 引凤社区, 对面) still ends where it ended: only its beginning may move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from menpai.address import Address, Element
from menpai.parsing import values
from menpai.settings import Settings

if TYPE_CHECKING:  # both need numpy, which reading by rules does without
    from menpai.parsing.spans import Span
    from menpai.parsing.tagger import Tagger


NAMES = frozenset(
    ("town", "community", "village_group", "devzone", "road", "intersection", "poi", "subpoi", "assist")
)
# An element of which a rule is less sure than this is doubtful; the end of any other stands.
UNSURE = 0.82
# The tagger's word counts if it is at least this sure of the least certain character of a stretch.
SURE = 0.2
# To make one name of two it must be surer: the rules had a reason to part them.
SURE_TO_JOIN = 0.5
# Kinds that the rules read from closed lists of words alone.
_SHOWN = frozenset(("town", "devzone"))
# Most characters of a place that is surely one name.
_ONE_NAME = 5
# What is left of a name that is split; a lane or section belongs to its road.
_SHORTEST_NAME = 3
_SECTION = re.compile(r"[\d东西南北中上下]*(?:段|巷|弄|支)")

_VALUES: dict[str, Callable[[str], str]] = {
    "road": values.road, "community": values.community, "village_group": values.group, "poi": values.place,
    "subpoi": values.digits,
}  # fmt: skip


class Stretch(NamedTuple):
    """elements[first:last], names that follow each other in text[start:end]."""

    first: int
    last: int
    start: int
    end: int


def settler(settings: Settings) -> Callable[[Sequence[Address]], list[Address]]:
    """What the settings ask for: readings as the tagger of their pack settles them, or as they are."""
    if not settings.tagger:
        return list
    from menpai.parsing.tagger import open_tagger  # noqa: PLC0415 (numpy and ONNX Runtime, which the rules do without)

    return partial(settle, tagger=open_tagger(settings.pack))


def settle(addresses: Sequence[Address], tagger: Tagger) -> list[Address]:
    """The readings in order, those with doubtful names as the tagger settles them."""
    doubtful = {at: found for at, address in enumerate(addresses) if (found := list(stretches(address)))}
    parts = [_around(addresses[at], found) for at, found in doubtful.items()]
    spans = tagger.tag([addresses[at].text[part] for at, part in zip(doubtful, parts, strict=True)])
    settled = list(addresses)
    for (at, found), part, proposed in zip(doubtful.items(), parts, spans, strict=True):
        moved = [s._replace(start=s.start + part.start, end=s.end + part.start) for s in proposed]
        settled[at] = _settled(addresses[at], found, moved)
    return settled


def _around(address: Address, found: Sequence[Stretch]) -> slice:
    """What the tagger reads: the text behind the divisions, up to the element that follows the last stretch."""
    elements, first = address.elements, 0
    while first < found[0].first and elements[first].source == "gazetteer":
        first += 1
    last = min(found[-1].last, len(elements) - 1)
    return slice(elements[first].start, elements[last].end)


def stretches(address: Address) -> Iterator[Stretch]:
    """The stretches of names in which a rule is unsure of one."""
    elements, at = address.elements, 0
    while at < len(elements):
        last = at
        while last < len(elements) and _is_name(elements[last]) and _follows(elements, at, last):
            last += 1
        start, end = elements[at].start, elements[max(at, last - 1)].end
        unsure = any(element.confidence < UNSURE for element in elements[at:last])
        if unsure and (last - at > 1 or end - start > _ONE_NAME):
            yield Stretch(at, last, start, end)
        at = max(last, at + 1)


def _is_name(element: Element) -> bool:
    return element.source == "rule" and element.kind in NAMES


def _follows(elements: Sequence[Element], first: int, at: int) -> bool:
    """Whether nothing, not even a bracket or comma, stands before elements[at] in the stretch."""
    return at == first or elements[at].start == elements[at - 1].end


def _settled(address: Address, found: Sequence[Stretch], spans: Sequence[Span]) -> Address:
    """The address with the spans in place of the rules' names, stretch by stretch, where they hold."""
    elements = list(address.elements)
    for stretch in reversed(found):
        inside = [span for span in spans if span.start < stretch.end and span.end > stretch.start]
        before = elements[stretch.first : stretch.last]
        if _holds(stretch, before, inside):
            known = {(element.kind, element.start, element.end): element for element in before}
            elements[stretch.first : stretch.last] = [
                known.get((span.kind, span.start, span.end)) or _element(address.text, span)
                for span in inside
            ]
    return replace(address, elements=tuple(elements)) if elements != list(address.elements) else address


def _holds(stretch: Stretch, elements: Sequence[Element], spans: Sequence[Span]) -> bool:
    """Whether the tagger is sure of names that fill the stretch, reach no further and keep what is shown."""
    if not spans or spans[0].start != stretch.start or spans[-1].end != stretch.end:
        return False
    joins = not {element.end for element in elements} <= {span.end for span in spans}
    least = SURE_TO_JOIN if joins else SURE
    if any(span.kind not in NAMES or span.confidence < least for span in spans):
        return False
    ends = {(span.kind, span.end): span.start for span in spans}
    return all(
        _keeps(element, ends.get((element.kind, element.end), -1))
        if element.confidence >= UNSURE or element.kind in _SHOWN
        else not _splits(element, spans)
        for element in elements
    )


def _splits(element: Element, spans: Sequence[Span]) -> bool:
    """Whether a span begins within a name so short that it is one: 天府兰台."""
    short = element.end - element.start <= _ONE_NAME
    return short and any(element.start < span.start < element.end for span in spans)


def _keeps(element: Element, start: int) -> bool:
    """Whether a span of the same kind and end may take the place of an element of which a rule is sure."""
    if start == element.start or start < 0 or element.kind == "assist":
        return start == element.start
    kept = element.text[max(0, start - element.start) :]
    return start > element.start and len(kept) >= _SHORTEST_NAME and not _SECTION.match(kept)


def _element(text: str, span: Span) -> Element:
    written = text[span.start : span.end]
    value = _VALUES.get(span.kind, str)(written)
    return Element(span.kind, written, span.start, span.end, value, "tagger", span.confidence)
