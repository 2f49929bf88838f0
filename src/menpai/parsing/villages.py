"""Villages and communities of a town with their 12-digit codes, as of 2023-06-30. Read city by city when asked."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from menpai.address import Address
from menpai.errors import BrokenArtefactError
from menpai.parsing.tables import DATA

TABLE = "villages.zip"
ENCODING = "gb18030"
_SUFFIX = re.compile(r"(?:社区居委会|居委会|社区|村委会|自然村|行政村|村)$")
_ENTRY = re.compile(r"(\d{3})?([^,!]+)(!?)")


class Line(NamedTuple):
    """A town of today: for each town of the list that it was, the code and the villages (last digits, name)."""

    code: str
    towns: list[tuple[str, list[tuple[int, str]]]]


def write_line(line: Line) -> str:
    """A town as a line: code, then `code of the list:villages`; what follows from the number is left out.

    The number stands where it is not the next one; 社区 is dropped below 200, 村 from 200 to 399, and `!` marks a name
    of another form.
    """
    groups = []
    for town, villages in line.towns:
        entries, expected = [], -1
        for number, name in villages:
            suffix = _suffix(number)
            bare = (
                name.removesuffix(suffix)
                if suffix and name != suffix and name.endswith(suffix)
                else name + "!"
            )
            entries.append(("" if number == expected else f"{number:03}") + bare)
            expected = number + 1
        groups.append(f"{'' if town == line.code else town}:{','.join(entries)}")
    return "\t".join((line.code, *groups))


def read_line(text: str) -> dict[str, str]:
    """Name → 12-digit code of a town's line; of two villages of a name the first."""
    code, *groups = text.split("\t")
    found: dict[str, str] = {}
    for group in groups:
        town, _, entries = group.partition(":")
        number = -1
        for written, bare, other in _ENTRY.findall(entries):
            number = int(written) if written else number + 1
            name = bare if other else bare + _suffix(number)
            found.setdefault(name, f"{town or code}{number:03}")
    return found


def _suffix(number: int) -> str:
    return "社区" if number < 200 else "村" if number < 400 else ""


def villages(town: str) -> dict[str, str]:
    """Villages and communities of a town (9 digits): name → 12-digit code; {} for a town that has none listed.

    The codes are the list's: where a town's code has changed since, they begin with its former one.
    """
    line = _city(town[:4]).get(town)
    return {} if line is None else _villages(line)


def village_code(town: str, written: str) -> str:
    """The 12-digit code of a village by its name, with or without 村, 社区 or 居委会; "" if none or several fit."""
    known = villages(town)
    if written in known:
        return known[written]
    bare = _SUFFIX.sub("", written)
    found = {code for name, code in known.items() if _SUFFIX.sub("", name) == bare}
    return found.pop() if len(found) == 1 else ""


def code_of_village(address: Address) -> str:
    """The 12-digit code of the village or community that the address names in its town; "" if it is not known."""
    if len(address.divisions) != 1 or len(address.divisions[0].code) != 9:
        return ""
    town = address.divisions[0].code
    named = (e.text for e in address.elements if e.kind in ("community", "poi"))
    return next((code for text in named if (code := village_code(town, text))), "")


@lru_cache(4096)
def _villages(line: str) -> dict[str, str]:
    return read_line(line)


@lru_cache(64)
def _city(city: str) -> dict[str, str]:
    """Town → its line, of one city. The archive is opened anew each time: a handle does not survive a fork."""
    import zipfile  # noqa: PLC0415 (the archive is opened for few addresses)
    import zlib  # noqa: PLC0415

    try:
        with zipfile.ZipFile(DATA / TABLE) as archive:
            if f"{city}.txt" not in archive.namelist():
                return {}
            text = archive.read(f"{city}.txt").decode(ENCODING)
    except (OSError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise BrokenArtefactError("table_damaged", file=TABLE, reason=str(error)) from error
    return {line[:9]: line for line in text.split("\n") if line}
