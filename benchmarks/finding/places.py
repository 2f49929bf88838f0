"""What the two indexes hold: real places of the whole country, and one city in which only the tails differ.

A row is `id, name, address, lat, lon`; a spot is a row in elements, from which queries are written.
"""

from __future__ import annotations

import csv
import gzip
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from random import Random

from menpai.evidence.coordinates import to_wgs84
from menpai.parsing import villages
from menpai.parsing.gazetteer import Gazetteer, default

ROWS = 1_000_000
_VAGUE = re.compile("其他|以外|及周边|周边区域|左右|范围|除.*外")
_NUMBERED = re.compile(r"([\u4e00-\u9fff]{1,8}(?:路|街|道|巷|坊))(\d{1,5})(弄|号)")
_SEED = 20261130


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in elements; what it lacks is empty. `words` follow building, unit and room."""

    id: str
    province: str = ""
    city: str = ""
    county: str = ""
    town: str = ""
    road: str = ""
    number: str = ""
    name: str = ""
    building: str = ""
    unit: str = ""
    room: str = ""
    words: tuple[str, str, str] = ("号楼", "单元", "室")
    lat: float | None = None
    lon: float | None = None

    @property
    def divisions(self) -> str:
        """Province to town, as written in front."""
        return self.province + self.city + self.county + self.town

    @property
    def inside(self) -> str:
        """Building, unit and room in words."""
        parts = zip((self.building, self.unit, self.room), self.words, strict=True)
        return "".join(value + word for value, word in parts if value)

    @property
    def text(self) -> str:
        """The whole address."""
        return self.divisions + self.road + self.number + self.name + self.inside


def nation(data: Path, rows: int = ROWS) -> Iterator[Spot]:
    """Villages, notices, Shanghai's numbers, universities, companies, towns; estate names fill up to `rows`.

    Points of Hangzhou are apart (`dianping`): they have names beside their addresses.
    """
    count = 0
    for source in (
        _villages(),
        _notices(data),
        _shanghai(data),
        _offices(data),
        _towns(data),
        _estates(data),
    ):
        for spot in source:
            count += 1
            yield spot
            if count == rows:
                return


def city(data: Path, rows: int = ROWS) -> Iterator[Spot]:
    """Shanghai's real roads and numbers × buildings × rooms; ids are number/building/unit/room."""
    rng = Random(_SEED)
    bases = sorted(
        {(s.county, s.road, s.number): s for s in _shanghai(data) if s.road}.values(), key=lambda s: s.id
    )
    rng.shuffle(bases)
    found = (room for base in bases for room in _rooms(base, rng))
    yield from (spot for _, spot in zip(range(rows), found, strict=False))


def five(data: Path, rows: int = 5 * ROWS) -> Iterator[Spot]:
    """Both together, and the groups of villages: 张渡村1组, 张渡村2组, …; a library of more than one segment."""
    yield from islice(chain(nation(data), city(data, 2 * ROWS), _groups()), rows)


def _groups() -> Iterator[Spot]:
    for number in range(1, 10):
        for spot in _villages():
            yield replace(spot, id=f"g{spot.id}-{number}", name=f"{spot.name}{number}组")


def dianping(data: Path) -> Iterator[dict[str, object]]:
    """Points of interest as rows with name, address and coordinates (WGS-84)."""
    for row in _table(data / "entities" / "hz_dp_poi_2959.tsv"):
        lat, lon = to_wgs84(float(row["latitude"]), float(row["longitude"]), "gcj02")
        branch = (
            f"({row['branchname']})" if row["branchname"] and row["branchname"] not in row["name"] else ""
        )
        address = row["regionname"] + row["address"]
        yield {"id": row["shop_id"], "name": row["name"] + branch, "address": address, "lat": lat, "lon": lon}


def gaode(data: Path) -> Iterator[dict[str, object]]:
    """The same of the other source, for which `hangzhou_truth` names the row of the first."""
    for row in _table(data / "entities" / "hz_gd_poi_1982.tsv"):
        lat, lon = float(row["wgs84lat"]), float(row["wgs84lon"])
        address = row["adname"] + row["address"]
        yield {"id": row["id"], "name": row["name"], "address": address, "lat": lat, "lon": lon}


def hangzhou_truth(data: Path) -> dict[str, str]:
    """Gaode id → Dianping id."""
    rows = _table(data / "entities" / "derived_hz_matches_808.tsv")
    return {row["gaode_id"]: row["dianping_id"] for row in rows}


