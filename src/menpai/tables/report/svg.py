"""Charts as SVG, made by hand: bars, shares against shares, points on a map. Colours come from the page's classes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from menpai.evidence.coordinates import Point

_WIDTH, _HEIGHT, _LEFT, _TOP, _BELOW = 640, 220, 56, 16, 24
_MAP = 560
METRES = 111_320.0
"Metres of a degree of latitude."


def bars(
    series: Mapping[str, Sequence[int]], labels: Sequence[str], title: str, marks: Mapping[str, float] = {}
) -> str:
    """Bars of counts, stacked by series (the class of each is its name); `labels` are the edges of the bars, one more than
    there are bars; `marks` are named lines, as shares of the width.

    The count stands above each bar, for small ones beside great ones cannot be seen."""
    count = len(labels) - 1
    totals = [sum(values[at] for values in series.values()) for at in range(count)]
    top = max(max(totals, default=0), 1)
    step = (_WIDTH - _LEFT - 16) / max(count, 1)
    parts = [_axis(top)]
    for at in range(count):
        y = float(_TOP + _HEIGHT)
        for name, values in series.items():
            tall = _HEIGHT * values[at] / top
            y -= tall
            if values[at]:
                parts.append(
                    f'<rect class="{name}" x="{_LEFT + at * step + 1:.1f}" y="{y:.1f}" width="{step - 2:.1f}" '
                    f'height="{max(tall, 0.6):.1f}"><title>{escape(labels[at])}: {values[at]:,}</title></rect>'
                )
        if totals[at]:
            x = _LEFT + (at + 0.5) * step
            parts.append(
                f'<text class="count" x="{x:.1f}" y="{y - 3:.1f}" text-anchor="middle">{totals[at]:,}</text>'
            )
    every = max(1, count // 10)
    parts += [
        _text(_LEFT + at * step, _TOP + _HEIGHT + 16, label, "middle")
        for at, label in enumerate(labels)
        if at % every == 0
    ]
    for name, share in marks.items():
        x = _LEFT + share * step * count
        parts.append(f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{_TOP + _HEIGHT}"/>')
        parts.append(_text(x + 3, _TOP + 10, name))
    return _svg(_WIDTH, _TOP + _HEIGHT + _BELOW, title, parts)


def across(counts: Sequence[tuple[str, int]], title: str) -> str:
    """Bars that lie, one a line, with names before and counts behind."""
    top = max((count for _, count in counts), default=1)
    parts = []
    for at, (name, count) in enumerate(counts):
        y, wide = 6 + at * 24, 360 * count / max(top, 1)
        parts.append(_text(150, y + 15, name, "end"))
        parts.append(f'<rect class="plain" x="158" y="{y}" width="{max(wide, 1):.1f}" height="18"/>')
        parts.append(_text(166 + wide, y + 15, f"{count:,}"))
    return _svg(_WIDTH, 12 + 24 * len(counts), title, parts)


def against(bins: Sequence[tuple[int, float, float]], title: str, across_: str, up: str) -> str:
    """Shares against sureness: a circle for each bin, its area the number of pairs; on the line both agree."""
    size, left = 300.0, 50.0
    most = max((number for number, _, _ in bins), default=1)
    parts = [
        f'<line class="axis" x1="{left}" y1="{size + 10}" x2="{left + size}" y2="10" stroke-dasharray="4 4"/>'
    ]
    parts.append(f'<rect class="frame" x="{left}" y="10" width="{size}" height="{size}"/>')
    for share in (0, 0.5, 1):
        parts.append(_text(left + share * size, size + 28, f"{share:g}", "middle"))
        parts.append(_text(left - 6, 14 + (1 - share) * size, f"{share:g}", "end"))
    for number, sure, right in bins:
        radius = 3 + 9 * math.sqrt(number / most)
        parts.append(
            f'<circle class="plain" cx="{left + sure * size:.1f}" cy="{10 + (1 - right) * size:.1f}" r="{radius:.1f}">'
            f"<title>{number:,}: {sure:.2f} → {right:.2f}</title></circle>"
        )
    parts += [_text(left + size / 2, size + 46, across_, "middle"), _text(left + size + 10, 24, up)]
    return _svg(_WIDTH, int(size) + 56, title, parts)


def scatter(points: Mapping[str, Sequence[Point]], title: str) -> str:
    """Points (latitude, longitude) where they lie, north up, with a bar that shows a length; no map behind them."""
    every = [point for listed in points.values() for point in listed]
    south, north = min(lat for lat, _ in every), max(lat for lat, _ in every)
    west, east = min(lon for _, lon in every), max(lon for _, lon in every)
    narrow = max(0.02, math.cos(math.radians((south + north) / 2)))
    span = max((north - south), (east - west) * narrow, 1e-5) * 1.04
    scale, middle = _MAP / span, ((south + north) / 2, (west + east) / 2)
    parts = [f'<rect class="frame" x="0" y="0" width="{_MAP}" height="{_MAP}"/>']
    for name, listed in points.items():
        dots = "".join(
            f"M{_MAP / 2 + (lon - middle[1]) * narrow * scale:.1f} {_MAP / 2 - (lat - middle[0]) * scale:.1f}h0"
            for lat, lon in listed
        )
        parts.append(f'<path class="dots {name}" d="{dots}"/>')
    length = round_length(span * METRES / 4)
    wide = length / METRES * scale
    parts.append(f'<path class="bar" d="M16 {_MAP - 26}v8h{wide:.1f}v-8"/>')
    parts.append(
        _text(
            16 + wide / 2, _MAP - 30, f"{length:g} m" if length < 1000 else f"{length / 1000:g} km", "middle"
        )
    )
    return _svg(_MAP, _MAP, title, parts)


def round_length(metres: float) -> float:
    """The greatest of 1, 2, 5, 10, 20, … that is no longer."""
    tens = 10.0 ** math.floor(math.log10(max(metres, 1.0)))
    return next(step * tens for step in (5, 2, 1) if step * tens <= max(metres, 1.0))


def _axis(top: int) -> str:
    y = _TOP + _HEIGHT
    lines = f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - 8}" y1="{y}" y2="{y}"/>'
    return lines + _text(_LEFT - 6, _TOP + 6, f"{top:,}", "end") + _text(_LEFT - 6, y, "0", "end")


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}" '
        f'style="max-width:{width}px">{"".join(parts)}</svg>'
    )
