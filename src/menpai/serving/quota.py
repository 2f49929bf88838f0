"""How much one client may ask for: a bucket of rows that fills at a steady rate.

A request is let in as soon as one row is there, and then pays for all of its rows: one that is larger than the
bucket is served too, and its client waits until the debt is paid off.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from menpai.errors import NotReadyError

SECONDS_AT_ONCE = 10  # whose rows a client may ask for at once, where no burst is named
REMEMBERED = 100_000  # clients; the one that asked longest ago is forgotten first


@dataclass(slots=True)
class Bucket:
    """What a client has left; below 0 it is in debt."""

    rows: float
    at: float


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: the name of a key or an address, and its quota in rows a second (0: none) and at once (0: by the rate)."""

    name: str
    quota: float
    burst: int = 0

    @property
    def most(self) -> int:
        """Rows that it may ask for at once."""
        return self.burst or max(1, math.ceil(SECONDS_AT_ONCE * self.quota))


class Quotas:
    """The buckets of all clients; used on the event loop only."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def admit(self, client: Client) -> None:
        """Take one row, or raise `quota_spent` with the seconds until there is one."""
        if not client.quota:
            return
        bucket = self._filled(client)
        if bucket.rows < 1:
            seconds = math.ceil((1 - bucket.rows) / client.quota)
            raise NotReadyError("quota_spent", quota=f"{client.quota:g}", retry_after=seconds)
        bucket.rows -= 1

    def charge(self, client: Client, rows: int) -> None:
        """Take the rest of an admitted request's rows, into debt if need be."""
        if client.quota and rows > 0:
            self._filled(client).rows -= rows

    def _filled(self, client: Client) -> Bucket:
        now = self._clock()
        bucket = self._buckets.get(client.name)
        if bucket is None:
            bucket = self._buckets[client.name] = Bucket(client.most, now)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(client.name)
        bucket.rows = min(client.most, bucket.rows + (now - bucket.at) * client.quota)
        bucket.at = now
        return bucket
