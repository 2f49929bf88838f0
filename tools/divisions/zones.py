"""zones.tsv and corps.tsv: functional zones and the Xinjiang corps, with the codes of the divisions they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from divisions.sources import BrokenRowError, numbered_rows, official

KINDS = ("new_area", "etdz", "htdz", "zone")


@cache
def _paths() -> dict[str, set[str]]:
    """Names from the province down, the city in the middle left out too → codes."""
    units, found = official(), dict[str, set[str]]()
    for code, name in units.items():
        if len(code) <= 6:
            parents = [units[code[:n]] for n in (2, 4) if n < len(code) and code[:n] in units]
            for path in {"".join((*parents, name)), "".join((*parents[:1], name))}:
                found.setdefault(path, set()).add(code)
    return found


def code_of(path: str, table: str, number: int) -> str:
    """The code of a unit by its path of names; a BrokenRowError if there is none, or more than one."""
    codes = _paths().get(path, set())
    if len(codes) != 1:
        cure = f"{path} is {len(codes)} units today; write province, city and county in full"
        raise BrokenRowError(table, number, cure)
    return next(iter(codes))


def zones_table() -> Iterator[str]:
    """Lines `name, kind, codes of parents, codes of districts, other names`."""
    table, seen = "zones.tsv", set()
    for number, (kind, name, parents, districts, aliases, _) in numbered_rows(table, 6):
        if kind not in KINDS:
            raise BrokenRowError(table, number, f"kind {kind!r} is none of {', '.join(KINDS)}")
        codes = [
            ",".join(code_of(path, table, number) for path in paths.split(",") if path)
            for paths in (parents, districts)
        ]
        if (name, codes[0]) in seen:
            raise BrokenRowError(table, number, f"{name} stands here twice; join the two rows")
        seen.add((name, codes[0]))
        yield "\t".join((name, kind, *codes, aliases))


def corps_table() -> Iterator[str]:
    """Lines `number of the division, code of its city, numbers of its regiments, names of its farms`."""
    table = "corps.tsv"
    for order, (number, (_, city, regiments, farms, _)) in enumerate(numbered_rows(table, 5), 1):
        yield "\t".join((str(order), code_of(city, table, number), regiments, farms))
