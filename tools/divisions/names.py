"""divisions.tsv and division_names.tsv: the units of today with their towns, and every way to write a unit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from divisions.sources import BrokenRowError, numbered_rows, official
from menpai.parsing.history import History, Spell
from menpai.parsing.written import SUFFIX, Kinds, index_lines, plain, short, stem, written_forms

# Bare former names (闸北, 襄樊) are read if they ended in this year or later; older ones are other words by now.
BARE_SINCE = 1985


def former(units: dict[str, str], history: History) -> dict[str, set[str]]:
    """Former name → codes of today; a name that a unit of the same city still bears is no former one there."""
    borne = {(name, code[:4]) for code, name in units.items() if len(code) <= 6}
    cities = {name for code, name in units.items() if len(code) <= 4}
    found: dict[str, set[str]] = defaultdict(set)
    taken: dict[tuple[str, int], set[str]] = defaultdict(set)
    for spell in sorted(history, key=lambda s: (-s.until, s.code)):
        if spell.until and spell.name not in cities and SUFFIX.search(spell.name) and len(spell.name) >= 2:
            # Of two units of a name in one city the later is meant: 绍兴县 until 2013, not that of 1981.
            known = taken[spell.name, len(spell.code)]
            codes = {c for c in history.forward(spell) if (spell.name, c[:4]) not in borne}
            found[spell.name] |= {c for c in codes if c[:4] not in known}
            known |= {c[:4] for c in codes}
    for spell in extra_spells():
        found[spell.name] |= set(spell.after)
    return found


def extra_spells() -> Iterator[Spell]:
    """Former names that no yearly list of counties has: towns, Taiwan's counties; they have no code."""
    table = "former_divisions.tsv"
    for number, (name, after, year, kind, source) in numbered_rows(table, 5):
        if not year.isdigit():
            raise BrokenRowError(table, number, f"{year!r} is no year")
        yield Spell("", name, 0, int(year), tuple(after.split(",")), kind, source)
    yield from _merged_in_taiwan(official())


def forms(units: dict[str, str], history: History) -> dict[str, Kinds]:
    """Written form → {F full | S short | O former | P former without suffix → codes}."""
    names = written_forms(units)
    for number, (written, code, _) in numbered_rows("division_aliases.tsv", 3):
        if code not in units:
            raise BrokenRowError("division_aliases.tsv", number, f"no unit has the code {code} today")
        names[written]["F" if SUFFIX.search(written) else "S"].add(code)
    past = former(units, history)
    for name, codes in past.items():
        names[name]["O"] |= codes - names[name]["F"]
    for written, codes in _bare(past, history).items():
        if written not in names:
            names[written]["P"] |= codes
    for kinds in names.values():
        kinds["S"] = plain(kinds["S"])
    return names


def _bare(past: dict[str, set[str]], history: History) -> dict[str, set[str]]:
    """Former names without their suffix."""
    found: dict[str, set[str]] = defaultdict(set)
    for spell in history:
        if spell.code and spell.until >= BARE_SINCE and len(stem(spell.name)) >= 2 and spell.name in past:
            codes = set(history.forward(spell)) & past[spell.name]
            found[stem(spell.name)] |= codes
    return {written: codes for written, codes in found.items() if codes}


def _merged_in_taiwan(units: dict[str, str]) -> Iterator[Spell]:
    """Towns of the counties that merged into 新北, 台中, 台南, 高雄 and 桃园: 和平乡 is 和平区 today."""
    for code, name in units.items():
        if code.startswith(("7102", "7103", "7104", "7111", "7114")) and len(code) == 6 and len(name) > 2:
            year = 2014 if code.startswith("7114") else 2010
            for suffix in "乡镇市":
                yield Spell("", name[:-1] + suffix, 0, year, (code,), "upgraded", "merger of the counties")


def units_table(units: dict[str, str]) -> Iterable[str]:
    """Lines `code, name, towns`; a town is the last three digits of its code and its name."""
    towns: dict[str, list[str]] = defaultdict(list)
    for code, name in sorted(units.items()):
        if len(code) == 9:
            towns[short(code[:6])].append(code[6:] + name)
    for code, name in sorted(units.items()):
        if len(code) < 9:
            yield f"{code}\t{name}\t{','.join(towns[code])}"


def names_table(units: dict[str, str], history: History) -> Iterable[str]:
    """Lines `first two characters, rest:Fcodes;Ocodes …`."""
    return ("\t".join(line) for line in index_lines(forms(units, history)))
