"""Write labelled pairs without end: a place, a contrast that decides the label, then noise that keeps it.

Run `python -m training.make_pairs --data DIR --out FILE --count N --seed S` for a table to look at.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from random import Random

from training.contrasts import Contrast, Table, World
from training.different import NOT
from training.gather import Corpus, Found, gather
from training.noise import PLACE_OPERATIONS, TEXT_OPERATIONS, Pins, vary_wording
from training.partial import PARTIAL
from training.place import Place, Wording, write
from training.points import point, words

LABELS = ("exact_match", "partial_match", "not_match")
_LABEL_WEIGHTS = (0.35, 0.33, 0.32)
_STYLE_WEIGHTS = {"point": 0.45, "estate": 0.35, "village": 0.12, "road": 0.08}
_NOT_ESTATE = re.compile(
    r"[店馆斋坊铺吧屋局所站校组村屯队厂场部]$|公司|超市|酒店|宾馆|医院|口腔|学校|市场|烧烤|火锅|快餐|药房|诊所|[饭面粥]"
)
_POOLS = {"point": "roads", "estate": "estates", "village": "villages", "road": "roads"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, their label, the operations that made them, and the style they are of."""

    a: str
    b: str
    label: str
    ops: tuple[str, ...]
    style: str


def generate(corpus: Corpus, seed: int, count: int) -> Iterator[Pair]:
    """`count` pairs, the same for the same seed."""
    rng, world = Random(seed), World(corpus)
    tables = {"partial_match": _cumulated(PARTIAL), "not_match": _cumulated(NOT)}
    styles, weights = list(_STYLE_WEIGHTS), list(accumulate(_STYLE_WEIGHTS.values()))
    labels = list(accumulate(_LABEL_WEIGHTS))
    for _ in range(count):
        label = rng.choices(LABELS, cum_weights=labels)[0]
        style = rng.choices(styles, cum_weights=weights)[0]
        pair = None
        while pair is None:
            pair = _attempt(rng, world, style, label, tables)
        yield pair


def strings(corpus: Corpus, seed: int, count: int) -> Iterator[str]:
    """Single texts for masked characters: half from the sources as they stand, half written here."""
    rng = Random(seed)
    for pair in generate(corpus, seed, count):
        yield rng.choice(corpus.strings) if rng.random() < 0.5 else pair.a


Drawable = dict[str, tuple[list[tuple[str, Contrast]], list[float]]]


def _cumulated(table: Table) -> Drawable:
    """Contrasts by style, ready to draw by weight."""
    return {
        s: ([(n, c) for n, c, _ in rows], list(accumulate(w for *_, w in rows))) for s, rows in table.items()
    }


def _attempt(rng: Random, world: World, style: str, label: str, tables: dict[str, Drawable]) -> Pair | None:
    """One pair, or None where the drawn contrast does not fit the drawn place."""
    base = draw(rng, world, style)
    if label == "exact_match":
        name, pins = "same_place", frozenset({"zone", "building", "part"})
        a = b = base
    else:
        contrasts, weights = tables[label][style]
        name, contrast = rng.choices(contrasts, cum_weights=weights)[0]
        both = contrast(base, rng, world)
        if both is None:
            return None
        a, b, pins = both[0], both[1], frozenset(both[2]) | {"part", "zone", "building"}
    lead = rng.random()
    text_a, ops_a = _side(rng, a, pins, style, user=lead < 0.85)
    text_b, ops_b = _side(rng, b, pins | _needed(ops_a), style, user=lead < 0.12)
    if (
        len(text_a) < 3
        or len(text_b) < 3
        or (text_a == text_b and (label != "exact_match" or rng.random() < 0.9))
    ):
        return None
    if rng.random() < 0.5:
        text_a, text_b = text_b, text_a
    return Pair(text_a, text_b, label, (name, *dict.fromkeys(ops_a + ops_b)), style)


def _needed(ops: list[str]) -> Pins:
    """What the second side must keep, given what the first one lost, so that both still name one thing."""
    if "drop_name" in ops:
        return frozenset({"road", "number"})
    lost = {"drop_road", "drop_number", "drop_branch"} & set(ops)
    keep = {"name", "branch"} if lost else set[str]()
    keep |= {"road", "number"} if "drop_branch" in ops else set()
    return frozenset(keep | {"room"} if "add_room" in ops else keep)


