"""The built tables in menpai/data, as lines; one that cannot be read is a BrokenArtefactError."""

from __future__ import annotations

from importlib.resources import files

from menpai.errors import BrokenArtefactError


def read_lines(name: str) -> list[str]:
    """The lines of a table."""
    try:
        text = (files("menpai") / "data" / name).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise BrokenArtefactError("table_damaged", file=name, reason=str(error)) from error
    return text.removesuffix("\n").split("\n")


def read_table(name: str) -> dict[str, str]:
    """First column → the rest of the line, unread."""
    return {line[0]: line[2] for line in (raw.partition("\t") for raw in read_lines(name)) if line[1]}
