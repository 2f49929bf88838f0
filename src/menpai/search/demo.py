"""The demo library: China's divisions down to the town, and some well-known places; made at first use, in the cache.

It is made of the tables in the wheel, so it takes no room there, and anew when they or the indexes change.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from menpai._version import __version__
from menpai.errors import MenpaiError
from menpai.parsing.gazetteer import Gazetteer, default
from menpai.parsing.tables import DATA, read_lines
from menpai.search.changes import add_indexes, commit, new_name, seal, writing
from menpai.search.files import remove_tree
from menpai.search.manifest import FORMAT, read_manifest
from menpai.search.parts import load_parts
from menpai.search.pool import Pool
from menpai.search.rows import Row, read_rows, write_segment
from menpai.search.segment import KINDS
from menpai.search.values import Entry
from menpai.settings import cache_folder

PLACES = "demo_places.tsv"
_TABLES = ("divisions.tsv", "division_names.tsv", "centroids.tsv", PLACES)
_LEVELS = {2: "province", 4: "city", 6: "district", 9: "town"}
_WEIGHTS = {2: 4.0, 4: 3.0, 6: 2.0, 9: 1.0}


def demo_folder() -> Path:
    """Where the demo library is, or will be."""
    return cache_folder() / "menpai" / f"demo-{_version()}"


def demo_path() -> Path:
    """The folder of the demo library in the user's cache, which is built if it is not there."""
    folder = demo_folder()
    try:
        read_manifest(folder)
    except MenpaiError:
        build_demo(folder)
    return folder


def build_demo(folder: Path) -> None:
    """Build it beside its place and move it there; whoever is first wins."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}")
    try:
        with writing(part, create=True) as manifest:
            rows = demo_rows()
            path = part / new_name(manifest)
            write_segment(path, rows)
            with Pool(0) as pool:  # starting processes would take longer
                add_indexes({path: len(rows)}, pool)
            commit(part, manifest, [seal(path, len(rows))], 1)
        os.rename(part, folder)
    except OSError:
        if not (folder / "manifest.json").exists():
            raise
    finally:
        remove_tree(part)


def demo_rows() -> list[Row]:
    """The rows, sorted: each division with its code as id, and the places."""
    places, _ = read_rows([*_places()])
    rows = [*_divisions(default()), *places]
    return sorted(rows, key=lambda row: (row.key, row.name_key, row.entry.id))


def _divisions(gazetteer: Gazetteer) -> Iterator[Row]:
    """Every unit under its full name; nothing needs to be parsed, since the names of its parents are known."""
    units = list(gazetteer)
    for code in [*units, *(town for unit in units for town in gazetteer.towns(unit).values())]:
        text, cuts, size = "", list[tuple[int, int]](), 0
        for digits, level in _LEVELS.items():
            if digits <= len(code) and code[:digits] in gazetteer:
                name = gazetteer.division(code[:digits]).name
                text, size = text + name, size + len(name.encode())
                cuts.append((size, KINDS.index(level)))
        point = gazetteer.centroid(code) if len(code) < 9 else None
        entry = Entry(code, text, weight=_WEIGHTS[len(code)])
        yield Row(text.encode(), b"", entry, int(code), tuple(cuts), point)


def _places() -> Iterator[Entry]:
    for number, line in enumerate(read_lines(PLACES), 1):
        name, address, lat, lon = line.split("\t")
        yield Entry(f"p{number}", address, name, float(lat), float(lon))


def _version() -> str:
    """A short digest of all that the library is made of."""
    parts = [(part.NAME, part.VERSION) for part in load_parts()]
    digest = hashlib.sha256(repr((__version__, FORMAT, parts)).encode())
    for table in _TABLES:
        digest.update((DATA / table).read_bytes())
    return digest.hexdigest()[:12]
