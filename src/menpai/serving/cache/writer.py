"""What writes to one store, and leaves it alone while it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from menpai.serving.cache.keys import Key
from menpai.serving.cache.store import Breaker, Store, StoreError

Tell = Callable[..., None]
Count = Callable[[str, str, int], None]


class Writer:
    """Writes to one store, and leaves it alone while it fails."""

    def __init__(self, store: Store, count: Count, tell: Tell) -> None:
        self._store = store
        self._count = count
        self._tell = tell
        self._breaker = Breaker(tries=1)
        self._generation: int | None = None

    def poll(self) -> bool:
        """Whether somebody cleared the store since the last time."""
        before = self._generation
        found = self._try(self._store.generation)
        self._generation = before if found is None else found
        return None not in (before, found) and found != before

    def write(self, values: Mapping[Key, bytes]) -> None:
        """Write, or let go and count it."""

        def put() -> int:
            self._store.put_many(values)
            return 1

        if not self._try(put):
            self._count(self._store.name, "unwritten", len(values))

    def _try(self, work: Callable[[], int]) -> int | None:
        if not self._breaker.closed:
            return None
        try:
            done = work()
        except StoreError as error:
            tell_of_damage(self._tell, self._store, error)
            if self._breaker.failed():
                self._tell("cache_left_alone", layer=self._store.name, error=str(error))
            return None
        if self._breaker.succeeded():
            self._tell("cache_back", layer=self._store.name)
        return done


def tell_of_damage(tell: Tell, store: Store, error: StoreError) -> None:
    """Say that a damaged file was moved out of the way, if that is what happened."""
    if error.moved:
        tell("cache_damaged", layer=store.name, error=str(error))
