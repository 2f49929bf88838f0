"""Which stores the settings ask for, and under which secret."""

from __future__ import annotations

from menpai.serving.cache.keys import Keys
from menpai.serving.cache.secret import secret_of
from menpai.serving.cache.store import Store
from menpai.settings import Settings

DAY = 86_400.0
MEGABYTE = 1_000_000


def check_stores(settings: Settings) -> None:
    """Raise what is wrong with the settings, before anything is started."""
    make_stores(settings)


def make_stores(settings: Settings) -> list[Store]:
    """The stores, nearest first; nothing is opened yet. Raises UsageError, or NotReadyError without the extra."""
    seconds = settings.cache_days * DAY
    stores: list[Store] = []
    if path := settings.cache_path:
        from menpai.serving.cache.disk import DiskStore  # noqa: PLC0415 (SQLite is loaded where a file is wanted)

        stores.append(DiskStore(path, settings.cache_file_mb * MEGABYTE, seconds))
    if settings.redis_url:
        from menpai.serving.cache.redis_store import RedisStore  # noqa: PLC0415

        stores.append(RedisStore(settings.redis_url, seconds, settings.redis_ms / 1000))
    return stores


def open_stores(settings: Settings) -> tuple[Keys, list[Store]]:
    """The stores and the keys for them. Raises OSError where no secret can be kept."""
    path = settings.cache_path or Settings().cache_path
    assert path is not None
    return Keys(secret_of(settings, path.parent)), make_stores(settings)
