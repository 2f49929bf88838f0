"""Labelled pairs for tests: three kinds whose labels are plain, so that a share of wrong labels makes a pack too sure."""

from __future__ import annotations

import random

from menpai.verdict import LABELS

CITIES = ("杭州市西湖区", "南京市鼓楼区", "长沙市岳麓区", "成都市武侯区", "武汉市洪山区", "济南市历下区")
ROADS = ("文三路", "学院路", "建设街", "解放大道", "中山北路", "迎宾大道", "黄河路", "新华街")


def written(count: int, wrong: float = 0.0, seed: int = 1) -> list[tuple[str, str, str]]:
    """(a, b, label) for distinct pairs, a third of each label, `wrong` of them labelled by chance."""
    rng = random.Random(seed)
    rows: list[tuple[str, str, str]] = []
    for at in range(count):
        city, road = CITIES[at % len(CITIES)], ROADS[at // 6 % len(ROADS)]
        other = ROADS[(at // 6 + 3) % len(ROADS)]
        first, second = 2 * at + 1, 2 * at + 3
        label = LABELS[at % 3]
        b = (f"{city[3:]}{road}{first}号", f"{city[3:]}{road}{second}号", f"{city[3:]}{other}{second}号")[
            at % 3
        ]
        if rng.random() < wrong:
            label = rng.choice(LABELS)
        rows.append((f"{city}{road}{first}号", b, label))
    return rows


def as_csv(rows: list[tuple[str, ...]], head: str = "address_a,address_b,label") -> bytes:
    """A table of such rows."""
    return "\n".join([head, *(",".join(row) for row in rows), ""]).encode()
