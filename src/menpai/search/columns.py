"""Columns on disk: numbers as .npy, texts as one blob and the ends of each; opened memory-mapped, never copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
_BLOCK = 1 << 16
"Texts that are written at once."
SMALL = 1 << 16
"Bytes of a file up to which it is read instead of mapped: each mapping holds a file open."


class Texts:
    """A column of texts. `blob` holds all of them as UTF-8; text i is blob[at[i]:at[i + 1]]."""

    __slots__ = ("_view", "at", "blob")

    def __init__(self, blob: Numbers, at: Numbers) -> None:
        self.blob, self.at = blob, at
        self._view = memoryview(cast(bytes, blob))  # NumPy's stubs do not say that arrays are buffers

    def __len__(self) -> int:
        return len(self.at) - 1

    def __iter__(self) -> Iterator[str]:
        return (text.decode() for text in self.all_bytes())

    def __getitem__(self, row: int) -> str:
        return str(self._view[self.at[row] : self.at[row + 1]], "utf-8")

    def bytes_at(self, row: int) -> bytes:
        """Text `row` as UTF-8."""
        return bytes(self._view[self.at[row] : self.at[row + 1]])

    def all_bytes(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The texts of rows start..end as UTF-8, quickly."""
        ends = self.at[start : len(self) + 1 if end is None else end + 1].tolist()
        if not ends:
            return
        base = ends[0]
        block = bytes(self._view[base : ends[-1]])
        yield from (block[a - base : b - base] for a, b in pairwise(ends))

    def prefix_range(self, prefix: str | bytes, low: int = 0, high: int | None = None) -> tuple[int, int]:
        """The rows (start, end) that begin with this, in a column that is sorted by its UTF-8 bytes."""
        wanted = prefix.encode() if isinstance(prefix, str) else prefix
        high = len(self) if high is None else high
        size = len(wanted)
        start = self._bisect(wanted, size, low, high, above=False)
        return start, self._bisect(wanted, size, start, high, above=True)

    def _bisect(self, wanted: bytes, size: int, low: int, high: int, *, above: bool) -> int:
        view, at = self._view, self.at
        while low < high:
            middle = (low + high) // 2
            begin = int(at[middle])
            head = bytes(view[begin : min(begin + size, int(at[middle + 1]))])
            if head < wanted or (above and head == wanted):
                low = middle + 1
            else:
                high = middle
        return low


def save_texts(folder: Path, name: str, texts: Iterable[bytes]) -> None:
    """Write a column of texts; one that is empty in every row takes no space."""
    rest, total = iter(texts), 0
    ends = [np.zeros(1, np.int64)]
    with (folder / f"{name}.bin").open("wb") as file:
        while block := list(islice(rest, _BLOCK)):
            file.write(b"".join(block))
            ends.append(total + np.cumsum(np.fromiter(map(len, block), np.int64, len(block))))
            total = int(ends[-1][-1])
    if not total:
        (folder / f"{name}.bin").unlink()
        return
    save_numbers(
        folder, f"{name}.at", np.concatenate(ends).astype(np.uint32 if total < 1 << 32 else np.uint64)
    )


def open_texts(folder: Path, name: str, rows: int) -> Texts:
    """The column; empty texts if it was not written."""
    at = open_numbers(folder, f"{name}.at")
    if at is None:
        return Texts(np.zeros(0, np.uint8), np.broadcast_to(np.uint32(0), (rows + 1,)))
    path = folder / f"{name}.bin"
    small = path.stat().st_size <= SMALL
    return Texts(np.fromfile(path, np.uint8) if small else np.memmap(path, np.uint8, "r"), at)


def save_numbers(folder: Path, name: str, values: Numbers) -> None:
    """Write an array."""
    np.save(folder / f"{name}.npy", values, allow_pickle=False)


def save_varied(folder: Path, name: str, values: Numbers, default: int) -> None:
    """Write an array, unless it holds nothing but the value that stands in for a column that was not written."""
    if (values != default).any():
        save_numbers(folder, name, values)


def open_numbers(folder: Path, name: str) -> Numbers | None:
    """The array, memory-mapped, as a plain ndarray; None if it was not written."""
    path = folder / f"{name}.npy"
    if not path.exists():
        return None
    small = path.stat().st_size <= SMALL
    return np.asarray(np.load(path, mmap_mode=None if small else "r", allow_pickle=False))
