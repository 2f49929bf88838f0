"""What was used last stays: a dictionary bounded in entries, bytes and seconds. This file knows nobody."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LRU(Generic[Key, Value]):
    """At most `entries` values of together `limit` bytes, as `size` reckons them; safe to share between threads.

    A value older than `seconds` is gone. `hits`, `misses` and `evicted` only ever grow.
    """

    def __init__(
        self, entries: int, limit: float, size: Callable[[Key, Value], int], seconds: float = math.inf
    ) -> None:
        self.bytes = self.hits = self.misses = self.evicted = 0
        self._entries = entries
        self._limit = limit
        self._size = size
        self._seconds = seconds
        self._known: OrderedDict[Key, tuple[Value, int, float]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: Key) -> Value | None:
        """The value, which is now the last one to go; None if it is not known."""
        with self._lock:
            found = self._known.get(key)
            if found is not None and (found[2] == math.inf or found[2] > monotonic()):
                self._known.move_to_end(key)
                self.hits += 1
                return found[0]
            if found is not None:
                self._drop(key)
            self.misses += 1
            return None

    def put(self, key: Key, value: Value) -> None:
        """Remember a value; what was used longest ago makes room. One that is larger than all room is let go."""
        size = self._size(key, value)
        until = math.inf if self._seconds == math.inf else monotonic() + self._seconds
        with self._lock:
            if key in self._known:
                self._drop(key)
            if size > self._limit or not self._entries:
                return
            self._known[key] = (value, size, until)
            self.bytes += size
            while len(self._known) > self._entries or self.bytes > self._limit:
                self._drop(next(iter(self._known)))
                self.evicted += 1

    def clear(self) -> None:
        """Forget everything; the counts stay."""
        with self._lock:
            self._known.clear()
            self.bytes = 0

    def _drop(self, key: Key) -> None:
        self.bytes -= self._known.pop(key)[1]
