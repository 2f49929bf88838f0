"""A random sample of what streams by, in memory that does not grow."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Reservoir(Generic[T]):
    """`size` of the items that pass, each as likely as any other (Vitter 1985, algorithm R); the same items in the same
    order give the same sample."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self._size, self._random = size, random.Random(seed)
        self._items: list[T] = []
        self.passed = 0

    def add(self, item: T) -> None:
        """One more."""
        self.passed += 1
        if len(self._items) < self._size:
            self._items.append(item)
        elif (at := self._random.randrange(self.passed)) < self._size:
            self._items[at] = item

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class Nearest(Generic[T]):
    """The `size` items with the least distances, the nearest first; of equal distances those that came first."""

    def __init__(self, size: int) -> None:
        self._size, self._passed = size, 0
        self._heap: list[tuple[float, int, T]] = []

    def add(self, distance: float, item: T) -> None:
        """One more."""
        self._passed += 1
        entry = (-distance, -self._passed, item)  # no two have the same number: items are never compared
        if len(self._heap) < self._size:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heappushpop(self._heap, entry)

    def __iter__(self) -> Iterator[T]:
        return (item for _, _, item in sorted(self._heap, reverse=True))
