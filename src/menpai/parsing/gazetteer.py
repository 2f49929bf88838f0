"""The division tables: names to codes, codes to names, towns of a district. Read at first use, then kept."""

from __future__ import annotations

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
    """A province, city or district: its full name of today and its towns as the table writes them."""

    name: str
    towns: str


@cache
def table(name: str) -> dict[str, str]:
    """First column → the rest of the line, unread."""
    try:
        text = (files("menpai") / "data" / name).read_text("utf-8")
        return {line[0]: line[2] for line in (raw.partition("\t") for raw in text.split("\n")) if line[1]}
    except (OSError, ValueError) as error:
        raise BrokenArtefactError("table_damaged", file=name, reason=str(error)) from error


_FORMS: dict[str, tuple[Form, ...]] = {}


def forms(first_two: str) -> tuple[Form, ...]:
    """Written forms that begin with these two characters, longest first."""
    found = _FORMS.get(first_two)
    if found is None:
        line = table("division_names.tsv").get(first_two)
        if line is None:
            return ()
        found = _FORMS[first_two] = tuple(_form(entry) for entry in line.split("\t"))
    return found


def _form(entry: str) -> Form:
    rest, _, kinds = entry.partition(":")
    codes = {kind[0]: tuple(kind[1:].split(",")) for kind in kinds.split(";")}
    return Form(rest, len(rest) + 2, codes.get("F", ()), codes.get("S", ()), codes.get("O", ()))


@cache
def unit(code: str) -> Unit | None:
    """The province, city or district of this code."""
    line = table("divisions.tsv").get(code)
    return None if line is None else Unit(*line.split("\t"))


@cache
def towns(code: str) -> dict[str, str]:
    """Towns straight under a district (or a city without districts): full name → code."""
    found = unit(code)
    if found is None or not found.towns:
        return {}
    parent = code.ljust(6, "0")
    return {town[3:]: parent + town[:3] for town in found.towns.split(",")}


@cache
def stems(code: str) -> dict[str, Codes]:
    """Towns straight under a district by their stem: 两路 for 两路街道."""
    found: dict[str, Codes] = {}
    for name, town in towns(code).items():
        bare = guards.stem(name)
        found[bare] = (*found.get(bare, ()), town)
    return found


@cache
def division(code: str) -> Division:
    """The unit of this code as a value."""
    if len(code) == 9:
        parent = code[:6] if unit(code[:6]) else code[:4]
        name = next(name for name, town in towns(parent).items() if town == code)
    else:
        found = unit(code)
        name = found.name if found else ""
    return Division(code, LEVEL[len(code)], name)