def _rooms(base: Spot, rng: Random) -> Iterator[Spot]:
    """The rooms of one number: a lane holds numbers, a number holds buildings."""
    lane = base.number.endswith("弄")
    words = (
        ("号", "单元", "室")
        if lane
        else rng.choice((("号楼", "单元", "室"), ("幢", "单元", "室"), ("栋", "单元", "室")))
    )
    units = 1 if lane or rng.random() < 0.5 else rng.randint(2, 3)
    floors, doors = rng.choice((3, 5, 6, 6, 11)), rng.choice((1, 2, 2, 3))
    for building in range(1, rng.randint(2, 9)):
        for unit in range(1, units + 1):
            for floor in range(1, floors + 1):
                for door in range(1, doors + 1):
                    room, part = f"{floor}0{door}", str(unit) if units > 1 else ""
                    yield Spot(
                        f"{base.id}/{building}/{part}/{room}", "", base.city, base.county, base.town, base.road,
                        base.number, "", str(building), part, room, words, base.lat, base.lon,
                    )  # fmt: skip


def _villages() -> Iterator[Spot]:
    """Every village and community under its divisions of today."""
    gazetteer = default()
    with zipfile.ZipFile(villages.DATA / villages.TABLE) as archive:
        for member in archive.namelist():
            for line in archive.read(member).decode(villages.ENCODING).splitlines():
                if line:
                    yield from _town(gazetteer, line)


def _town(gazetteer: Gazetteer, line: str) -> Iterator[Spot]:
    code = line[:9]
    province, city, county, town = (_name(gazetteer, code[:size]) for size in (2, 4, 6, 9))
    for name, number in villages.read_line(line).items():
        yield Spot("v" + number, province, city, county, town, name=name)


def _name(gazetteer: Gazetteer, code: str) -> str:
    return gazetteer.division(code).name if code in gazetteer else ""


def _notices(data: Path) -> Iterator[Spot]:
    """Places of public notices; catch-all rows are left out."""
    with gzip.open(data / "addresses" / "national_places.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for at, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            place = row["place"]
            if 3 <= len(place) <= 40 and not _VAGUE.search(place):
                city = "" if row["city"] in (row["province"], row["county"]) else row["city"]
                yield Spot(f"n{at}", row["province"], city, row["county"], name=place)


def _shanghai(data: Path) -> Iterator[Spot]:
    """Addresses with coordinates; road and number apart where there are both."""
    for at, row in enumerate(_table(data / "addresses" / "shanghai_geo.tsv")):
        found = _NUMBERED.fullmatch(row["address"])
        road, number = (found[1], found[2] + found[3]) if found else ("", "")
        yield Spot(
            f"s{at}", "", "上海市", row["district"], row["town"], road, number, "" if found else row["address"],
            lat=float(row["wgs84_lat"]), lon=float(row["wgs84_lng"]),
        )  # fmt: skip


def _offices(data: Path) -> Iterator[Spot]:
    """Universities (coordinates BD-09) and companies, as they are written."""
    for at, row in enumerate(_table(data / "addresses" / "universities.tsv")):
        point = (
            to_wgs84(float(row["bd09_lat"]), float(row["bd09_lng"]), "bd09")
            if row["bd09_lat"]
            else (None, None)
        )
        yield Spot(f"u{at}", name=row["address"] + row["name"], lat=point[0], lon=point[1])
    for at, row in enumerate(_table(data / "addresses" / "companies.tsv")):
        yield Spot(f"c{at}", name=row["address"])


def _towns(data: Path) -> Iterator[Spot]:
    """Divisions themselves, down to the town."""
    gazetteer = default()
    for code in gazetteer:
        above = [_name(gazetteer, code[:size]) for size in (2, 4, 6) if size <= len(code)]
        yield Spot("d" + code, *above)
        for name, town in gazetteer.towns(code).items() if len(code) == 6 else ():
            yield Spot("d" + town, *above, *("",) * (3 - len(above)), name)


def _estates(data: Path) -> Iterator[Spot]:
    """Names of estates."""
    with gzip.open(data / "addresses" / "estate_names.txt.gz", "rt", encoding="utf-8") as file:
        for at, line in enumerate(file):
            if 3 <= len(name := line.strip()) <= 40:
                yield Spot(f"e{at}", name=name)


def _table(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield {key: value or "" for key, value in row.items() if key}
