"""Verdicts in Redis or Valkey, shared by services: a key is hashes, a value is numbers, each with a time to live.

Only the writing thread connects. The reading one uses what is connected and waits no longer than it was told.
"""

from __future__ import annotations

import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from menpai.errors import NotReadyError, UsageError
from menpai.serving.cache.keys import Key
from menpai.serving.cache.store import Info, StoreError

PREFIX = b"menpai:1:"
CLEARED = b"menpai:cleared"
CONNECT_SECONDS = 1.0
WRITE_SECONDS = 1.0
SCANNED = 1000


class RedisStore:
    """Verdicts behind a URL, each for `seconds`; a reading waits for at most `wait` seconds."""

    name = "redis"

    def __init__(self, url: str, seconds: float, wait: float) -> None:
        self._redis = _import_redis()
        self._where = _without_password(url)
        self._seconds = max(1, int(seconds))
        self._wait = wait
        self._lock = threading.Lock()
        self._reader: Any = None
        never = self._redis.retry.Retry(self._redis.backoff.NoBackoff(), 0)
        try:
            pool = self._redis.ConnectionPool.from_url(
                url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=WRITE_SECONDS, retry=never
            )
        except (ValueError, TypeError) as error:
            reason = "redis://…, rediss://… or unix://…"
            raise UsageError(
                "setting_invalid", name="redis_url", value=self._where, expected=reason, source="redis_url"
            ) from error
        self._pool = pool
        self._client = self._redis.Redis(connection_pool=pool)

    def get_many(self, keys: Sequence[Key]) -> dict[Key, bytes]:
        """The values that are there; raises StoreError after `wait` seconds, or while there is no connection."""
        reader = self._reader
        if reader is None:
            raise StoreError("not connected")
        until = monotonic() + self._wait
        try:
            reader.send_command("MGET", *map(_name, keys))
            if not reader.can_read(timeout=max(0.0, until - monotonic())):
                raise StoreError("slow")
            found = reader.read_response(disable_decoding=True)
        except (self._redis.RedisError, OSError, StoreError) as error:
            self._reader = None  # an answer that comes late would be taken for the next one's
            reader.disconnect()
            raise StoreError(_said(error)) from error
        return {key: value for key, value in zip(keys, found, strict=True) if value is not None}

    def put_many(self, values: Mapping[Key, bytes]) -> None:
        """Send all values in one go."""
        pipe = self._client.pipeline(transaction=False)
        for key, value in values.items():
            pipe.set(_name(key), value, ex=self._seconds)
        self._try(pipe.execute)

    def generation(self) -> int:
        """How often somebody cleared it. Connects the reader where it is not; slow answers count as none."""
        if self._reader is None:
            self._reader = self._try(self._connect)
        return int(self._try(lambda: self._client.get(CLEARED)) or 0)

    def clear(self, address: bytes | None = None) -> int:
        """Delete our keys, or those with the address of this hash; how many."""
        gone = 0
        for names in self._scan():
            chosen = [name for name in names if address is None or address in _hashes(name)]
            gone += self._try(lambda chosen=chosen: self._client.delete(*chosen)) if chosen else 0
        self._try(lambda: self._client.incr(CLEARED))
        return gone

    def info(self) -> Info:
        """Our keys, counted one by one, and about how many bytes they take."""
        count = sum(map(len, self._scan()))
        size = self._try(lambda: self._client.info("memory")).get("used_memory", 0)
        return Info(self._where, count, int(size))

    def close(self) -> None:
        """Close the connections."""
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.disconnect()
        self._client.close()
        self._pool.disconnect()

    def _connect(self) -> Any:
        """A connection for the reader that has just answered as fast as it must."""
        connection = self._pool.make_connection()
        connection.connect()
        connection.send_command("PING")
        if not connection.can_read(timeout=self._wait):
            connection.disconnect()
            raise StoreError("slow")
        connection.read_response()
        return connection

    def _scan(self) -> Iterator[list[bytes]]:
        cursor = 0
        while True:
            cursor, names = self._try(
                lambda at=cursor: self._client.scan(at, match=PREFIX + b"*", count=SCANNED)
            )
            yield names
            if not cursor:
                return

    def _try(self, work: Any) -> Any:
        try:
            return work()
        except (self._redis.RedisError, OSError) as error:
            raise StoreError(_said(error)) from error


def _name(key: Key) -> bytes:
    return PREFIX + urlsafe_b64encode(key.pair + key.a + key.b)


def _hashes(name: bytes) -> tuple[bytes, bytes]:
    """The hashes of the two addresses in a key's name."""
    digest = urlsafe_b64decode(name.removeprefix(PREFIX))
    return digest[16:24], digest[24:32]


def _without_password(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else "***"
    except ValueError:
        return "***"


def _said(error: Exception) -> str:
    """The kind of an error; its words may quote a command, and with it a password."""
    return type(error).__name__ if not isinstance(error, StoreError) else str(error)


def _import_redis() -> Any:
    try:
        import redis  # noqa: PLC0415  (an extra: only who sets redis_url needs it)
        import redis.backoff  # noqa: PLC0415
        import redis.retry  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="redis", extra="redis") from error
    return redis
