"""Seconds a row over rows as an SVG: both axes logarithmic, one line a command."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 360, 70, 50
_RIGHT, _BOTTOM = 600, 310
_COLOURS = ("#1f6feb", "#d1242f", "#1a7f37")


def plot(lines: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """The drawing: for each name its points (rows, seconds a row)."""
    points = [point for line in lines.values() for point in line]
    low, high = (
        math.floor(math.log10(min(x for x, _ in points))),
        math.ceil(math.log10(max(x for x, _ in points))),
    )
    high = max(high, low + 1)
    most = 2 ** math.ceil(math.log2(max(y for _, y in points) * 1e6) + 0.01)
    octaves = max(4, math.ceil(math.log2(most / (min(y for _, y in points) * 1e6))) + 1)

    def x(rows: float) -> float:
        return _LEFT + (math.log10(rows) - low) / (high - low) * (_RIGHT - _LEFT)

    def y(micros: float) -> float:
        return _TOP + math.log2(most / micros) / octaves * (_BOTTOM - _TOP)

    parts = [_text(_LEFT, 24, "Microseconds a row as tables grow", 15)]
    for decade in range(low, high + 1):
        parts += [
            _line(x(10**decade), _TOP, x(10**decade), _BOTTOM),
            _text(x(10**decade) - 14, _BOTTOM + 18, f"10^{decade}"),
        ]
    for octave in range(octaves + 1):
        value = most / 2**octave
        parts += [_line(_LEFT, y(value), _RIGHT, y(value)), _text(14, y(value) + 4, f"{value:,.0f} µs")]
    for number, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(x(rows), y(seconds * 1e6)) for rows, seconds in line]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{colour}"/>' for a, b in places]
        parts += [_text(a + 6, b - 8, f"{s * 1e6:,.0f}") for (a, b), (_, s) in zip(places, line, strict=True)]
        parts.append(
            f'<text x="{_LEFT + 8}" y="{_BOTTOM + 34 + 14 * number}" fill="{colour}" font-size="12">{name}</text>'
        )
    height = _BOTTOM + 44 + 14 * len(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="sans-serif">\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#d0d7de"/>'


def _text(x: float, y: float, text: str, size: int = 11) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}">{text}</text>'
