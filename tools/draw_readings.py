"""Draws the pictures of docs/*/parsing.md: what menpai reads in example addresses of ours, in both languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from menpai.address import Address
from menpai.cli.console import width
from menpai.cli.drawing import Segment, segments
from menpai.cli.language import say, speak, spoken
from menpai.cli.words import KINDS, SOURCES, word
from menpai.errors import Language
from menpai.parsing import parse
from menpai.parsing.gazetteer import default
from menpai.parsing.styles import line
from menpai.text import normalize

FOLDER = Path(__file__).parents[1] / "docs" / "images"
EXAMPLES = {
    "whole": "北京市朝阳区望京街道望京园603号楼13层1603室",
    "written": "杭州余杭区海月花园二期３＃五楼（到了联系 13000000000）",
    "former": "上海市闸北区共和新路1弄2号301室",
    "crossing": "杭州市西湖区文三路与学院路交叉口往北200米",
    "village": "江苏省海门市三厂镇中华村五组12号",
    "doubt": "朝阳区建国路8号",
    "conflict": "广东省南昌市南山区科苑路15号",
}
# Kinds by what they are → fill and stroke.
_COLOURS = {
    ("province", "city", "district", "town", "community", "village_group", "devzone"): ("#e3f0e8", "#3d7a58"),
    ("road", "roadno", "intersection"): ("#e4ecf8", "#3f66a5"),
    ("poi", "subpoi"): ("#f8eedd", "#9a6a1f"),
    ("building", "unit", "floor", "room"): ("#f3e6f2", "#87498a"),
    ("assist", "distance"): ("#ececec", "#6b6b6b"),
}
_HALF, _SIZE, _GAP, _MOST = 9, 17, 6, 860


def picture(text: str, language: Language) -> str:
    """The SVG of one reading: text in boxes, kinds below, then what the reading says as a whole."""
    before = spoken()
    speak(language)
    try:
        return _svg(parse(normalize(text)))
    finally:
        speak(before)


def _svg(address: Address) -> str:
    parts = [f'<text x="10" y="22" font-size="13" fill="#666">{escape(address.raw)}</text>']
    x, y, widest = 10, 38, 10 + width(address.raw) * 7
    for segment in segments(address):
        size = _width(segment)
        if x + size > _MOST:
            x, y = 10, y + 78
        parts += _box(segment, x, y, size)
        x += size + _GAP
        widest = max(widest, x)
    for note in _notes(address):
        y += 20
        parts.append(f'<text x="10" y="{y + 68}" font-size="13">{escape(note)}</text>')
        widest = max(widest, 10 + width(note) * 7)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest + 10} {y + 84}" width="{widest + 10}" '
        f'font-family="Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif">'
    )
    return "\n".join(
        (head, f'<rect width="{widest + 10}" height="{y + 84}" fill="#fff"/>', *parts, "</svg>\n")
    )


def _width(segment: Segment) -> int:
    labels = [_kind(segment), _source(segment)]
    return max(width(segment.text) * _HALF + 12, max(map(width, labels)) * 7 + 6)


def _box(segment: Segment, x: int, y: int, size: int) -> Iterator[str]:
    kind = segment.element.kind if segment.element else ""
    fill, stroke = next((c for kinds, c in _COLOURS.items() if kind in kinds), ("#fff", "#bbb"))
    dash = "" if kind else ' stroke-dasharray="3 3"'
    middle = f'x="{x + size / 2:g}" text-anchor="middle"'
    yield f'<rect x="{x}" y="{y}" width="{size}" height="30" rx="4" fill="{fill}" stroke="{stroke}"{dash}/>'
    yield f'<text {middle} y="{y + 21}" font-size="{_SIZE}">{escape(segment.text.strip())}</text>'
    yield f'<text {middle} y="{y + 45}" font-size="12" fill="{stroke}">{_kind(segment)}</text>'
    yield f'<text {middle} y="{y + 60}" font-size="11" fill="#999">{_source(segment)}</text>'


def _kind(segment: Segment) -> str:
    return word(KINDS, segment.element.kind) if segment.element else ""


def _source(segment: Segment) -> str:
    return word(SOURCES, segment.element.source) if segment.element else ""


def _notes(address: Address) -> Iterator[str]:
    """Code, former names, conflicts, what else it could be, and the standard line."""
    named = [f"{d.code} {_full(d.code)}" for d in address.divisions[:3]]
    more = len(address.divisions) - len(named)
    yield f"{say('区划', 'division')}: {_listed(named)}{f' (+{more})' if more > 0 else ''}" if named else ""
    for former in address.former:
        since = f" ({former.kind}, {former.date})" if former.date else ""
        yield f"{say('旧名', 'former name')}: {former.written} → {_listed([_full(c) for c in former.codes])}{since}"
    for conflict in address.conflicts:
        yield f"{say('矛盾', 'conflict')}: {conflict.written} ≠ {conflict.against}"
    if address.settled_by:
        yield f"{say('可由此定夺', 'settled by')}: {_listed([word(KINDS, kind) for kind in address.settled_by])}"
    yield f"{say('标准地址', 'standard line')}: {line(address)}"


def _full(code: str) -> str:
    units = default()
    return "".join(
        units.division(code[:n]).name for n in (2, 4, 6, 9) if n <= len(code) and code[:n] in units
    )


def _listed(texts: Sequence[str]) -> str:
    return say("、", ", ").join(texts)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for language in ("en", "zh"):
        for name, text in EXAMPLES.items():
            (FOLDER / f"reading-{name}.{language}.svg").write_text(picture(text, language), "utf-8")


if __name__ == "__main__":
    main()
