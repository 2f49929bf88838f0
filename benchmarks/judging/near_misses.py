"""Near misses beside rewrites of the same places: how often either is called exact.

    python benchmarks/judging/near_misses.py --data DATA [--count 2000] [--pack PACK] [--errors OUT.tsv]

Bases are addresses of official notices whose county and city are both held back from training's labels. Each slice makes
`count` near misses of one kind and as many rewrites of the same bases, both in the frozen noise of benchmarks/finding,
of which training draws nothing. The same rows each time; changing this file changes RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from menpai import Matcher, Verdict

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks" / "finding")]

from noise import OPERATIONS  # noqa: E402  the frozen operations stand in a folder of scripts
from places import Spot  # noqa: E402

from training.data import fold_of  # noqa: E402
from training.gather import County, Found, read_rows, take_apart  # noqa: E402

COUNT = 2_000
FOLDS, HELD = 5, 0
# A town that is not the place's own makes a pair about which two readers may differ.
REWRITES = tuple(name for name in OPERATIONS if name != "wrong_town")
# Where the divisions tell the two apart, the noise leaves them alone.
_IN_PLACE = ("unit_words", "pinyin_typo", "ocr_shape", "remark_added", "room_added", "character_lost")
_OPPOSITE = {"东": "西", "西": "东", "南": "北", "北": "南"}
_DIRECTED = re.compile(r"[东西南北](?=[一二三四五]?(?:路|街|大街|大道|道)$)")
_PLAIN = re.compile(r"([\u4e00-\u9fff]{2,4})(路|街|大街|大道)")
_PHASES = ("一期", "二期", "三期")
Miss = Callable[[Spot, Random], tuple[Spot, Spot] | None]


class Row(NamedTuple):
    """A pair, and whether both sides are one place."""

    kind: str
    same: bool
    a: str
    b: str


def number(spot: Spot, rng: Random) -> tuple[Spot, Spot] | None:
    """The next house numbers of one road."""
    found = re.fullmatch(r"(\d{1,4})(号|弄)", spot.number)
    if not found:
        return None
    other = int(found[1]) + rng.choice((1, 2, 2, 4, 10))
    return spot, replace(spot, number=f"{other}{found[2]}")


def direction(spot: Spot, rng: Random) -> tuple[Spot, Spot] | None:
    """建设东路12号, 建设西路12号; a road without a direction is given one."""
    if not (spot.road and spot.number):
        return None
    if found := _DIRECTED.search(spot.road):
        road, at = spot.road, found.start()
    elif plain := _PLAIN.fullmatch(spot.road):
        road, at = plain[1] + rng.choice("东西南北") + plain[2], len(plain[1])
    else:
        return None
    turned = road[:at] + _OPPOSITE[road[at]] + road[at + 1 :]
    return replace(spot, road=road), replace(spot, road=turned)


def building(spot: Spot, rng: Random) -> tuple[Spot, Spot] | None:
    """Two buildings of one estate."""
    if not spot.name or spot.number:
        return None
    one = rng.randint(1, 40)
    other = one + rng.choice((1, 1, 2, 3, 10))
    return replace(spot, building=str(one)), replace(spot, building=str(other))


def phase(spot: Spot, rng: Random) -> tuple[Spot, Spot] | None:
    """The same building of two phases of one estate: the phase stands with the building, where no noise hurts it."""
    if not spot.name or spot.number or spot.name.endswith("期"):
        return None
    one, other = rng.sample(_PHASES, 2)
    inside = rng.randint(1, 30)
    return replace(spot, building=f"{one}{inside}"), replace(spot, building=f"{other}{inside}")


def other_city(spot: Spot, rng: Random) -> tuple[Spot, Spot] | None:
    """The same estate or road under a county of another city."""
    if not spot.city or not spot.county:
        return None
    county = rng.choice(_counties())
    if county.city in ("", spot.city) or county.name == spot.county:
        return None
    inside = "" if spot.number else str(rng.randint(1, 30))
    here = replace(spot, town="", building=inside)
    return here, replace(here, province=county.province, city=county.city, county=county.name)


SLICES: dict[str, Miss] = {f.__name__: f for f in (number, direction, building, phase, other_city)}
_known: list[County] = []


def _counties() -> Sequence[County]:
    return _known


def bases(data: Path, held: int) -> list[Spot]:
    """Estates and numbered roads of the held places, in a fixed order, each once."""
    found: dict[str, Spot] = {}
    for at, (province, city, county, place) in enumerate(read_rows(data)):
        _known.append(County(province, "" if city == province else city, county))
        if any(fold_of(name, FOLDS) != held for name in {county, city} - {province}):
            continue
        kind, parts = take_apart(0, place)
        if kind in ("estates", "roads"):
            spot = _spot(f"n{at}", province, "" if city == province else city, county, parts)
            found.setdefault(spot.text, spot)
    _known[:] = sorted(set(_known), key=lambda c: (c.province, c.city, c.name))
    return [found[text] for text in sorted(found)]


def _spot(key: str, province: str, city: str, county: str, parts: Found) -> Spot:
    """A place taken apart, without its community: half of the estates lose their road too."""
    road, number = (parts.road, parts.number) if parts.number or not parts.name else ("", "")
    return Spot(key, province, city, county, parts.town, road, number, parts.name)


def rows(data: Path, count: int, held: int = HELD) -> Iterator[Row]:
    """All slices: the near miss and the rewrite of each base drawn."""
    known = bases(data, held)
    for kind, miss in SLICES.items():
        rng, made = Random(kind), 0
        for at in range(200 * count):
            if made == count:
                break
            if at % len(known) == 0:
                rng.shuffle(known)
            both = miss(known[at % len(known)], rng)
            if both is None:
                continue
            names = _IN_PLACE if kind == "other_city" else REWRITES
            near, far = disturb(both[1], rng, names), disturb(both[0], rng, REWRITES)
            if near is None or far is None or both[0].text in (near, far):
                continue
            made += 1
            yield Row(kind, False, both[0].text, near)
            yield Row(kind, True, both[0].text, far)


def disturb(spot: Spot, rng: Random, names: Sequence[str]) -> str | None:
    """The place with one operation for six in ten, two for the others; None where none applies."""
    wanted = 1 if rng.random() < 0.6 else 2
    late = ("order_changed", "remark_added")
    for name in sorted(rng.sample(names, len(names)), key=lambda n: n in late and wanted == 2):
        if (changed := OPERATIONS[name](spot, rng)) is not None:
            spot, wanted = changed, wanted - 1
            if not wanted:
                return spot.text
    return None


def main() -> None:
    """Print one JSON object a slice."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument(
        "--fold", type=int, default=HELD, help="another fifth of the places: to look at errors"
    )
    parser.add_argument("--pack", default=None)
    parser.add_argument("--errors", type=Path, help="write the pairs called wrong")
    options = parser.parse_args()
    made = list(rows(options.data, options.count, options.fold))
    matcher = Matcher.open(options.pack) if options.pack else Matcher.open()
    verdicts = list(matcher.match_iter(((r.a, r.b) for r in made), evidence=False))
    exact = [isinstance(v, Verdict) and v.label == "exact_match" for v in verdicts]
    for kind in SLICES:
        print(json.dumps({"slice": kind, **_shares(made, exact, kind)}, ensure_ascii=False))
    if options.errors:
        wrong = [
            (r, v)
            for r, v, called in zip(made, verdicts, exact, strict=True)
            if called != r.same and isinstance(v, Verdict)
        ]
        lines = [f"{r.kind}\t{r.same}\t{v.label}\t{r.a}\t{r.b}\n" for r, v in wrong]
        options.errors.write_text("".join(lines), encoding="utf-8")


def _shares(made: Sequence[Row], exact: Sequence[bool], kind: str) -> dict[str, float]:
    """Pairs of each sort, and the percentage of each that is called exact."""
    called = {
        same: [e for r, e in zip(made, exact, strict=True) if r.kind == kind and r.same == same]
        for same in (False, True)
    }
    return {
        "near_misses": len(called[False]),
        "called_exact": round(100 * sum(called[False]) / len(called[False]), 2),
        "rewrites": len(called[True]),
        "rewrites_exact": round(100 * sum(called[True]) / len(called[True]), 2),
    }


if __name__ == "__main__":
    main()
