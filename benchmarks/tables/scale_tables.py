"""Tables of any size for scale.py, the same each time: two to link, and one to de-duplicate.

Half of the rows are numbers, buildings and rooms of one city, half villages, notices and estates of the nation (the two
lists of benchmarks/finding, a million rows each), taken in stretches of ten neighbours. Noise is the frozen noise of
benchmarks/finding without `room_added` and `room_dropped`, as in clusters.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from random import Random

import clusters
import places
from places import Spot

_STRETCH = 10
_ABSENT = 0.1
"Left rows whose place the right table does not have."
_CITY, _NATION = 6, 4
"Every how many stretches rows of the table to de-duplicate are drawn from: as dense at each size."
_SEED = 20261130
Files = tuple[Path, Path, Path]


def link_tables(data: Path, work: Path, left: int, right: int) -> Files:
    """LEFT and RIGHT (id, address), and the true pairs (left id, right id; nothing for a place that RIGHT lacks)."""
    stem = f"link-{left}x{right}"
    files = work / f"{stem}.left.tsv", work / f"{stem}.right.tsv", work / f"{stem}.truth.tsv"
    if all(file.exists() for file in files):
        return files
    rng, kept, others = Random(_SEED), list[Spot](), list[Spot]()
    seen = set[str]()
    share = right / 2_000_000
    for at, spot in enumerate(_both(data)):
        if spot.text in seen:
            continue
        seen.add(spot.text)
        inside = int((at // 2 // _STRETCH + 1) * share) > int(at // 2 // _STRETCH * share) or share >= 1
        if inside and len(kept) < right:
            kept.append(spot)
        elif _known(spot):
            others.append(spot)
    asked = [spot for spot in kept if _known(spot)]
    absent = rng.sample(others, min(len(others), int(left * _ABSENT)))
    drawn = [(spot, spot.id) for spot in rng.sample(asked, left - len(absent))] + [(s, "") for s in absent]
    rng.shuffle(drawn)
    rng.shuffle(kept)
    _write(files[1], ("id", "address"), ((spot.id, spot.text) for spot in kept))
    _write(
        files[0], ("id", "address"), ((f"L{n}", clusters.disturbed(s, rng)) for n, (s, _) in enumerate(drawn))
    )
    _write(files[2], ("left", "right"), ((f"L{n}", key) for n, (_, key) in enumerate(drawn)))
    return files


def dedupe_table(data: Path, work: Path, rows: int) -> tuple[Path, Path]:
    """A table (id, address) of 1 to 6 spellings a place, and the place of each row with its number, building, unit, room."""
    files = work / f"dedupe-{rows}.tsv", work / f"dedupe-{rows}.truth.tsv"
    if all(file.exists() for file in files):
        return files
    rng = Random(_SEED)
    found = list(islice(_spellings(data, rows, rng), rows))
    rng.shuffle(found)
    _write(files[0], ("id", "address"), ((str(n), text) for n, (_, text) in enumerate(found)))
    _write(
        files[1],
        ("id", "place", "inside"),
        ((str(n), s.id, f"{s.number}|{s.building}|{s.unit}|{s.room}") for n, (s, _) in enumerate(found)),
    )
    return files


def _both(data: Path) -> Iterator[Spot]:
    """The city and the nation in turn."""
    for pair in zip_longest(places.city(data), places.nation(data)):
        yield from filter(None, pair)


def _known(spot: Spot) -> bool:
    """Whether more is known of it than a name."""
    return spot.id[0] in "vns" and bool(spot.road or spot.name)


def _spellings(data: Path, rows: int, rng: Random) -> Iterator[tuple[Spot, str]]:
    city = _stretches(places.city(data), _CITY, lambda spot: True)
    nation = _stretches(places.nation(data), _NATION, _known)
    seen, chosen = set[str](), list[Spot]()
    wanted = rows // 3  # 3.5 spellings a place, and near misses
    for pair in zip_longest(islice(city, wanted // 2), islice(nation, wanted // 2)):
        chosen += [s for s in pair if s is not None and not (s.text in seen or seen.add(s.text))]
    rng.shuffle(chosen)
    for spot in chosen:
        near = clusters.near_miss(spot, rng) if rng.random() < clusters.NEAR else None
        for place in filter(None, (spot, near)):
            for text in clusters.spellings(place, rng):
                yield place, text


def _stretches(found: Iterable[Spot], every: int, wanted: Callable[[Spot], bool]) -> Iterator[Spot]:
    for at, spot in enumerate(filter(wanted, found)):
        if at // _STRETCH % every == 0:
            yield spot


def _write(path: Path, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        for row in (columns, *rows):
            file.write("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) + "\n")
