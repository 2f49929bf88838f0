"""Changing a library: one writer at a time, new files beside the old ones, and a manifest that lists them at once."""

from __future__ import annotations

import errno
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from menpai._version import __version__
from menpai.errors import BrokenArtefactError, UsageError
from menpai.search.columns import Numbers
from menpai.search.files import digest, digests, remove_tree, sync_tree, write_whole
from menpai.search.lock import NAME as LOCK
from menpai.search.lock import writer_lock
from menpai.search.manifest import JOURNAL, Manifest, SegmentEntry, read_manifest, write_manifest
from menpai.search.manifest import NAME as MANIFEST
from menpai.search.parts import load_parts
from menpai.search.pool import Pool
from menpai.search.store import open_dead
from menpai.search.worker import index_task

# Seconds that a writer waits for another one.
WAIT = 10.0
_OURS = re.compile(r"(s|dead-)\d+-[0-9a-f]{8}(\.part)?")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, None}


@contextmanager
def writing(folder: Path, wait: float = WAIT, *, create: bool = False) -> Iterator[Manifest]:
    """The library's version, locked against other writers. What is half-written when an error ends the block is
    removed, but for finished chunks of a build, unless the disk is full."""
    if create:
        made = _make(folder)
    else:
        made = False
        read_manifest(folder)
    try:
        with _locked(folder, wait, create) as manifest:
            yield manifest
    except BaseException:
        if made and not (folder / MANIFEST).exists() and not any(folder.glob(f"{JOURNAL}/*/[0-9]*")):
            remove_tree(folder)
        raise


@contextmanager
def _locked(folder: Path, wait: float, create: bool) -> Iterator[Manifest]:
    with writer_lock(folder, wait):
        manifest = _before(folder, create)
        known = manifest or Manifest()
        if manifest:
            sweep(folder, manifest)
        try:
            yield known
        except BaseException as error:
            if manifest:
                sweep(folder, manifest)
            if not isinstance(error, OSError) or error.errno not in _FULL:
                raise
            remove_tree(folder / JOURNAL)
            reason = error.strerror or str(error)
            raise UsageError("library_disk_full", path=str(folder), reason=reason) from error


def _before(folder: Path, create: bool) -> Manifest | None:
    """The version that is there. None where a library is built in place of one that this version of menpai cannot
    read, whose files stay until the new one is ready: another version of menpai may read them."""
    if not (folder / MANIFEST).exists():
        return Manifest()
    try:
        return read_manifest(folder)
    except BrokenArtefactError:
        names = {path.name for path in folder.iterdir()} - {MANIFEST, MANIFEST + ".part", JOURNAL, LOCK}
        if not create or not names:
            raise
        if not all(map(_OURS.fullmatch, names)):  # the manifest of something else
            raise UsageError("library_not_empty", path=str(folder)) from None
        return None


def new_name(manifest: Manifest) -> str:
    """A name for a segment of the next version."""
    return f"s{manifest.generation + 1}-{secrets.token_hex(4)}"


def add_indexes(folders: Mapping[Path, int], pool: Pool, told: Any = None) -> None:
    """Build every index part of new segments (folder → rows), side by side."""
    tasks = [index_task(path, rows, n) for n in range(len(load_parts())) for path, rows in folders.items()]
    for _ in pool.map(tasks, told):
        pass


def seal(path: Path, rows: int) -> SegmentEntry:
    """A finished segment as the manifest lists it, safe on the disk."""
    sync_tree(path)
    versions = {part.NAME: part.VERSION for part in load_parts()}
    return SegmentEntry(path.name, rows, digests(path), versions)


def without_rows(
    folder: Path, manifest: Manifest, entry: SegmentEntry, rows: Sequence[int]
) -> SegmentEntry | None:
    """The segment with more of its rows removed; None if none is left."""
    dead = open_dead(folder, entry)
    dead = np.zeros(entry.rows, bool) if dead is None else dead.copy()
    dead[list(rows)] = True
    count = int(dead.sum())
    if count == entry.rows:
        return None
    if count == entry.dead_rows:
        return entry
    name = f"dead-{manifest.generation + 1}-{secrets.token_hex(4)}"
    write_whole(folder / name, np.packbits(dead).tobytes())
    return replace(entry, dead=name, dead_rows=count, dead_digest=digest(folder / name))


def commit(folder: Path, before: Manifest, segments: Sequence[SegmentEntry], next_number: int) -> Manifest:
    """The next version, in force; files of the old one that it does not need are deleted."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    about = {"created": now, **before.about, "changed": now, "menpai": __version__}
    manifest = Manifest(before.generation + 1, tuple(segments), next_number, about)
    write_manifest(folder, manifest)
    sweep(folder, manifest)
    return manifest


def sweep(folder: Path, manifest: Manifest) -> None:
    """Delete segments and lists of removed rows that the manifest does not name, left by killed writers."""
    named = {entry.name for entry in manifest.segments} | {entry.dead for entry in manifest.segments}
    for path in folder.iterdir():
        if (_OURS.fullmatch(path.name) and path.name not in named) or path.name == MANIFEST + ".part":
            remove_tree(path)


def live_mask(folder: Path, entry: SegmentEntry) -> Numbers | None:
    """Which rows of a segment stay (bool for each row); None for all."""
    dead = open_dead(folder, entry)
    return None if dead is None else ~dead


def _make(folder: Path) -> bool:
    """A folder for a library: a new or empty one, or one that is a library already. Whether it is new."""
    if folder.is_file():
        raise UsageError("library_not_empty", path=str(folder))
    if not folder.parent.is_dir():
        raise UsageError("output_folder_missing", folder=str(folder.parent))
    try:
        folder.mkdir()
        return True
    except FileExistsError:
        pass
    names = {path.name for path in folder.iterdir()}
    if names and not names & {MANIFEST, JOURNAL} and names != {LOCK}:
        raise UsageError("library_not_empty", path=str(folder))
    return False
