"""What a file and Redis have in common, and the breaker that leaves one alone while it fails."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import NamedTuple, Protocol

from menpai.serving.cache.keys import Key

TRIES = 3
FIRST_REST, LONGEST_REST = 1.0, 30.0


class StoreError(Exception):
    """The store did not do what it was asked; nothing is lost but the time saved. `moved`: a damaged file is out of the way."""

    moved = False


class Info(NamedTuple):
    """What is in a store: its entries, bytes, and where it is, without a password."""

    where: str
    entries: int
    bytes: int


class Store(Protocol):
    """Values by key, outside this process. One thread reads, another writes; both raise StoreError."""

    name: str

    def get_many(self, keys: Sequence[Key]) -> Mapping[Key, bytes]:
        """The values that are there and not too old."""

    def put_many(self, values: Mapping[Key, bytes]) -> None:
        """Keep the values, and let the oldest go where there is no room."""

    def generation(self) -> int:
        """A number that changes when somebody clears the store, or forgets an address."""

    def clear(self, address: bytes | None = None) -> int:
        """Delete everything, or the pairs with the address of this hash; how many."""

    def info(self) -> Info:
        """What is in it."""

    def close(self) -> None:
        """Give it back."""


class Breaker:
    """Says when to leave something alone: after TRIES failures in a row, for longer each time it fails again."""

    def __init__(self, tries: int = TRIES) -> None:
        self._tries = tries
        self._failures = 0
        self._rest = 0.0
        self._until = 0.0

    @property
    def closed(self) -> bool:
        """Whether it may be tried."""
        return self._failures < self._tries or monotonic() >= self._until

    def succeeded(self) -> bool:
        """It works; True if it had been left alone until now."""
        back = self._failures >= self._tries
        self._failures, self._rest = 0, 0.0
        return back

    def failed(self) -> bool:
        """It failed; True if it is left alone from now on."""
        self._failures += 1
        if self._failures < self._tries:
            return False
        self._rest = min(LONGEST_REST, max(FIRST_REST, 2 * self._rest))
        self._until = monotonic() + self._rest * random.uniform(0.8, 1.2)
        return self._failures == self._tries
