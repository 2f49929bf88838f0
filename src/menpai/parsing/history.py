"""Divisions over time: which units bore which code in a year since 1980, and what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from menpai.parsing.written import stem

Codes = tuple[str, ...]
# The year of the list of today: units valid at its end.
TODAY = 2025


class Spell(NamedTuple):
    """A code that meant one name from the year `since` until it ended in `until` (0: it still does).

    `after`: codes of the year `until` in which the unit lives on. `kind`: what happened then: recoded, moved
    (to another parent), renamed, upgraded (县 to 市, 地区 to 市, …), merged, split. `source`: who says so.
    """

    code: str
    name: str
    since: int
    until: int
    after: Codes
    kind: str
    source: str

    def line(self) -> str:
        """As a line of the table."""
        return "\t".join((self.code, self.name, str(self.since), str(self.until or ""),
                          ",".join(self.after), self.kind, self.source))  # fmt: skip


def read_spell(line: str) -> Spell:
    """A spell from a line of the table."""
    code, name, since, until, after, kind, source = line.split("\t")
    return Spell(code, name, int(since), int(until or 0), tuple(filter(None, after.split(","))), kind, source)


class History:
    """All spells; answers what was valid in a year and what a unit is in a later one."""

    __slots__ = ("_by_code", "_covers", "_ended", "_past", "_stems")

    def __init__(self, spells: Iterable[Spell]) -> None:
        self._by_code: dict[str, list[Spell]] = defaultdict(list)
        self._ended: dict[str, list[Spell]] = defaultdict(list)
        self._covers: dict[int, Mapping[str, list[str]]] = {}
        self._stems: dict[str, list[Spell]] = {}
        self._past: dict[int, Mapping[str, list[Spell]]] = {}
        for spell in spells:
            self._by_code[spell.code].append(spell)
            if spell.until:
                self._ended[spell.name].append(spell)

    def __iter__(self) -> Iterator[Spell]:
        return (spell for spells in self._by_code.values() for spell in spells)

    def at(self, code: str, year: int) -> Spell | None:
        """The unit that had this code at the end of the year."""
        spells = self._by_code.get(code, ())
        return next((s for s in spells if s.since <= year and not 0 < s.until <= year), None)

    def units(self, year: int) -> dict[str, str]:
        """Code → name of every unit at the end of the year, without towns; units that never had a code are left out."""
        return {s.code: s.name for s in self if s.code and s.since <= year and not 0 < s.until <= year}

    def ended(self, name: str) -> list[Spell]:
        """Units that bore this name once and no longer do (or under another code)."""
        return self._ended.get(name, [])

    def ended_stem(self, written: str) -> list[Spell]:
        """The same for a name that is written without its suffix: 闸北."""
        if not self._stems:
            found: dict[str, list[Spell]] = defaultdict(list)
            for name, spells in self._ended.items():
                found[stem(name)] += spells
            self._stems = found  # at once: another thread may be asking
        return self._stems.get(written, [])

    def ending_in(self, code: str, year: int = TODAY) -> list[Spell]:
        """Earlier names and codes of a unit of that year, parts and wholes of it included."""
        found = self._past.get(year)
        if found is None:
            past: dict[str, list[Spell]] = defaultdict(list)
            for spell in self:
                if 0 < spell.until <= year:
                    for last in self.forward(spell, year):
                        past[last].append(spell)
            found = self._past[year] = past
        return list(found.get(code, ()))

    def forward(self, spell: Spell, year: int = TODAY) -> Codes:
        """Codes of that year of what the unit has become; () if nothing is known of it or it came later."""
        if not spell.until or spell.until > year:
            return (spell.code,) if spell.since <= year else ()
        cut = len(spell.code) == 4 and all(len(code) > 2 for code in spell.after)
        if cut and (found := self._city_forward(spell, year)):
            return found
        towns = tuple(code for code in spell.after if len(code) == 9)
        reached = (self._from(code, spell.until) for code in spell.after)
        return tuple(
            dict.fromkeys((*towns, *(c for step in reached if step for c in self.forward(step, year))))
        )

    def _from(self, code: str, year: int) -> Spell | None:
        """The unit of this code in that year, or the first that bears it later."""
        later = (s for s in self._by_code.get(code, ()) if s.since > year)
        return self.at(code, year) or min(later, key=lambda s: s.since, default=None)

    def _city_forward(self, spell: Spell, year: int) -> Codes:
        """Where the counties of a city or prefecture are that ended: whole cities, or single counties."""
        counties = self._counties(spell.until - 1).get(spell.code, [])
        then = (self.at(code, spell.until - 1) for code in counties)
        found = {code for county in then if county for code in self.forward(county, year)}
        whole = self._counties(year)
        cities = {c[:4] for c in found if len(c) == 4 or _mostly(found, whole.get(c[:4], []))}
        covered = sorted(cities, key=lambda city: -sum(c.startswith(city) for c in found))
        return (*covered, *sorted(c for c in found if c[:4] not in cities))

    def _counties(self, year: int) -> Mapping[str, list[str]]:
        """City → its counties of that year."""
        found = self._covers.get(year)
        if found is None:
            units = self.units(year)
            by_city: dict[str, list[str]] = defaultdict(list)
            for code in units:
                if len(code) == 6 and code[:4] in units:
                    by_city[code[:4]].append(code)
            found = self._covers[year] = by_city
        return found


def _mostly(found: set[str], counties: list[str]) -> bool:
    """Whether at least half of a city's counties are among those found."""
    return 2 * len(found.intersection(counties)) >= len(counties) > 0
