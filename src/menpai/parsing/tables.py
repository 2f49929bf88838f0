"""The built tables in menpai/data, as lines; one that cannot be read is a BrokenArtefactError."""

from __future__ import annotations

from pathlib import Path

from menpai.errors import BrokenArtefactError

DATA = Path(__file__).parents[1] / "data"


def read_lines(name: str) -> list[str]:
    """The lines of a table."""
    try:
        text = (DATA / name).read_bytes().decode()
    except (OSError, ValueError) as error:
        raise BrokenArtefactError("table_damaged", file=name, reason=str(error)) from error
    return text.removesuffix("\n").split("\n")


def read_table(name: str) -> dict[str, str]:
    """First column → the rest of the line, unread."""
    table = {}
    for line in read_lines(name):
        key, tab, rest = line.partition("\t")
        if tab:
            table[key] = rest
    return table
