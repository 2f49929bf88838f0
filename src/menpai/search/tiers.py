"""Keeping the number of segments small: many of about the same size become one, as rows are added."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path

from menpai.search.changes import add_indexes, live_mask, new_name, seal
from menpai.search.manifest import Manifest, SegmentEntry
from menpai.search.merge import merge_segments
from menpai.search.pool import Pool
from menpai.search.store import open_rows

# So many segments of one order of magnitude are merged: each row is written about once for each digit of the count.
FANOUT = 8
MOST_ROWS = 2_000_000
"Rows of one segment, so that merging stays below 2 GB; a larger library has several."


def merge_tiers(
    folder: Path, manifest: Manifest, segments: Sequence[SegmentEntry], pool: Pool
) -> list[SegmentEntry]:
    """The segments, with those of a crowded size merged into one."""
    segments = list(segments)
    while crowd := _crowd(segments):
        merged = merge_entries(folder, manifest, crowd, pool)
        segments = [entry for entry in segments if entry not in crowd] + merged
    return segments


def merge_entries(
    folder: Path, manifest: Manifest, entries: Sequence[SegmentEntry], pool: Pool
) -> list[SegmentEntry]:
    """One segment of the rows of several that were not removed; none if no row is left."""
    kept = [(partial(open_rows, folder, entry), live_mask(folder, entry)) for entry in entries if entry.live]
    if not kept:
        return []
    path = folder / new_name(manifest)
    rows = len(merge_segments(path, kept))
    add_indexes({path: rows}, pool)
    return [seal(path, rows)]


def _crowd(segments: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Segments with the same number of digits in their row count, if there are FANOUT of them; of large ones as many as
    make one segment."""
    tiers = defaultdict(list)
    for entry in segments:
        tiers[len(str(entry.live))].append(entry)
    for _, tier in sorted(tiers.items()):
        if len(tier) < FANOUT:
            continue
        ordered = sorted(tier, key=lambda entry: entry.live)
        rows = accumulate(entry.live for entry in ordered)
        crowd = [entry for entry, total in zip(ordered, rows, strict=True) if total <= MOST_ROWS]
        if len(crowd) > 1:
            return crowd
    return []
