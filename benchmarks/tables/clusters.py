"""Clusters of one table: rows by the frozen noise of finding, 1 to 6 spellings a place, near misses included.

Run: python benchmarks/tables/clusters.py --data DATA [--rows 20000] [--seed 1] [--show 0] [--rooms 0]
Places: half of the city (number, building, room), half of the nation (villages, notices, Shanghai's numbers). For three
in ten there is a near miss as a place of its own: the next number, building or room. `room_added` and `room_dropped` are
not drawn: they make another place of it, by the guide that the labels follow.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "finding"))

import noise
import places
from places import Spot

from menpai.settings import Settings
from menpai.tables.linkage import Plan, Raw, Records, make_records
from menpai.tables.linkage.candidates import NEAR_CLUSTERS, find_pairs
from menpai.tables.linkage.deduping import CLUSTERED, dedupe, sizes_of
from menpai.tables.linkage.room import matcher_for

_OTHER_PLACE = ("room_added", "room_dropped")
NEAR = 0.3
_MOST = 6


def main() -> None:
    """Make the rows, find the clusters, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="wrong pairs to print")
    parser.add_argument(
        "--rooms", type=int, default=0, help="places with another room beside them, as a slice of its own"
    )
    options = parser.parse_args()
    rows = list(islice(make(options.data, options.rows, Random(options.seed)), options.rows))
    truth = [spot for spot, _ in rows]
    records = make_records((Raw("", text) for _, text in rows), 300)
    start = time.perf_counter()
    clusters = dedupe(records, matcher_for(len(records.entities), Settings.load()))
    seconds = time.perf_counter() - start
    found = [clusters.of_row[row] for row in range(len(rows))]
    keys = [spot.id for spot in truth]
    mixed = mixing(truth, found)
    print(
        f"{len(rows):,} rows, {len(set(keys)):,} places, {len(set(found)):,} clusters, {seconds:.1f} s,"
        f" {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"
    )
    for stage in clusters.stages:
        print(f"  {stage.name:<11}{stage.rows_in:>10,}{stage.pairs_out:>10,}{stage.seconds:>9.2f} s")
    print("pairwise  P {:.4f}  R {:.4f}  F1 {:.4f}".format(*pairwise(keys, found)))
    for part, wanted in (("city", True), ("nation", False)):
        rows_of = [row for row, key in enumerate(keys) if ("/" in key) == wanted]
        figures = pairwise([keys[row] for row in rows_of], [found[row] for row in rows_of])
        print(f"  {part:<8}" + "P {:.4f}  R {:.4f}  F1 {:.4f}".format(*figures))
    print("B-cubed   P {:.4f}  R {:.4f}  F1 {:.4f}".format(*b_cubed(keys, found)))
    print(f"candidates hold {held(keys, records):.4f} of the true pairs")
    print(f"clusters that mix house numbers, buildings or rooms: {mixed:,} of {len(set(found)):,}")
    print(f"merges vetoed {clusters.vetoed:,}, giants {len(clusters.giants)}, sizes {sizes_of(clusters)}")
    for line in islice(wrong(rows, found), options.show):
        print(line)
    if options.rooms:
        tell_rooms(options.data, options.rooms, Random(options.seed))


def tell_rooms(data: Path, count: int, rng: Random) -> None:
    """A slice of its own: places with a room more or less beside them, which are other places; how many were merged."""
    for name in _OTHER_PLACE:
        found = ((spot, noise.OPERATIONS[name](spot, rng)) for spot in spots(data, 8 * count, rng))
        pairs = list(islice(((spot, other) for spot, other in found if other is not None), count))
        records = make_records((Raw("", each.text) for pair in pairs for each in pair), 300)
        clusters = dedupe(records, matcher_for(len(records.entities), Settings.load()))
        merged = sum(clusters.of_row[2 * at] == clusters.of_row[2 * at + 1] for at in range(len(pairs)))
        print(f"{name}: {merged} of {len(pairs)} merged with the place that it is not")


def make(data: Path, rows: int, rng: Random) -> Iterator[tuple[Spot, str]]:
    """Spot and text of each row, shuffled within the whole."""
    drawn: list[tuple[Spot, str]] = []
    for spot in spots(data, rows, rng):
        near = near_miss(spot, rng) if rng.random() < NEAR else None
        for place in filter(None, (spot, near)):
            drawn += [(place, text) for text in spellings(place, rng)]
        if len(drawn) >= rows:
            break
    rng.shuffle(drawn)
    yield from drawn


