"""Taking entries into a library: chunks read side by side, merged into segments, indexed, and listed at once."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from menpai._version import __version__
from menpai.errors import Problem, UsageError
from menpai.search import tiers
from menpai.search.changes import WAIT, add_indexes, commit, live_mask, new_name, seal, without_rows, writing
from menpai.search.ids import Chunk, Policy, settle_repeats, settle_taken
from menpai.search.journal import Journal
from menpai.search.manifest import Manifest, SegmentEntry
from menpai.search.merge import merge_segments
from menpai.search.parts import load_parts
from menpai.search.pool import Pool
from menpai.search.store import open_rows
from menpai.search.tiers import merge_tiers
from menpai.search.values import Entry, Trouble
from menpai.search.worker import Task, chunk_task

Mode = Literal["build", "add", "update"]
Told = Callable[[str, float, float], None]
"""Called with the stage (read, merge, index), how much is done, and how much there is (0: not known)."""

CHUNK = 20_000
# Below so many entries no process is started: it would take longer than the work.
_SMALL = 5_000


@dataclass(frozen=True, slots=True)
class Source:
    """Where entries come from: a name for messages, the system of its coordinates, and what it holds, in order."""

    name: str
    items: Iterable[Entry | Trouble]
    crs: str = "wgs84"


@dataclass(slots=True)
class Report:
    """What a change did. `problems` counts what was wrong with rows, by code."""

    rows: int = 0
    "Rows in the library now."
    taken: int = 0
    "Rows that came in."
    replaced: int = 0
    removed: int = 0
    resumed: int = 0
    "Entries that an earlier run had read already."
    problems: Counter[str] = field(default_factory=Counter)
    notes: list[Problem] = field(default_factory=list)
    "Which columns were taken, and what had to be assumed, such as the system of coordinates."

    def to_dict(self) -> dict[str, Any]:
        """The JSON shape."""
        counts = ("rows", "taken", "replaced", "removed", "resumed")
        notes = [note.code for note in self.notes]
        return {name: getattr(self, name) for name in counts} | {
            "problems": dict(self.problems),
            "notes": notes,
        }


@dataclass(frozen=True, slots=True)
class Order:
    """How entries are taken in. `plan` says what they are: a run that was killed goes on where the plan is the same;
    without one it starts anew."""

    mode: Mode = "build"
    duplicates: Policy = "error"
    workers: int = 0
    wait: float = WAIT
    plan: Mapping[str, Any] = field(default_factory=dict)
    total: float = 0
    "How many entries are expected, for the progress; 0 if not known."


def ingest(
    folder: Path,
    sources: Iterable[Source],
    order: Order,
    told: Told = lambda *_: None,
    on_trouble: Callable[[Trouble], None] = lambda _: None,
) -> Report:
    """Build a library of the sources, or take them into one; what goes wrong with a row is told and counted."""
    report = Report()

    def trouble(found: Trouble) -> None:
        report.problems[found.problem.code] += 1
        on_trouble(found)

    with writing(folder, order.wait, create=order.mode == "build") as manifest:
        plan = {
            **(order.plan or {"once": secrets.token_hex(8)}),
            "mode": order.mode,
            "menpai": __version__,
            "generation": manifest.generation,
        }
        journal = Journal.open(folder, plan)
        counter = _Counter(1 if order.mode == "build" else manifest.next_number)
        batches = _batches(sources, counter)
        early = list(islice(batches, 2))
        small = len(early) < 2 and sum(len(items) for _, items in early) < _SMALL
        with Pool(0 if small else order.workers) as pool:
            count = _read(journal, chain(early, batches), pool, order, report, told)
            chunks = _chunks(journal, count, trouble)
            kept, replaced = _settle(folder, manifest, chunks, order, trouble)
            new = _segments(folder, manifest, chunks, pool, told)
            if not new and order.mode == "build":
                raise UsageError("library_empty", path=str(folder), problems=report.problems.total())
            segments = [*kept, *new]
            if order.mode != "build":
                segments = merge_tiers(folder, manifest, segments, pool)
        if new or replaced:
            manifest = commit(folder, manifest, segments, counter.next)
        journal.remove()
    report.taken = sum(entry.rows for entry in new)
    report.rows, report.replaced = manifest.rows, replaced
    return report


@dataclass(slots=True)
class _Counter:
    """The number for the next row without id."""

    next: int


def _batches(sources: Iterable[Source], counter: _Counter) -> Iterator[tuple[Source, list[Entry | Trouble]]]:
    """CHUNK items of a source at a time; an entry without id gets one."""
    for source in sources:
        items = iter(source.items)
        while batch := list(islice(items, CHUNK)):
            for at, item in enumerate(batch):
                if isinstance(item, Entry) and not item.id:
                    batch[at] = item._replace(id=f"#{counter.next}")
                    counter.next += 1
            yield source, batch


def _read(
    journal: Journal,
    batches: Iterable[tuple[Source, list[Entry | Trouble]]],
    pool: Pool,
    order: Order,
    report: Report,
    told: Told,
) -> int:
    """Read all batches into chunks, but for those that are there already; how many there are."""
    count = done = 0
    sizes: deque[int] = deque()

    def tasks() -> Iterator[Task]:
        nonlocal count, done
        for count, (source, batch) in enumerate(batches, 1):
            if journal.is_finished(count):
                report.resumed += len(batch)
                done += len(batch)
                continue
            sizes.append(len(batch))
            entries = [item for item in batch if isinstance(item, Entry)]
            troubles = [item for item in batch if isinstance(item, Trouble)]
            yield chunk_task(journal.path(count), source.name, source.crs, entries, troubles)

    told("read", 0, order.total)
    for _ in pool.map(tasks()):
        done += sizes.popleft()
        told("read", done, order.total)
    return count


def _chunks(journal: Journal, count: int, trouble: Callable[[Trouble], None]) -> list[Chunk]:
    """The finished chunks; what was wrong with their entries is told."""
    chunks = []
    for number in range(1, count + 1):
        opened, lines, source = journal.chunk(number)
        chunks.append(Chunk(opened, lines, np.ones(len(lines), bool), source))
        for found in journal.troubles(number):
            trouble(found)
    return chunks


def _settle(
    folder: Path, manifest: Manifest, chunks: list[Chunk], order: Order, trouble: Callable[[Trouble], None]
) -> tuple[list[SegmentEntry], int]:
    """The segments of before that stay, without the rows that are replaced, and how many those are."""
    for found in settle_repeats(chunks, order.duplicates):
        trouble(found)
    if order.mode == "build":
        return [], 0
    known = [(open_rows(folder, entry), live_mask(folder, entry)) for entry in manifest.segments]
    policy: Policy = "last" if order.mode == "update" else order.duplicates
    replaced, troubles = settle_taken(chunks, known, policy)
    for found in troubles:
        trouble(found)
    kept = [
        without_rows(folder, manifest, entry, replaced[entry.name]) if entry.name in replaced else entry
        for entry in manifest.segments
    ]
    return [entry for entry in kept if entry is not None], sum(map(len, replaced.values()))


def _segments(
    folder: Path, manifest: Manifest, chunks: list[Chunk], pool: Pool, told: Told
) -> list[SegmentEntry]:
    """New segments of the rows of all chunks, with their indexes."""
    made: dict[Path, int] = {}
    total = sum(int(chunk.keep.sum()) for chunk in chunks)
    for group in _groups(chunks):
        told("merge", sum(made.values()), total)
        path = folder / new_name(manifest)
        made[path] = len(merge_segments(path, [(chunk.open, chunk.keep) for chunk in group]))
    shares: dict[int, float] = {}

    def told_share(number: int, share: float) -> None:
        shares[number] = share
        told("index", sum(shares.values()), len(made) * len(load_parts()))

    add_indexes(made, pool, told_share)
    return [seal(path, rows) for path, rows in made.items()]


def _groups(chunks: list[Chunk]) -> Iterator[list[Chunk]]:
    """Chunks that make up a segment each; those without rows are in none."""
    group: list[Chunk] = []
    rows = 0
    for chunk in chunks:
        count = int(chunk.keep.sum())
        if group and rows + count > tiers.MOST_ROWS:
            yield group
            group, rows = [], 0
        if count:
            group.append(chunk)
            rows += count
    if group:
        yield group
