"""Reading a library: open one version of it, and step to the next one when the manifest has changed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from menpai.errors import BrokenArtefactError, UsageError
from menpai.search.columns import Numbers
from menpai.search.manifest import NAME, Manifest, SegmentEntry, read_manifest
from menpai.search.parts import load_parts
from menpai.search.segment import Segment, open_segment
from menpai.search.view import Shard, View

# How often opening starts again because a writer replaced the version that was being opened.
_TRIES = 20


def open_view(
    folder: Path, before: View | None = None, known: Manifest | None = None
) -> tuple[Manifest, View]:
    """The version that the manifest names, with the shards of an earlier view where they are the same."""
    for _ in range(_TRIES):
        manifest = read_manifest(folder)
        try:
            view = _view(folder, manifest, before, known)
            # A segment may have gone while it was opened, and a file that is not there is a column without content.
            if _names(manifest) <= _names(read_manifest(folder)):
                return manifest, view
        except FileNotFoundError as error:
            if read_manifest(folder).generation == manifest.generation:
                raise BrokenArtefactError(
                    "library_damaged", path=str(folder), file=error.filename or error
                ) from None
        except PermissionError as error:  # whole, but not for this user
            raise UsageError("file_failed", path=error.filename, reason=error.strerror) from error
        except (ValueError, OSError) as error:  # a file that is cut short, or no array
            raise BrokenArtefactError("library_damaged", path=str(folder), file=str(error)) from error
    raise BrokenArtefactError("library_damaged", path=str(folder), file=NAME)


def open_rows(folder: Path, part: SegmentEntry) -> Segment:
    """The columns of a segment, after a look at the sizes of its files."""
    path = folder / part.name
    for name, (size, _) in part.files.items():
        if (path / name).stat().st_size != size:
            raise BrokenArtefactError("library_damaged", path=str(folder), file=f"{part.name}/{name}")
    return open_segment(path, part.rows)


def open_dead(folder: Path, part: SegmentEntry) -> Numbers | None:
    """Which rows of a segment are removed, a bool for each; None for none."""
    if not part.dead:
        return None
    bits = np.fromfile(folder / part.dead, np.uint8)
    if len(bits) != (part.rows + 7) // 8:
        raise BrokenArtefactError("library_damaged", path=str(folder), file=part.dead)
    return np.unpackbits(bits, count=part.rows).view(bool)


def _names(manifest: Manifest) -> set[str]:
    return {entry.name for entry in manifest.segments}


def _view(folder: Path, manifest: Manifest, before: View | None, known: Manifest | None) -> View:
    opened = {shard.segment.name: shard for shard in before.shards} if before else {}
    dead = {part.name: part.dead for part in known.segments} if known else {}
    shards = []
    for part in manifest.segments:
        shard = opened.get(part.name)
        if shard is None:
            segment = open_rows(folder, part)
            shard = Shard(segment, open_dead(folder, part), _open_parts(folder, part, segment))
        elif dead.get(part.name) != part.dead:
            shard = Shard(shard.segment, open_dead(folder, part), shard.parts)
        shards.append(shard)
    return View(tuple(shards), manifest.generation)


def _open_parts(folder: Path, part: SegmentEntry, segment: Segment) -> Mapping[str, Any]:
    """The opened indexes of a segment; one of another version than this program's is named, with its cure."""
    opened = {}
    for module in load_parts():
        found = part.indexes.get(module.NAME)
        if found != module.VERSION:
            details = {"path": str(folder), "part": module.NAME, "found": found, "known": module.VERSION}
            raise BrokenArtefactError("library_index_version", **details)
        opened[module.NAME] = module.open(segment, segment.path / module.NAME)
    return opened
