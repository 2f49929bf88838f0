"""Time of normalize and parse against the length of the text, over strings meant to be slow.

Usage: python benchmarks/parsing/growth.py [OUT.svg] [--longest 20000]
Prints, for each family, the time of 10 KB and the exponent of growth (1 is linear); draws all of them.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from pathlib import Path

from menpai.parsing import parse
from menpai.text import normalize

RANDOM = "a random mixture"
FAMILIES = {
    "one digit": "1",
    "digits and dashes": "1-",
    "one character": "路",
    "no suffix": "某",
    "roads": "中山路",
    "numbers": "12号",
    "units": "3幢2单元501室",
    "lists": "1、2、3、",
    "brackets that open": "（",
    "brackets in pairs": "（文三路）",
    "bracket lenticular": "【】",
    "division names": "朝阳区",
    "short names": "长沙",
    "a whole address": "浙江省杭州市西湖区文三路12号",
    "crossings": "文三路与学院路交叉口",
    "directions": "旁边往北200米",
    "numerals": "一千二百三十四",
    "letters": "A座B",
    "spaces": "路 ",
    "phones": "13000000000 ",
    "village words": "村组社",
    "markup": "&nbsp;<br>",
    "signs": ",.;:",
    "mixed": "一1a路（-、区",
    "contradictions": "朝阳区江苏省",
    "closed and never opened": "a】",
    "tags": "<b>",
    RANDOM: "",
}
_TOKENS = (
    "路 街 巷 弄 号 楼 栋 幢 座 单元 室 层 村 组 社区 镇 乡 县 市 省 ( ) 【 】 - — 、 ， 。 · # A b 1 ２ 3 "
    "一 十 百 零 东 西 南 北 大 新 老 朝阳区 长沙 江苏省 中山路 12号 3-2-501 A座 对面 往北200米 交叉口 与 "
    "13000000000 电话 收货人 &nbsp; <b> 高新区 街道办事处 第 附 上海城 ① Ⅳ 臺灣 FLAT 号院 团"
).split()
LENGTHS = (250, 500, 1000, 2000, 4000, 8000, 10000, 16000)


def measure(piece: str, lengths: Sequence[int]) -> list[float]:
    """Seconds of the processor for a text of each length, the better of three."""
    seconds = []
    for length in lengths:
        text = (piece * (length // len(piece) + 1))[:length] if piece else mixture(length)
        runs = []
        for _ in range(3):
            start = time.process_time()
            parse(normalize(text))
            runs.append(time.process_time() - start)
        seconds.append(min(runs))
    return seconds


def mixture(length: int) -> str:
    """Words and signs in random order, the same at every call."""
    return "".join(random.Random(1).choices(_TOKENS, k=length))[:length]


def exponent(lengths: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the line through the points in logarithms, over the longer half."""
    half = len(lengths) // 2
    xs, ys = [math.log(x) for x in lengths[half:]], [math.log(y) for y in seconds[half:]]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs)


def draw(lengths: Sequence[int], found: dict[str, list[float]]) -> str:
    """An SVG with a line for each family; both axes are linear, so a straight line is linear growth."""
    width, height, left, top = 760, 420, 60, 20
    most = max(max(seconds) for seconds in found.values()) * 1e3
    x = lambda n: left + n / lengths[-1] * (width - left - 200)  # noqa: E731
    y = lambda ms: top + (height - top - 40) * (1 - ms / most)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>']  # fmt: skip
    for step in range(5):
        ms, n = most * step / 4, lengths[-1] * step / 4
        parts.append(
            f'<line x1="{left}" x2="{width - 200}" y1="{y(ms):.1f}" y2="{y(ms):.1f}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="{left - 6}" y="{y(ms) + 3:.1f}" text-anchor="end">{ms:.0f} ms</text>')
        parts.append(f'<text x="{x(n):.1f}" y="{height - 22}" text-anchor="middle">{n:,.0f}</text>')
    parts.append(
        f'<text x="{(left + width - 200) / 2:.0f}" y="{height - 6}" text-anchor="middle">characters</text>'
    )
    order = sorted(found, key=lambda name: -found[name][-1])
    for at, name in enumerate(order):
        colour = f"hsl({at * 360 // len(order)},60%,45%)"
        points = " ".join(f"{x(n):.1f},{y(s * 1e3):.1f}" for n, s in zip(lengths, found[name], strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{width - 190}" y="{top + 8 + at * 15}" fill="{colour}">{name}</text>')
    return "\n".join((*parts, "</svg>\n"))


def main() -> None:
    """Print the table, write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("--longest", type=int, default=LENGTHS[-1])
    args = parser.parse_args()
    lengths = [n for n in LENGTHS if n <= args.longest]
    parse(normalize("文三路1号"))
    found = {name: measure(piece, lengths) for name, piece in FAMILIES.items()}
    print("| family | 10,000 characters, ms | exponent |\n|---|---|---|")
    at = lengths.index(10000) if 10000 in lengths else -1
    for name, seconds in sorted(found.items(), key=lambda item: -item[1][at]):
        print(f"| {name} | {seconds[at] * 1e3:.1f} | {exponent(lengths, seconds):.2f} |")
    print(f"\nslowest: {max(seconds[at] for seconds in found.values()) * 1e3:.1f} ms")
    if args.out:
        args.out.write_text(draw(lengths, found), encoding="utf-8")


if __name__ == "__main__":
    main()