def _side(rng: Random, place: Place, pins: Pins, style: str, *, user: bool) -> tuple[str, list[str]]:
    """One side in one writer's hand; a standard side keeps all but a few upper divisions."""
    wording, ops = Wording(), list[str]()
    if style == "point":
        wording.gap = rng.choice(("", "", " "))
    if not user:
        if rng.random() < 0.25 and place.city:
            place = replace(place, province="")
        if rng.random() < 0.15:
            wording.brackets = "（）"
        if rng.random() < 0.3 and not {"town"} & pins:
            place = replace(place, town="", community="")
        return write(place, wording), ops
    for name, (operation, chance) in PLACE_OPERATIONS.items():
        if name == "add_room" and "drop_unit_room" in ops:
            continue
        if (
            rng.random() < (chance if style != "point" else chance**0.8)
            and (changed := operation(place, rng, pins)) is not None
        ):
            place = changed
            ops.append(name)
    ops += vary_wording(wording, rng, place, pins)
    text = write(place, wording)
    for name, (edit, chance) in TEXT_OPERATIONS.items():
        if text and rng.random() < chance and (edited := edit(text, rng, place)) != text:
            text = edited
            ops.append(name)
    return text, ops


def draw(rng: Random, world: World, style: str) -> Place:
    """A place of one style; half the draws take every county alike, so that no city rules."""
    corpus, kind = world.corpus, _POOLS[style]
    found = rng.choice(
        corpus.near(kind, rng.choice(world.settled[kind])) if rng.random() < 0.6 else getattr(corpus, kind)
    )
    place = _place(corpus, found)
    if style == "estate":
        return _with_inside(rng, replace(place, kind="estate"))
    if style == "village":
        part = rng.choice((f"{rng.randint(1, 15)}组", f"{rng.randint(1, 300)}号", "", ""))
        return replace(place, kind="village", part=part)
    if style == "point":
        return point(rng, replace(_elsewhere_road(rng, world, place), kind="point"))
    return replace(place, kind="road")


def _elsewhere_road(rng: Random, world: World, place: Place) -> Place:
    """Real roads come from few cities: spread them, and made-up ones, over all counties."""
    road = place.road
    if rng.random() < 0.5:
        road = rng.choice(words("road")) + rng.choice(
            ("路", "路", "街", "大道", "东路", "西路", "南路", "北路", "中路", "大街", "一路", "巷")
        )
    if rng.random() < 0.6:
        county = rng.choice(world.corpus.counties)
        town = rng.choice(county.towns) if county.towns and rng.random() < 0.5 else ""
        place = replace(
            place, province=county.province, city=county.city, county=county.name, town=town, community=""
        )
    number = (
        place.number
        if "弄" not in place.number or place.county[:2] in ("浦东",)
        else f"{rng.randint(1, 999)}号"
    )
    return replace(place, road=road, number=number or f"{rng.randint(1, 999)}号", community="")


def _with_inside(rng: Random, place: Place) -> Place:
    """An estate, usually with a building, sometimes a unit and a room."""
    if rng.random() < 0.12:
        place = replace(place, zone=rng.choice(("一期", "二期", "A区", "B区", "南区", "北区", "东区")))
    if rng.random() < 0.25:
        return place
    if _NOT_ESTATE.search(place.name) and rng.random() < 0.9:
        return replace(place, zone="")
    building = (
        rng.choice(("A", "B", "C", f"A{rng.randint(1, 9)}", f"B{rng.randint(1, 20)}"))
        if rng.random() < 0.12
        else str(rng.randint(1, 40))
    )
    unit = rng.choice("123456") if rng.random() < 0.5 else ""
    room = f"{rng.randint(1, 18)}0{rng.randint(1, 4)}" if rng.random() < 0.15 else ""
    return replace(place, building=building, unit=unit, room=room)


def _place(corpus: Corpus, found: Found) -> Place:
    """A found place under its divisions."""
    county = corpus.counties[found.county]
    return Place(
        county.province,
        county.city,
        county.name,
        found.town,
        found.community,
        found.road,
        found.number,
        name=found.name,
    )


def write_pairs(data: Path, out: Path, count: int, seed: int) -> None:
    """Write `count` pairs as a table; the file appears under its name when it is complete."""
    part = out.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(("a", "b", "label", "ops", "style"))
        for pair in generate(gather(data), seed, count):
            table.writerow((pair.a, pair.b, pair.label, " ".join(pair.ops), pair.style))
    part.replace(out)


def main() -> None:
    """Write a table of pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write_pairs(args.data, args.out, args.count, args.seed)


if __name__ == "__main__":
    main()
