"""Frozen typed queries for suggest: what a person types who means a row, and how much of the row that says.

Changing this file changes every figure of suggest in RESULTS.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Any

from noise import by_shape
from places import Spot

from menpai.text.pinyin import syllables

Typed = tuple[str, int]
"""The typed text, and up to which character it says the row's text."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_SUFFIX = re.compile("(?:维吾尔|壮族|回族)?自治区$|[省市区县]$")


def half(spot: Spot, rng: Random) -> Typed | None:
    """The district, then half of what follows it: 西湖区文三路12."""
    head, rest = _split(spot)
    size = (len(rest) + 1) // 2
    return (spot.county + rest[:size], len(head) + size) if rest and spot.county else None


def typo(spot: Spot, rng: Random) -> Typed | None:
    """The same with one slip behind the district: another character of the same sound or shape, one lost, two swapped."""
    found = half(spot, rng)
    if found is None:
        return None
    typed = found[0][len(spot.county) :]
    slipped = _slip(typed, rng)
    return None if slipped is None else (spot.county + slipped, found[1])


def last_initials(spot: Spot, rng: Random) -> Typed | None:
    """From the district on, the last element by its initials: 西湖区文三路hyds."""
    head, rest = _split(spot)
    last = _last(spot)
    if not last or not spot.county or not rest.endswith(last):
        return None
    typed = "".join(_sound(char)[:1] for char in last)
    return (spot.county + rest[: len(rest) - len(last)] + typed, len(head + rest)) if len(typed) > 1 else None


def chinese(spot: Spot, rng: Random) -> Typed | None:
    """The whole address as it stands in the list."""
    return spot.text, len(spot.text)


def short(spot: Spot, rng: Random) -> Typed | None:
    """City and district without their endings, then road or place: 杭州西湖文三路."""
    place = spot.road or spot.name
    if not spot.county or not place or not _split(spot)[1].startswith(spot.town + place):
        return None
    known = _SUFFIX.sub("", spot.city) + (
        _SUFFIX.sub("", spot.county) if len(spot.county) > 2 else spot.county
    )
    return known + place, spot.text.index(place, len(_split(spot)[0])) + len(place)


def pinyin(spot: Spot, rng: Random) -> Typed | None:
    """The district and half of the rest in full pinyin."""
    found = half(spot, rng)
    return None if found is None else (_spoken(found[0]), found[1])


def initials(spot: Spot, rng: Random) -> Typed | None:
    """The district and what follows by initials: xhqwsl1."""
    found = half(spot, rng)
    return None if found is None else ("".join(_sound(char)[:1] for char in found[0]), found[1])


def mixed(spot: Spot, rng: Random) -> Typed | None:
    """The district in characters, half of the rest by initials: 海淀zgc."""
    found = half(spot, rng)
    if found is None:
        return None
    rest = found[0][len(spot.county) :]
    short_name = spot.county[:-1] if len(spot.county) > 2 else spot.county
    return short_name + "".join(_sound(char)[:1] for char in rest), found[1]


def number(spot: Spot, rng: Random) -> Typed | None:
    """District and road, then the first digit of the number: 西湖区文三路1."""
    if not spot.road or not spot.number or not spot.county:
        return None
    end = spot.text.index(spot.number, len(spot.divisions + spot.road)) + 1
    return spot.county + spot.road + spot.number[0], end


def middle(spot: Spot, rng: Random) -> Typed | None:
    """Three characters and more from inside the name, behind the district."""
    if len(spot.name) < 5 or not spot.county:
        return None
    start = rng.randint(1, len(spot.name) - 3)
    return spot.county + spot.name[start:], len(spot.text)


def reordered(spot: Spot, rng: Random) -> Typed | None:
    """The place in front, the district behind: 文三路 西湖区."""
    place = spot.road or spot.name
    if not place or not spot.county:
        return None
    return f"{place} {spot.county}", spot.text.index(place, len(spot.divisions)) + len(place)


KINDS: dict[str, Callable[[Spot, Random], Typed | None]] = {
    f.__name__: f
    for f in (half, typo, last_initials, chinese, short, pinyin, initials, mixed, number, middle, reordered)
}
GOALS = ("half", "typo", "last_initials")


def write(spots: Iterable[Spot], count: int, rng: Random) -> Iterator[dict[str, Any]]:
    """`count` queries for spots drawn by chance; every second one of a kind that has a goal."""
    drawn, seen = list[Spot](), 0
    for spot in spots:
        if spot.county and (spot.road or spot.name):
            seen += 1
            if len(drawn) < count:
                drawn.append(spot)
            elif (at := rng.randrange(seen)) < count:
                drawn[at] = spot
    others = [kind for kind in KINDS if kind not in GOALS]
    for at, spot in enumerate(drawn):
        kinds = [GOALS[at // 2 % len(GOALS)]] if at % 2 else [others[at // 2 % len(others)]]
        for kind in (*kinds, "chinese"):
            found = KINDS[kind](spot, rng)
            if found is not None:
                yield {"kind": kind, "typed": found[0], "said": found[1], "id": spot.id, "text": spot.text}
                break


def _split(spot: Spot) -> tuple[str, str]:
    """The address up to its district, and what follows."""
    head = spot.province + spot.city + spot.county
    return head, spot.text[len(head) :]


def _last(spot: Spot) -> str:
    """The last element of a spot."""
    inside = [
        value + word
        for value, word in zip((spot.building, spot.unit, spot.room), spot.words, strict=True)
        if value
    ]
    return inside[-1] if inside else spot.name or spot.number or spot.road


def _slip(typed: str, rng: Random) -> str | None:
    """One slip in a text, None where it cannot be had."""
    places = [at for at, char in enumerate(typed) if _HAN.match(char)]
    if len(places) < 3:
        return None
    at, way = rng.choice(places), rng.random()
    if way < 0.5 and (
        others := [char for char in _by_sound().get(_sound(typed[at]), "") if char != typed[at]]
    ):
        return typed[:at] + rng.choice(others) + typed[at + 1 :]
    if way < 0.65 and (others := list(by_shape().get(typed[at], ""))):
        return typed[:at] + rng.choice(others) + typed[at + 1 :]
    if way < 0.8 or at + 1 >= len(typed) or typed[at] == typed[at + 1]:
        return typed[:at] + typed[at + 1 :]
    return typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :]


def _spoken(text: str) -> str:
    return "".join(map(_sound, text))


def _sound(char: str) -> str:
    found = syllables(char)
    return found[0] if found else char.lower()


@cache
def _by_sound() -> dict[str, str]:
    """Syllable → common characters that sound so (the first level of GB 2312)."""
    found: dict[str, str] = {}
    for high in range(0xB0, 0xD8):
        for char in bytes(byte for low in range(0xA1, 0xFF) for byte in (high, low)).decode(
            "gb2312", "ignore"
        ):
            for sound in syllables(char)[:1]:
                found[sound] = found.get(sound, "") + char
    return found
