"""Rows leave a library, and a library is put in order: remove, compact, check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from menpai.errors import UsageError
from menpai.search import tiers
from menpai.search.changes import WAIT, commit, live_mask, without_rows, writing
from menpai.search.files import digest
from menpai.search.ids import find_rows
from menpai.search.manifest import Manifest, SegmentEntry, read_manifest
from menpai.search.parts import load_parts
from menpai.search.pool import Pool
from menpai.search.store import open_rows
from menpai.search.tiers import merge_entries


def remove_rows(folder: Path, ids: Iterable[str], wait: float = WAIT) -> tuple[int, list[str]]:
    """Remove the rows with these ids: how many were removed, and the ids that the library does not have."""
    wanted: dict[bytes, object] = {id_.encode("utf-8", "replace"): None for id_ in ids}
    missing = set(wanted)
    with writing(folder, wait) as manifest:
        segments, removed = list[SegmentEntry](), 0
        for entry in manifest.segments:
            segment, live = open_rows(folder, entry), live_mask(folder, entry)
            rows = [row for row in find_rows(segment, wanted) if live is None or live[row]]
            missing.difference_update(segment.ids.bytes_at(row) for row in rows)
            kept = without_rows(folder, manifest, entry, rows) if rows else entry
            segments += [kept] if kept else []
            removed += len(rows)
        if removed:
            commit(folder, manifest, segments, manifest.next_number)
    return removed, [id_.decode() for id_ in wanted if id_ in missing]


def compact(folder: Path, workers: int = 0, wait: float = WAIT) -> tuple[Manifest, Manifest]:
    """Merge the segments, drop removed rows for good, and build the indexes of this version: before and after."""
    with writing(folder, wait) as before:
        if _is_compact(before):
            return before, before
        with Pool(workers) as pool:
            made = [
                entry
                for group in _groups(before.segments)
                for entry in merge_entries(folder, before, group, pool)
            ]
        return before, commit(folder, before, made, before.next_number)


def check(folder: Path) -> Iterator[tuple[str, bool]]:
    """Each file of the library, and whether it is as it was written."""
    manifest = read_manifest(folder)
    for entry in manifest.segments:
        for name, (_, sha) in entry.files.items():
            yield f"{entry.name}/{name}", _is(folder / entry.name / name, sha)
        if entry.dead:
            yield entry.dead, _is(folder / entry.dead, entry.dead_digest)


def _is(path: Path, sha: str) -> bool:
    try:
        return digest(path) == sha
    except PermissionError as error:  # nobody knows
        raise UsageError("file_failed", path=str(path), reason=error.strerror) from error
    except OSError:
        return False


def _is_compact(manifest: Manifest) -> bool:
    """Whether nothing can be gained: no removed rows, no small segments, indexes of this version."""
    versions = {part.NAME: part.VERSION for part in load_parts()}
    groups = list(_groups(manifest.segments))
    return len(groups) == len(manifest.segments) and all(
        not entry.dead_rows and dict(entry.indexes) == versions for entry in manifest.segments
    )


def _groups(entries: Sequence[SegmentEntry]) -> Iterator[list[SegmentEntry]]:
    """Segments to merge into one, which must not have too many rows."""
    group: list[SegmentEntry] = []
    for entry in sorted(entries, key=lambda entry: -entry.live):
        if group and sum(one.live for one in group) + entry.live > tiers.MOST_ROWS:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group
