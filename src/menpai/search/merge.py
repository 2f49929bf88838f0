"""Several segments into one: the rows that stay, sorted again, a column at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from pathlib import Path

import numpy as np

from menpai.search.columns import Numbers, Texts, save_numbers, save_texts, save_varied
from menpai.search.segment import UNKNOWN, Segment, open_segment

_TEXTS = ("keys", "name_keys", "raw_texts", "raw_names", "payloads")
_NUMBERS = {"lat": UNKNOWN, "lon": UNKNOWN, "weights": 1, "divisions": 0}

Kept = tuple[Callable[[], Segment], Numbers | None]
"""What opens a segment, and which of its rows stay (bool for each row; None for all). It is opened for each column anew,
since a build may have more chunks than a process may have files."""


def merge_segments(path: Path, sources: Sequence[Kept]) -> Segment:
    """A new segment of the rows that stay, in a new folder."""
    path.mkdir(parents=True)
    keys = _gather(sources, "keys")
    # Sorted runs one behind the other: what Python's sort is quickest at.
    order = sorted(range(len(keys)), key=keys.__getitem__)
    for name in _TEXTS:
        if any(len(getattr(opened(), name).blob) for opened, _ in sources):
            texts = keys if name == "keys" else _gather(sources, name)
            save_texts(path, name, map(texts.__getitem__, order))
    del keys
    texts = _gather(sources, "ids")
    ids = [texts[at] for at in order]
    save_texts(path, "ids", ids)
    save_numbers(path, "id_order", np.array(sorted(range(len(ids)), key=ids.__getitem__), np.uint32))
    taken = np.array(order, np.int64)
    for name, default in _NUMBERS.items():
        save_varied(path, name, _numbers(sources, name)[taken], default)
    _save_cuts(path, sources, taken)
    return open_segment(path, len(ids))


def _gather(sources: Sequence[Kept], name: str) -> list[bytes]:
    """The texts of the rows that stay."""
    return [text for source in sources for text in _kept(getattr(source[0](), name), source[1])]


def _kept(texts: Texts, keep: Numbers | None) -> Iterator[bytes]:
    return texts.all_bytes() if keep is None else compress(texts.all_bytes(), keep.tolist())


def _numbers(sources: Sequence[Kept], name: str) -> Numbers:
    return np.concatenate([_taken(getattr(opened(), name), keep) for opened, keep in sources])


def _taken(column: Numbers, keep: Numbers | None) -> Numbers:
    """The values that stay, copied, so that the file can be closed."""
    return column.copy() if keep is None else column[keep]


def _save_cuts(path: Path, sources: Sequence[Kept], order: Numbers) -> None:
    """The stretches of each row, moved with it."""
    starts, sizes, base = [], [], 0
    ends, kinds = [], []
    for opened, keep in sources:
        segment = opened()
        at = segment.cut_at.astype(np.int64)
        rows = slice(None) if keep is None else keep
        starts.append((base + at[:-1])[rows])
        sizes.append(np.diff(at)[rows])
        base += len(segment.cut_ends)
        ends.append(segment.cut_ends.copy())
        kinds.append(segment.cut_kinds.copy())
    size = np.concatenate(sizes)[order]
    at = np.concatenate([[0], np.cumsum(size)])
    source = np.repeat(np.concatenate(starts)[order] - at[:-1], size) + np.arange(at[-1])
    save_numbers(path, "cut_at", at.astype(np.uint32))
    save_numbers(path, "cut_ends", np.concatenate(ends)[source])
    save_numbers(path, "cut_kinds", np.concatenate(kinds)[source])
