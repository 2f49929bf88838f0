"""centroids.tsv: a point in every province, city and county of today, by cpca's list of 2016 and the history since."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator

from divisions.sources import BrokenRowError, numbered_rows, official, package_file
from menpai.parsing.history import TODAY, History
from menpai.parsing.written import short

# The year whose codes cpca's list has.
LISTED = 2016
Point = tuple[float, float]


def _listed() -> Iterator[tuple[str, str, Point]]:
    """(code, name, (lat, lon)) of cpca's list."""
    with package_file("cpca", "adcodes.csv").open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if row["longitude"] and row["adcode"].endswith("000000"):
                yield short(row["adcode"][:6]), row["name"], (float(row["latitude"]), float(row["longitude"]))


def _today(code: str, name: str, history: History) -> tuple[str, ...]:
    """Codes of today of a unit of the list; 71 and 8 are looked up by name, since their codes are of our own."""
    if code[0] in "78" and len(code) > 2:
        place = code[:2]
        return tuple(c for c, n in official().items() if c[:2] == place and n == name and len(c) == len(code))
    for year in range(LISTED, LISTED - 4, -1):
        spell = history.at(code, year)
        if spell is not None and spell.name == name:
            return history.forward(spell, TODAY)
    return ()


def centroids(history: History) -> dict[str, Point]:
    """Code → (lat, lon); a unit that several were merged into has the middle of them, unless it is listed itself."""
    found: dict[str, list[Point]] = defaultdict(list)
    listed = {}
    for code, name, point in _listed():
        if official().get(code) == name:
            listed[code] = point
        for today in _today(code, name, history):
            found[today].append(point)
    middles = {
        code: (_mean([p[0] for p in points]), _mean([p[1] for p in points])) for code, points in found.items()
    }
    known = middles | listed | _by_hand()
    return {code: known[code] for code, name in official().items() if code in known and len(code) <= 6}


def _by_hand() -> dict[str, Point]:
    table, found = "centroids.tsv", {}
    for number, (code, name, lat, lon, _) in numbered_rows(table, 5):
        if official().get(code) != name:
            raise BrokenRowError(table, number, f"{code} is {official().get(code)} today, not {name}")
        found[code] = float(lat), float(lon)
    return found


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def centroids_table(history: History) -> Iterator[str]:
    """Lines `code, latitude, longitude`, to a hundredth of a degree."""
    return (f"{code}\t{lat:.2f}\t{lon:.2f}" for code, (lat, lon) in sorted(centroids(history).items()))
