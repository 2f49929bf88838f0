"""Verdicts and addresses as HTML for notebooks: nothing is fetched, every text is escaped, light and dark both read well."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from menpai.address import Address
from menpai.door import language_of_settings, parse
from menpai.errors import Language, MenpaiError
from menpai.evidence import Relation, compare
from menpai.explaining.segments import segments
from menpai.explaining.sentence import sentence
from menpai.verdict import Verdict
from menpai.words import KINDS, LABELS

_COLOURS = {"exact_match": "#2e9e5b", "partial_match": "#c98a00", "not_match": "#d0453c"}
_MARKS = {
    Relation.EQUAL: "#2e9e5b",
    Relation.SIMILAR: "#2e9e5b",
    Relation.CONTAINS: "#c98a00",
    Relation.DIFFERS: "#d0453c",
}
_REASONS = 6
_PART = "display:inline-block;text-align:center;margin:0 1px;border-bottom:2px {line} {colour}"
_SMALL = "font-size:75%;opacity:.7"


def verdict_html(verdict: Verdict) -> str:
    """Both addresses with their elements (green: equal, red: different, dashed: only here), label and reasons."""
    language = language_of_settings()
    label = LABELS[verdict.label][language == "en"]
    similarity = "相似度" if language == "zh" else "similarity"
    head = (
        f'<div><b style="color:{_COLOURS[verdict.label]}">{escape(label)}</b> '
        f'<span style="{_SMALL}">{similarity} {verdict.similarity:.3f}</span></div>'
    )
    body = [
        head,
        *_texts(verdict, language),
        f"<div>{escape(sentence(verdict, language))}</div>",
        *_reasons(verdict),
    ]
    by = f"{verdict.decided_by}, {verdict.pack}, {verdict.behaviour}"
    return _framed([*body, f'<div style="{_SMALL}">{escape(by)}</div>'])


def address_html(address: Address) -> str:
    """The text with its elements under it."""
    return _framed([_row(address, {}, language_of_settings())])


def _framed(rows: Iterable[str]) -> str:
    return f'<div class="menpai" style="line-height:1.5">{"".join(rows)}</div>'


def _texts(verdict: Verdict, language: Language) -> list[str]:
    """Both addresses drawn; as plain text where one cannot be read again."""
    if verdict.texts is None:
        return []
    try:
        a, b = (parse(text) for text in verdict.texts)
    except MenpaiError:
        return [f"<div>{escape(text)}</div>" for text in verdict.texts]
    relations = compare(a, b).relations
    return [_row(side, relations, language) for side in (a, b)]


def _row(address: Address, relations: dict[str, Relation], language: Language) -> str:
    parts = []
    for segment in segments(address):
        kind = segment.element.kind if segment.element else ""
        relation = relations.get("road" if kind == "intersection" else kind, Relation.ABSENT)
        line = "dashed" if relation == Relation.MISSING else "solid" if kind else "dotted"
        style = _PART.format(line=line, colour=_MARKS.get(relation, "#8888"))
        name = KINDS[kind][language == "en"] if kind in KINDS else "&nbsp;"
        parts.append(
            f'<span style="{style}">{escape(segment.text)}<br><span style="{_SMALL}">{name}</span></span>'
        )
    return f'<div title="{escape(address.raw)}">{"".join(parts)}</div>'


def _reasons(verdict: Verdict) -> list[str]:
    strongest = sorted(verdict.evidence, key=lambda reason: -abs(reason.weight))[:_REASONS]
    return [
        f'<div style="{_SMALL}"><code style="color:{"#2e9e5b" if e.weight > 0 else "#d0453c"}">{e.weight:+.2f}</code> '
        f"{escape(e.text)}</div>"
        for e in strongest
    ]
