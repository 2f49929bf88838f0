"""Pairs and clusters as HTML: both addresses drawn by elements, what contradicts marked. Every text is escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple

from menpai.address import Address, Element
from menpai.errors import Language, Problem
from menpai.matcher import Matcher
from menpai.tables.report.facts import Family, Seen
from menpai.tables.report.words import say
from menpai.tables.review.differences import DIFFERS
from menpai.tables.review.explained import explain

Terms = Mapping[str, tuple[str, str]]
_GROUPS = {
    "division": ("province", "city", "district", "town", "community", "village_group", "devzone"),
    "road": ("road", "roadno", "intersection"),
    "spot": ("poi", "subpoi"),
    "inside": ("building", "unit", "floor", "room"),
}
GROUP = {kind: group for group, kinds in _GROUPS.items() for kind in kinds}
_LONGEST = 200
"Characters of an address that are drawn."


class Names(NamedTuple):
    """The language, and what labels and elements are called (zh, en)."""

    language: Language
    labels: Terms
    kinds: Terms

    def of(self, terms: Terms, key: str) -> str:
        """The name of a key; one that is not known stands for itself."""
        return terms[key][self.language != "zh"] if key in terms else key


def drawn(seen: Iterable[Seen], matcher: Matcher, names: Names) -> str:
    """Pairs, each with its label, its similarity and both addresses."""
    return "".join(_pair(each, matcher, names) for each in seen)


def families(clusters: Iterable[Family], names: Names) -> str:
    """Clusters as lists of their rows."""
    return "".join(_family(each, names) for each in clusters)


def _family(family: Family, names: Names) -> str:
    rows = [f'<li lang="zh">{escape(text[:_LONGEST])}</li>' for text in family.texts]
    if (more := family.size - len(family.texts)) > 0:
        rows.append(f"<li>{say(names.language, 'more', count=more)}</li>")
    return (
        f'<div class="pair"><p><b>{escape(family.id)}</b> · {family.size}</p><ul>{"".join(rows)}</ul></div>'
    )


def _pair(seen: Seen, matcher: Matcher, names: Names) -> str:
    pair, language = seen.pair, names.language
    told = explain(pair._replace(a=pair.a[:_LONGEST], b=pair.b[:_LONGEST]), matcher)
    sides = zip((pair.a, pair.b), (pair.id_a, pair.id_b), told.readings, told.marks, strict=True)
    said = " · ".join([
        names.of(names.labels, pair.label), f"{pair.similarity or 0.0:.3f}",
        say(language, "joined" if pair.joined else "apart"),
        say(language, "level", level=names.of(names.kinds, seen.level)),
        *(say(language, "conflict_of", kind=names.of(names.kinds, kind)) for kind in seen.conflicts),
    ])  # fmt: skip
    drawn_sides = "".join(_side(*side, names) for side in sides)
    return f'<div class="pair {escape(pair.label)}"><p>{escape(said)}</p>{drawn_sides}</div>'


def _side(text: str, id_: str, reading: Address | Problem, marks: Mapping[Element, str], names: Names) -> str:
    if isinstance(reading, Problem):
        shown = escape(text[:_LONGEST])
    else:
        shown = "".join(_parts(reading, lambda element: marks.get(element) == DIFFERS, names))
    return f'<p class="address" lang="zh"><small>{escape(id_[:40])}</small> {shown}</p>'


def _parts(address: Address, differs: Callable[[Element], bool], names: Names) -> Iterable[str]:
    """The raw text in its parts, each with the name of its element below."""
    at = 0
    for element in sorted(address.elements, key=lambda each: each.start):
        start, end = address.normalized.raw_span(element.start, element.end)
        if start > at:
            yield _part(address.raw[at:start], "unread", "")
        if end > at:
            kind = names.of(names.kinds, element.kind)
            wrong = differs(element)
            look = GROUP.get(element.kind, "aside") + (" differs" if wrong else "")
            yield _part(address.raw[max(at, start) : end], look, f"≠ {kind}" if wrong else kind)
        at = max(at, end)
    if at < len(address.raw):
        yield _part(address.raw[at:], "unread", "")


def _part(text: str, look: str, below: str) -> str:
    return f'<span class="part {look}"><span>{escape(text)}</span><i>{escape(below)}</i></span>'
