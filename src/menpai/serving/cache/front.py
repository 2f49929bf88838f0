"""The thin layer before the queue: what is known is answered, the rest is judged once and remembered.

memory → file → Redis → the same pair in flight → the queue. A hit never waits in the queue, so it is served even
when that is full.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple

from menpai.errors import Problem
from menpai.lru import LRU
from menpai.matcher import Matcher
from menpai.serving.cache.disk import DiskStore
from menpai.serving.cache.flights import Answers, Flights, Patience
from menpai.serving.cache.keys import Keys, pair_name
from menpai.serving.cache.outer import Name, Outer, Tell
from menpai.serving.cache.redis_store import RedisStore, check_url
from menpai.serving.cache.secret import secret_of
from menpai.serving.cache.store import Store
from menpai.serving.cache.written import Written, write_answers
from menpai.serving.metrics import Metrics
from menpai.settings import Settings
from menpai.verdict import Verdict

DAY = 86_400.0
MEGABYTE = 1_000_000
FEW = 32  # answers that are written on the loop; more are written in a thread
# What a remembered verdict takes beside its JSON and its two texts, in bytes (measured with tracemalloc).
OVERHEAD = 900
Judge = Callable[[list[Any]], Awaitable[Sequence[Verdict | Problem]]]


class Found(NamedTuple):
    """Answers in the order of the pairs, and how many of them came from where (memory, outside, flight, miss)."""

    answers: list[Written | Problem]
    sources: Counter[str]

    @property
    def source(self) -> str:
        """One word for the log: where all came from, or mixed."""
        known = [source for source, count in self.sources.items() if count]
        return known[0] if len(known) == 1 else "mixed" if known else "miss"


class VerdictCache:
    """What the service remembers. All methods but `start` and `close` belong to the event loop."""

    def __init__(self, settings: Settings, metrics: Metrics, tell: Tell) -> None:
        self._count = count = metrics.cached
        self._on = settings.cache
        self._flights = Flights()
        self.memory: LRU[Name, Written] = LRU(
            settings.cache_entries if self._on else 0,
            settings.cache_mb * MEGABYTE,
            _size,
            settings.cache_days * DAY,
        )
        metrics.watch_cache("memory", lambda: len(self.memory), lambda: self.memory.bytes)
        self._outer: Outer | None = None
        if self._on and (settings.cache_path or settings.redis_url):
            check_url(settings)
            self._outer = Outer(lambda: open_stores(settings), self.memory.clear, count, tell)

    def start(self) -> None:
        """Open file and Redis, in threads."""
        if self._outer:
            self._outer.start()

    def close(self) -> None:
        """Write what waits to be written. Blocks for a moment."""
        if self._outer:
            self._outer.close()

    async def judge(
        self, matcher: Matcher, pairs: Sequence[tuple[Any, Any]], run: Judge, patience: Patience
    ) -> Found:
        """The answers on the pairs; `run` judges those that nobody knows. Raises what `run` raises."""
        if not self._on:
            answers = await _written(await run(list(pairs)))
            return Found(answers, Counter(miss=len(answers)))
        names: list[Any] = [pair_name(matcher.behaviour, pair) or object() for pair in pairs]
        known: Answers = {}
        missing: dict[Any, Any] = {}
        for name, pair in zip(names, pairs, strict=True):
            if isinstance(name, tuple) and (found := self.memory.get(name)) is not None:
                known[name] = found
            else:
                missing[name] = pair
        sources = Counter(memory=len(known))
        self._count("memory", "hit", len(known))
        self._count("memory", "miss", len(missing))
        if missing:
            await self._settle(matcher, missing, known, sources, run, patience)
        return Found([known[name] for name in names], sources)

    async def _settle(
        self,
        matcher: Matcher,
        missing: dict[Any, Any],
        known: Answers,
        sources: Counter[str],
        run: Judge,
        patience: Patience,
    ) -> None:
        """Find or judge what memory does not know; `known` and `sources` are filled in."""
        if self._outer:
            asked = {name: pair for name, pair in missing.items() if isinstance(name, tuple)}
            found = await self._outer.find(matcher, asked) if asked else {}
            for name, answer in found.items():
                self.memory.put(name, answer)
                del missing[name]
            known |= found
            sources["outside"] = len(found)

        async def lead(mine: Mapping[Name, Any]) -> Answers:
            answers = dict(zip(mine, await _written(await run(list(mine.values()))), strict=True))
            for name, answer in answers.items():
                self._remember(matcher, name, answer)
            return answers

        settled, joined = await self._flights.settle(missing, lead, patience)
        known |= settled
        sources["flight"] = joined
        sources["miss"] = len(settled) - joined
        self._count("flight", "hit", joined)

    def _remember(self, matcher: Matcher, name: Any, answer: Written | Problem) -> None:
        """Keep a verdict; a pack that was exchanged meanwhile has judged under another name."""
        if isinstance(name, tuple) and isinstance(answer, Written) and answer.behaviour == name[0]:
            self.memory.put(name, answer)
            if self._outer and answer.score:
                self._outer.keep(matcher, name, answer.score)


def open_stores(settings: Settings) -> tuple[Keys, list[Store]]:
    """The stores that the settings ask for, nearest first, and the keys for them. Raises OSError without a secret."""
    seconds = settings.cache_days * DAY
    path = settings.cache_path
    folder = (path or Settings(cache_file="auto").cache_path or path).parent  # type: ignore[union-attr]
    stores: list[Store] = []
    if path:
        stores.append(DiskStore(path, settings.cache_file_mb * MEGABYTE, seconds))
    if settings.redis_url:
        stores.append(RedisStore(settings.redis_url, seconds, settings.redis_ms / 1000))
    return Keys(secret_of(settings, folder)), stores


async def _written(answers: Sequence[Verdict | Problem]) -> list[Written | Problem]:
    if len(answers) <= FEW:
        return write_answers(answers)
    return await asyncio.to_thread(write_answers, answers)


def _size(name: Name, answer: Written) -> int:
    return OVERHEAD + len(answer.body) + 2 * sum(len(str(part)) for part in name)
