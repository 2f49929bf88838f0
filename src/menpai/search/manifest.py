"""The manifest of a library: which segments make it up. Replaced whole, so a reader sees one version or the next."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from menpai.errors import BrokenArtefactError, NotReadyError, UsageError
from menpai.search.files import write_whole

FORMAT = 1
NAME = "manifest.json"
JOURNAL = "build"
_DEAD = re.compile(r"(dead-\d+-[0-9a-f]{8})?")
_SEGMENT = re.compile(r"s\d+-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment in the manifest: its files (relative name → bytes and SHA-256), indexes, and removed rows."""

    name: str
    rows: int
    files: Mapping[str, tuple[int, str]]
    indexes: Mapping[str, int] = field(default_factory=dict)
    dead: str = ""
    "File with a bit for each row that was removed; empty for none."
    dead_rows: int = 0
    dead_digest: str = ""

    @property
    def live(self) -> int:
        """Rows that were not removed."""
        return self.rows - self.dead_rows


@dataclass(frozen=True, slots=True)
class Manifest:
    """One version of a library. `next_number` numbers the rows that come without id."""

    generation: int = 0
    segments: tuple[SegmentEntry, ...] = ()
    next_number: int = 1
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """Rows that were not removed."""
        return sum(part.live for part in self.segments)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a library; each way in which it may be missing or wrong has its own message."""
    path = folder / NAME
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(folder) from None
    except (OSError, ValueError) as error:
        raise UsageError(
            "file_failed", path=str(path), reason=getattr(error, "strerror", "") or error
        ) from error
    try:
        table = json.loads(text)
        found = table["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BrokenArtefactError("library_damaged", path=str(folder), file=NAME) from None
    if found != FORMAT:
        newer = isinstance(found, int) and found > FORMAT
        code = "library_newer" if newer else "library_older"
        raise BrokenArtefactError(code, path=str(folder), found=found, known=FORMAT)
    if table.pop("digest", None) != _digest(table):
        raise BrokenArtefactError("library_damaged", path=str(folder), file=NAME)
    try:
        return Manifest(
            table["generation"], tuple(map(_part, table["segments"])), table["next_number"], table["about"]
        )
    except (KeyError, TypeError, ValueError):
        raise BrokenArtefactError("library_damaged", path=str(folder), file=NAME) from None


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Make this the library's version."""
    table = {"format": FORMAT, **asdict(manifest)}
    table["segments"] = list(table["segments"])
    table = json.loads(json.dumps(table))
    table["digest"] = _digest(table)
    write_whole(folder / NAME, json.dumps(table, ensure_ascii=False, indent=1).encode())


def _part(table: dict[str, Any]) -> SegmentEntry:
    if not _SEGMENT.fullmatch(table["name"]) or not _DEAD.fullmatch(table["dead"]):
        raise ValueError
    return SegmentEntry(
        **{**table, "files": {name: (size, sha) for name, (size, sha) in table["files"].items()}}
    )


def _digest(table: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()


def _missing(folder: Path) -> UsageError | NotReadyError | BrokenArtefactError:
    if (folder / JOURNAL).is_dir():
        return NotReadyError("library_unfinished", path=str(folder))
    if folder.exists():
        return UsageError("library_none", path=str(folder))
    return UsageError("library_not_found", path=str(folder))
