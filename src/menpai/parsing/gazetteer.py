"""The gazetteer: names to codes, codes to names, towns of a district; today's divisions or those of a year.

Its tables are read at first use, then kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from menpai.address import Division
from menpai.parsing import centroids, guards
from menpai.parsing.history import TODAY, History, read_spell
from menpai.parsing.tables import read_lines, read_table
from menpai.parsing.written import plain

LEVEL = {2: "province", 4: "city", 6: "district", 9: "town"}
Codes = tuple[str, ...]


class Form(NamedTuple):
    """A written form: what follows its first two characters, and whom it names: by full, short or former name.

    `bare`: units that had this as a former name without its suffix (闸北).
    """

    rest: str
    length: int
    full: Codes
    short: Codes
    former: Codes
    bare: Codes = ()


Shapes = tuple[dict[str, Form], tuple[int, ...]]
_NO_SHAPES: Shapes = ({}, ())


class Unit(NamedTuple):
    """A province, city or district: its full name and its towns as the table writes them."""

    name: str
    towns: str


class Change(NamedTuple):
    """What ended a former name or code: renamed, upgraded, merged, split, moved, recoded; in which year; by whom."""

    kind: str
    year: int
    source: str


class Known(NamedTuple):
    """A place that a user made known: its name, what it is compared by, the division it lies in ("" anywhere)."""

    name: str
    value: str
    parent: str


class Gazetteer:
    """Divisions and the ways to write them. Immutable to its users and shared by threads: answers are kept
    in dictionaries, where two threads at most do the same work twice.

    `extra` are index lines beside those of the built table, of which only the codes are read that `keep` lets pass.
    """

    __slots__ = (
        "_below", "_divisions", "_extra", "_forms", "_keep", "_names", "_shapes", "_stems", "_towns", "_units",
        "places", "year",
    )  # fmt: skip

    def __init__(
        self,
        units: Mapping[str, str],
        names: Mapping[str, str],
        extra: Mapping[str, str] | None = None,
        keep: Callable[[str, str], bool] | None = None,
        year: int = TODAY,
        places: Mapping[str, tuple[Known, ...]] | None = None,
    ) -> None:
        self.year = year
        self.places = places or {}
        self._units = units
        self._names = names
        self._extra = extra or {}
        self._keep = keep
        self._below: dict[str, list[str]] = {}
        self._forms: dict[str, tuple[Form, ...]] = {}
        self._shapes: dict[str, Shapes] = {}
        self._towns: dict[str, dict[str, str]] = {}
        self._stems: dict[str, dict[str, Codes]] = {}
        self._divisions: dict[str, Division] = {}

    def extended(
        self, units: Mapping[str, str], extra: Mapping[str, str], places: Mapping[str, tuple[Known, ...]]
    ) -> Gazetteer:
        """Another gazetteer that has these units, index lines and places too."""
        lines = dict(self._extra)
        for first_two, line in extra.items():
            lines[first_two] = "\t".join(filter(None, (lines.get(first_two), line)))
        units = {**self._units, **units}
        return Gazetteer(units, self._names, lines, self._keep, self.year, {**self.places, **places})

    def __iter__(self) -> Iterator[str]:
        """Codes of all provinces, cities and districts."""
        return iter(self._units)

    def __contains__(self, code: str) -> bool:
        """Whether this is a unit, towns included."""
        return code in self._units or (len(code) == 9 and code in self.towns(self.parent(code)).values())

    @property
    def beginnings(self) -> Iterator[str]:
        """The first two characters of every written form."""
        return iter(dict.fromkeys((*self._names, *self._extra)))

    def forms(self, first_two: str) -> tuple[Form, ...]:
        """Written forms that begin with these two characters, longest first."""
        found = self._forms.get(first_two)
        if found is None:
            line, extra = self._names.get(first_two), self._extra.get(first_two)
            if line is None and extra is None:
                return ()
            found = self._forms[first_two] = self._read_forms(line, extra)
        return found

    def form(self, written: str) -> Form | None:
        """What is written in this very form."""
        return next((form for form in self.forms(written[:2]) if form.rest == written[2:]), None)

    def written(self, text: str, at: int) -> Iterator[Form]:
        """The written forms that stand at this place of a text, longest first."""
        by_rest, lengths = self.shapes(text[at : at + 2])
        for length in lengths:
            form = by_rest.get(text[at + 2 : at + length])
            if form is not None and form.length == length:
                yield form

    def shapes(self, first_two: str) -> Shapes:
        """Written forms by what follows these two characters, and the lengths that they have, longest first."""
        shapes = self._shapes.get(first_two)
        if shapes is None:
            forms = self.forms(first_two)
            if not forms:
                return _NO_SHAPES
            lengths = dict.fromkeys(form.length for form in forms)
            shapes = self._shapes[first_two] = ({form.rest: form for form in forms}, tuple(lengths))
        return shapes

    def units_below(self, code: str) -> list[str]:
        """The provinces, cities and districts below a unit, in the order of the table; all of them below ""."""
        if len(code) < 2:
            return list(self._units)
        if not self._below:
            below: dict[str, list[str]] = {}
            for unit in self._units:
                below.setdefault(unit[:2], []).append(unit)
            self._below = below
        return [unit for unit in self._below.get(code[:2], ()) if unit.startswith(code) and unit != code]

    def _read_forms(self, line: str | None, extra: str | None) -> tuple[Form, ...]:
        entries = [_entry(text) for text in (line.split("\t") if line else ())]
        if extra is None and self._keep is None:
            return tuple(_form(*entry) for entry in entries)
        kinds: dict[str, dict[str, Codes]] = {}
        for rest, found in entries:
            kinds[rest] = {k: tuple(c for c in codes if self._kept(k, c)) for k, codes in found.items()}
        for rest, found in (_entry(text) for text in (extra.split("\t") if extra else ())):
            known = kinds.setdefault(rest, {})
            for kind, codes in found.items():
                known[kind] = tuple(dict.fromkeys((*known.get(kind, ()), *codes)))
        for found in kinds.values():
            first = plain(set(found.get("S", ())))
            found["S"] = tuple(c for c in found.get("S", ()) if c in first)
        ordered = sorted(kinds.items(), key=lambda item: (-len(item[0]), item[0]))
        return tuple(_form(*item) for item in ordered if any(item[1].values()))

    def _kept(self, kind: str, code: str) -> bool:
        return self._keep is None or self._keep(kind, code)

    def unit(self, code: str) -> Unit | None:
        """The province, city or district of this code."""
        line = self._units.get(code)
        return None if line is None else Unit(*line.split("\t"))

    def parent(self, code: str) -> str:
        """The code of the unit straight above, "" above a province: 110105 → 11, 441900121 → 4419."""
        return next((code[:n] for n in (6, 4, 2) if n < len(code) and code[:n] in self._units), "")

    def towns(self, code: str) -> dict[str, str]:
        """Towns straight under a district (or a city without districts): full name → code."""
        found = self._towns.get(code)
        if found is None:
            unit, parent = self.unit(code), code.ljust(6, "0")
            entries = unit.towns.split(",") if unit is not None and unit.towns else ()
            found = self._towns[code] = {town[3:]: parent + town[:3] for town in entries}
        return found

    def stems(self, code: str) -> dict[str, Codes]:
        """Towns straight under a district by their stem: 两路 for 两路街道."""
        found = self._stems.get(code)
        if found is None:
            found = {}
            for name, town in self.towns(code).items():
                bare = guards.stem(name)
                found[bare] = (*found.get(bare, ()), town)
            self._stems[code] = found
        return found

    def division(self, code: str) -> Division:
        """The unit of this code as a value; its name is "" if there is no such unit."""
        found = self._divisions.get(code)
        if found is None:
            found = self._divisions[code] = Division(code, LEVEL[len(code)], self._name(code))
        return found

    def _name(self, code: str) -> str:
        if len(code) == 9:
            return next((name for name, town in self.towns(self.parent(code)).items() if town == code), "")
        unit = self.unit(code)
        return unit.name if unit is not None else ""

    def change(self, written: str, codes: Codes) -> Change | None:
        """What made `written` a former name of the units of these codes: the latest such change, None if unknown."""
        known, found = history(), set(codes)
        named = (s for s in known.ended(written) or known.ended_stem(written) if s.until <= self.year)
        spells = [s for s in named if found & set(known.forward(s, self.year))]
        last = max(spells, key=lambda s: s.until, default=None)
        return None if last is None else Change(last.kind, last.until, last.source)

    def was_under(self, code: str, parent: str) -> Change | None:
        """When and how a unit left a parent to which it no longer belongs (泰兴 left 扬州 in 1996); None if it never did."""
        known = history()
        spells = [
            s for s in known.ending_in(code, self.year) if s.code.startswith(parent) and s.code != parent
        ]
        last = max(spells, key=lambda s: s.until, default=None)
        return None if last is None or code.startswith(parent) else Change("moved", last.until, last.source)

    def once(self, written: str, before: str) -> Codes:
        """The units of a name under the parent that stands before it, if they have left it: 巢湖市 and 和县.

        `before` is the text up to the name; the latest such unit, as the units of this gazetteer.
        """
        known = history()
        for spell in sorted(known.ended(written), key=lambda s: -s.until):
            parent = known.at(spell.code[:4], spell.until - 1) if spell.until <= self.year else None
            if parent is not None and parent.code != spell.code and before.endswith(parent.name):
                codes = known.forward(spell, self.year)
                return () if all(code.startswith(parent.code) for code in codes) else codes
        return ()

    def centroid(self, code: str) -> tuple[float, float] | None:
        """(latitude, longitude) of a point in the unit, or in the unit around it; None for an unknown code."""
        return centroids.centroid(code)

    def near(self, lat: float, lon: float, count: int = 1) -> list[tuple[str, float]]:
        """The counties nearest to a point: (code, kilometres to its centroid), nearest first."""
        return centroids.near(lat, lon, count)


@cache
def default() -> Gazetteer:
    """The divisions of today, opened once."""
    return Gazetteer(read_table("divisions.tsv"), read_table("division_names.tsv"))


@cache
def history() -> History:
    """All changes of provinces, cities and counties since 1980, read once."""
    return History(map(read_spell, read_lines("history.tsv")))


def _entry(text: str) -> tuple[str, dict[str, Codes]]:
    """(rest, {F full | S short | O former | P former without suffix → codes})."""
    rest, _, kinds = text.partition(":")
    return rest, {kind[0]: tuple(kind[1:].split(",")) for kind in kinds.split(";")}


def _form(rest: str, codes: Mapping[str, Codes]) -> Form:
    get = codes.get
    return Form(rest, len(rest) + 2, get("F", ()), get("S", ()), get("O", ()), get("P", ()))
