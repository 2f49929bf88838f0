"""The gazetteer as of a date: names and codes that were valid then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from functools import cache

from menpai.errors import UsageError
from menpai.parsing.gazetteer import Gazetteer, default, history
from menpai.parsing.history import TODAY, History
from menpai.parsing.overrides import with_overrides
from menpai.parsing.tables import read_table
from menpai.parsing.written import Kinds, index_lines, plain, stem, written_forms

FIRST_YEAR = 1980
AsOf = str | int | date


def year_of(as_of: AsOf) -> int:
    """The year of a date, given as 2005, "2005", "2005-06-30" or a date; raises UsageError for any other.

    Changes are known to the year: a date means the divisions at the end of its year.
    """
    try:
        year = (
            as_of.year if isinstance(as_of, date) else int(as_of) if isinstance(as_of, int) else _year(as_of)
        )
    except (TypeError, ValueError):
        year = 0
    if not FIRST_YEAR <= year <= 9999:
        raise UsageError("as_of_invalid", value=str(as_of)[:40], first=FIRST_YEAR)
    if year > max(TODAY, date.today().year):
        raise UsageError("as_of_unknown", value=str(as_of)[:40], last=TODAY)
    return min(year, TODAY)


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else date.fromisoformat(text).year


def gazetteer_as_of(as_of: AsOf | None, overrides: str = "") -> Gazetteer:
    """The divisions of a date as a caller gives it (today's for None), with the user's overrides of a CSV file."""
    base = default() if as_of is None else gazetteer_of(year_of(as_of))
    return with_overrides(base, overrides)


@cache
def gazetteer_of(year: int) -> Gazetteer:
    """The divisions at the end of a year: its provinces, cities and counties; the towns of today in counties that
    still have their code."""
    if year >= TODAY:
        return default()
    known, today = history(), read_table("divisions.tsv")
    names = known.units(year)
    lasting = {code for code in names if code in today and _lasts(known, code, year)}
    same = {code for code in lasting if today[code].startswith(names[code] + "\t")}
    towns = {code: today[code].partition("\t")[2] for code in lasting}
    units = {code: f"{name}\t{towns.get(code, '')}" for code, name in names.items()}

    def keep(kind: str, code: str) -> bool:
        if len(code) == 9:
            return code[:6] in lasting or code[:4] in lasting
        return kind in "FS" and code in same

    changed = {code: name for code, name in names.items() if code not in same}
    extra = dict(index_lines(_forms(known, changed, names, year)))
    return Gazetteer(units, read_table("division_names.tsv"), extra, keep, year)


def _lasts(known: History, code: str, year: int) -> bool:
    """Whether the unit of this code then is the unit of this code today."""
    spell = known.at(code, year)
    return spell is not None and known.forward(spell) == (code,)


def _forms(
    known: History, changed: Mapping[str, str], names: Mapping[str, str], year: int
) -> Mapping[str, Kinds]:
    """Forms of the units that are not those of today, and the names that were former ones already."""
    forms = written_forms(changed)
    for kinds in forms.values():
        kinds["S"] = plain(kinds["S"])
    borne = {(name, code[:4]) for code, name in names.items()}
    bare: dict[str, set[str]] = defaultdict(set)
    for spell in known:
        if 0 < spell.until <= year:
            codes = {c for c in known.forward(spell, year) if (spell.name, c[:4]) not in borne}
            forms[spell.name]["O"] |= codes
            bare[stem(spell.name)] |= codes
    for written, codes in bare.items():
        if len(written) >= 2 and codes:
            forms[written]["P"] |= codes
    return forms