def spots(data: Path, rows: int, rng: Random) -> Iterator[Spot]:
    """Places of the city and of the nation in turn, different in text."""
    city = _sample(places.city(data), rows // 4, 40, rng)
    nation = _sample(
        (s for s in places.nation(data) if s.id[0] in "vns" and (s.road or s.name)), rows // 4, 15, rng
    )
    seen = set[str]()
    for pair in zip(city, nation, strict=False):
        for spot in pair:
            if spot.text not in seen:
                seen.add(spot.text)
                yield spot


def _sample(found: Iterable[Spot], count: int, every: int, rng: Random) -> list[Spot]:
    """Stretches of neighbours, so that they are each other's near misses: ten in a row of each `every` × 10."""
    kept = [spot for at, spot in enumerate(islice(found, count * every)) if at // 10 % every == 0]
    rng.shuffle(kept)
    return kept


def near_miss(spot: Spot, rng: Random) -> Spot | None:
    """A place next door: the room, the building or the number is another."""
    fields = [name for name in ("number", "building", "room") if getattr(spot, name)]
    if not fields:
        return None
    name = rng.choice(fields)
    value: str = getattr(spot, name)
    digits = "".join(filter(str.isdigit, value))
    other = value.replace(digits, str(int(digits) + 2 * 37), 1)
    return replace(spot, id=f"{spot.id}~{name}", **{name: other})


def spellings(spot: Spot, rng: Random) -> Iterator[str]:
    """One to six texts of a place: as it is, and disturbed."""
    for n in range(rng.randint(1, _MOST)):
        yield spot.text if n == 0 else disturbed(spot, rng)


def disturbed(spot: Spot, rng: Random) -> str:
    """A text by operations that leave the place what it is."""
    while True:
        text, done = noise.disturb(spot, rng)
        if not any(name in done for name in _OTHER_PLACE):
            return text


def pairwise(truth: Sequence[str], found: Sequence[int]) -> tuple[float, float, float]:
    """Precision, recall and F1 over pairs of rows."""

    def pairs(groups: Iterable[object]) -> int:
        return sum(n * (n - 1) // 2 for n in Counter(groups).values())

    both = pairs(zip(truth, found, strict=True))
    return _f1(both / max(1, pairs(found)), both / max(1, pairs(truth)))


def b_cubed(truth: Sequence[str], found: Sequence[int]) -> tuple[float, float, float]:
    """Precision, recall and F1 of B³: of each row's cluster and place, what share they have in common."""
    both = Counter(zip(truth, found, strict=True))
    ours, theirs = Counter(found), Counter(truth)
    precision = sum(n * n / ours[cluster] for (_, cluster), n in both.items()) / len(found)
    recall = sum(n * n / theirs[place] for (place, _), n in both.items()) / len(found)
    return _f1(precision, recall)


def _f1(precision: float, recall: float) -> tuple[float, float, float]:
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def mixing(truth: Sequence[Spot], found: Sequence[int]) -> int:
    """Clusters that hold two numbers, buildings or rooms."""
    inside: dict[int, set[tuple[str, str, str, str]]] = defaultdict(set)
    for spot, cluster in zip(truth, found, strict=True):
        inside[cluster].add((spot.number, spot.building, spot.unit, spot.room))
    return sum(len(values) > 1 for values in inside.values())


def held(keys: Sequence[str], records: Records) -> float:
    """Share of the true pairs of different spellings among the candidates."""
    entities: dict[str, set[int]] = defaultdict(set)
    for key, at in zip(keys, records.of_row.tolist(), strict=True):
        entities[key].add(at)
    texts = [entity.text for entity in records.entities]
    limit = CLUSTERED * Plan().candidates
    pairs = find_pairs(texts, texts, limit, own=True, numbers=True, near=NEAR_CLUSTERS)
    compared = set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))
    true = {(a, b) for some in entities.values() for a in some for b in some if a < b}
    return sum((a, b) in compared or (b, a) in compared for a, b in true) / max(1, len(true))


def wrong(rows: Sequence[tuple[Spot, str]], found: Sequence[int]) -> Iterator[str]:
    """Pairs of rows that were merged wrongly, and texts that were left apart."""
    clusters: dict[int, list[int]] = defaultdict(list)
    of_place: dict[str, list[int]] = defaultdict(list)
    for row, (spot, _) in enumerate(rows):
        clusters[found[row]].append(row)
        of_place[spot.id].append(row)
    for kind, groups, key in (("merged", clusters, None), ("apart", of_place, found)):
        yield from _first(kind, groups, rows, key)


def _first(
    kind: str,
    groups: Mapping[object, list[int]],
    rows: Sequence[tuple[Spot, str]],
    found: Sequence[int] | None,
) -> Iterator[str]:
    for members in groups.values():
        of = (lambda row: rows[row][0].id) if found is None else (lambda row: found[row])
        other = next((row for row in members if of(row) != of(members[0])), None)
        if other is not None:
            yield f"  {kind}: {rows[members[0]][1]} | {rows[other][1]}"


if __name__ == "__main__":
    main()
