"""What contrasts share: the world they draw neighbours from, their registers, and names made to look alike.

A contrast takes a place and answers both sides and the elements that must stay, or None if it does not apply.
The labels follow the guide with which the gold pairs were judged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol

from training.gather import Corpus, Found
from training.place import Place
from training.points import pairs, words

Both = tuple[Place, Place, Iterable[str]] | None
Contrast = Callable[[Place, Random, "World"], Both]


class Register(Protocol):
    """Takes styles and a weight, answers a decorator."""

    def __call__(self, styles: str, weight: float = 1.0) -> Callable[[Contrast], Contrast]:
        """File a contrast under styles, with a weight."""


Table = dict[str, list[tuple[str, Contrast, float]]]
ZONES = tuple("区期组院号栋队社屯季")  # 一区 and 二区 are parts of one estate, not two places
ORDINALS = "一二三四五六七八九十"
SWAPS = {
    "东": "西南北",
    "西": "东南北",
    "南": "北东西",
    "北": "南东西",
    "上": "下",
    "下": "上",
    "前": "后",
    "后": "前",
    "大": "小",
    "小": "大",
    "新": "老",
    "老": "新",
    "左": "右",
    "右": "左",
}
CONFUSED = {frozenset(row) for row in pairs("confusions")}


@dataclass(slots=True)
class World:
    """The corpus with the position of every county, for drawing neighbours."""

    corpus: Corpus
    index: dict[tuple[str, str], int] = field(default_factory=dict)
    settled: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.index = {(c.city, c.name): i for i, c in enumerate(self.corpus.counties)}
        for kind in ("estates", "villages", "roads"):
            self.settled[kind] = [i for i in sorted(self.corpus.by_county) if self.corpus.near(kind, i)]

    def near(self, kind: str, place: Place) -> list[Found]:
        """Places of one kind in the county of `place`."""
        return self.corpus.near(kind, self.index.get((place.city, place.county), -1))

    def elsewhere(self, rng: Random, place: Place) -> Place:
        """The same place under another county: half the time in the same province."""
        counties = self.corpus.counties
        for _ in range(12):
            county = rng.choice(counties)
            if rng.random() < 0.5 or county.province == place.province:
                break
        town = rng.choice(county.towns) if county.towns and place.town and rng.random() < 0.7 else ""
        return replace(
            place, province=county.province, city=county.city, county=county.name, town=town, community=""
        )


def register(table: Table) -> Register:
    """A decorator that files a contrast in `table` under the styles it suits, with its weight."""

    def suits(styles: str, weight: float = 1.0) -> Callable[[Contrast], Contrast]:
        def keep(contrast: Contrast) -> Contrast:
            for style in styles.split():
                table.setdefault(style, []).append((contrast.__name__, contrast, weight))
            return contrast

        return keep

    return suits


def other_digits(text: str, rng: Random) -> str:
    """Another number near the first one of a text: 123号 → 125号."""
    found = re.search(r"\d+", text)
    if not found:
        return text
    value = int(found[0])
    step = rng.choice((1, 2, 2, 4, 6, 10, 20, rng.randint(1, 200)))
    new = value + step if rng.random() < 0.6 or value <= step else value - step
    if rng.random() < 0.12 and len(found[0]) > 1 and found[0][::-1] != found[0] and found[0][-1] != "0":
        new = int(found[0][::-1])
    return text[: found.start()] + str(new) + text[found.end() :]


def other_label(value: str, rng: Random) -> str:
    """Another building, unit or gate of the same series: 3 → 5, A → C, 东 → 西, 二 → 三."""
    if re.search(r"\d", value):
        letters = [c for c in "ABCDEF" if c != value[0]]
        if value[0] in "ABCDEF" and rng.random() < 0.4:
            return rng.choice(letters) + value[1:]
        return other_digits(value, rng)
    for i, char in enumerate(value):
        for series in ("ABCDEFGH", ORDINALS[:6], "东西南北"):
            if char in series:
                return value[:i] + rng.choice([c for c in series if c != char]) + value[i + 1 :]
    return value


def similar(name: str, rng: Random) -> str:
    """A name with one character of weight changed; the same name where that cannot be done."""
    end = next((e for e in ("小区", "新村", "大厦", "大学", "大酒店") if name.endswith(e)), "")
    name = name.removesuffix(end)
    spots = [
        i for i, c in enumerate(name) if (c in SWAPS or c in ORDINALS) and not name.startswith(ZONES, i + 1)
    ]
    if spots and rng.random() < 0.6:
        at = rng.choice(spots)
        new = rng.choice(SWAPS.get(name[at]) or [c for c in ORDINALS if c != name[at]])
        return name[:at] + new + name[at + 1 :] + end
    if not name or len(name) + len(end) < 3:
        return name + end
    at = rng.randrange(max(1, min(len(name), 3)))
    new = rng.choice(words("tag") + words("surname"))
    if (
        frozenset((name[at], new)) in CONFUSED
        or new == name[at]
        or name.startswith(ZONES, at + 1)
        or not "\u4e00" <= name[at] <= "\u9fff"
    ):
        return name + end
    return name[:at] + new + name[at + 1 :] + end


def series(name: str) -> str:
    """A name without its place in a series of lanes: 南三巷 and 南七巷 are lanes of one street."""
    return re.sub(r"[一二三四五六七八九十]+(?=[巷弄条])", "", name)


def apart(a: str, b: str) -> bool:
    """Names that nobody would take for one another's short form."""
    return bool(a and b) and a not in b and b not in a and series(a) != series(b)


def blank(*names: str) -> dict[str, Any]:
    """Empty values for some elements."""
    return dict.fromkeys(names, "")
