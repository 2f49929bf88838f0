"""The gazetteer: names to codes, codes to names, towns of a district. Its tables are read at first use, then kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from menpai.address import Division
from menpai.errors import BrokenArtefactError
from menpai.parsing import guards

LEVEL = {2: "province", 4: "city", 6: "district", 9: "town"}
Codes = tuple[str, ...]


class Form(NamedTuple):
    """A written form: what follows its first two characters, and whom it names (full, short, former name)."""

    rest: str
    length: int
    full: Codes
    short: Codes
    former: Codes


class Unit(NamedTuple):
    """A province, city or district: its full name and its towns as the table writes them."""

    name: str
    towns: str


class Gazetteer:
    """Divisions and the ways to write them. Immutable to its users and shared by threads: answers are kept
    in dictionaries, where two threads at most do the same work twice."""

    __slots__ = ("_divisions", "_forms", "_names", "_stems", "_towns", "_units")

    def __init__(self, units: Mapping[str, str], names: Mapping[str, str]) -> None:
        self._units = units
        self._names = names
        self._forms: dict[str, tuple[Form, ...]] = {}
        self._towns: dict[str, dict[str, str]] = {}
        self._stems: dict[str, dict[str, Codes]] = {}
        self._divisions: dict[str, Division] = {}

    def __iter__(self) -> Iterator[str]:
        """Codes of all provinces, cities and districts."""
        return iter(self._units)

    def __contains__(self, code: str) -> bool:
        """Whether this is a unit, towns included."""
        return code in self._units or (len(code) == 9 and code in self.towns(self.parent(code)).values())

    @property
    def beginnings(self) -> Iterator[str]:
        """The first two characters of every written form."""
        return iter(self._names)

    def forms(self, first_two: str) -> tuple[Form, ...]:
        """Written forms that begin with these two characters, longest first."""
        found = self._forms.get(first_two)
        if found is None:
            line = self._names.get(first_two)
            if line is None:
                return ()
            found = self._forms[first_two] = tuple(_form(entry) for entry in line.split("\t"))
        return found

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


@cache
def default() -> Gazetteer:
    """The divisions of today, opened once."""
    return Gazetteer(read_table("divisions.tsv"), read_table("division_names.tsv"))


def read_table(name: str) -> dict[str, str]:
    """First column → the rest of the line, unread; a table that cannot be read is a BrokenArtefactError."""
    try:
        text = (files("menpai") / "data" / name).read_text("utf-8")
        return {line[0]: line[2] for line in (raw.partition("\t") for raw in text.split("\n")) if line[1]}
    except (OSError, ValueError) as error:
        raise BrokenArtefactError("table_damaged", file=name, reason=str(error)) from error


def _form(entry: str) -> Form:
    rest, _, kinds = entry.partition(":")
    codes = {kind[0]: tuple(kind[1:].split(",")) for kind in kinds.split(";")}
    return Form(rest, len(rest) + 2, codes.get("F", ()), codes.get("S", ()), codes.get("O", ()))
