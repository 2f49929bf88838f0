"""The thin layer before the queue: what is known is answered, the rest is judged once and remembered.

memory → file → Redis → the same pair in flight → the queue. A hit never waits in the queue, so it is served even
when that is full.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from menpai.errors import Problem
from menpai.lru import LRU
from menpai.matcher import Matcher
from menpai.serving.cache.flights import Answers, Flights, Patience
from menpai.serving.cache.keys import pair_name
from menpai.serving.cache.outer import Name, Outer
from menpai.serving.cache.stores import DAY, MEGABYTE, check_stores, open_stores
from menpai.serving.cache.writer import Tell
from menpai.serving.cache.written import Written, write_answers
from menpai.serving.metrics import Metrics
from menpai.settings import Settings
from menpai.verdict import Verdict

FEW = 32  # answers that are written on the loop; more are written in a thread
# What a remembered verdict takes beside its JSON and its two texts, in bytes (measured with tracemalloc).
OVERHEAD = 900
Judge = Callable[[list[Any]], Awaitable[Sequence[Verdict | Problem]]]


class Found(NamedTuple):
    """Answers in the order of the pairs, and how many of them came from where (memory, disk, redis, flight, miss)."""

    answers: list[Written | Problem]
    sources: dict[str, int]

    @property
    def source(self) -> str | dict[str, int]:
        """For the log: where a single pair came from; of several, how many from where."""
        known = {source: count for source, count in self.sources.items() if count}
        return next(iter(known)) if len(self.answers) == 1 else known


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
            check_stores(settings)
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
            fresh = await _written(await run(list(pairs)))
            return Found(fresh, {"miss": len(fresh)})
        names: list[Any] = [pair_name(matcher.behaviour, pair) or object() for pair in pairs]
        answers: list[Any] = [self.memory.get(name) for name in names]
        missing = {name: pair for name, pair, it in zip(names, pairs, answers, strict=True) if it is None}
        sources = {"memory": sum(it is not None for it in answers)}
        self._count("memory", "hit", sources["memory"])
        if missing:
            self._count("memory", "miss", len(missing))
            known = await self._settle(matcher, missing, sources, run, patience)
            answers = [known[name] if it is None else it for name, it in zip(names, answers, strict=True)]
        return Found(answers, sources)

    async def _settle(
        self,
        matcher: Matcher,
        missing: dict[Any, Any],
        sources: dict[str, int],
        run: Judge,
        patience: Patience,
    ) -> Answers:
        """Find or judge what memory does not know; `sources` hears what came from where."""
        known: Answers = {}
        if self._outer:
            asked = {name: pair for name, pair in missing.items() if isinstance(name, tuple)}
            for name, (layer, answer) in (await self._outer.find(matcher, asked)).items() if asked else ():
                self.memory.put(name, answer)
                known[name] = answer
                sources[layer] = sources.get(layer, 0) + 1
            if len(known) == len(missing):
                return known

        async def lead(mine: Mapping[Name, Any]) -> Answers:
            answers = dict(zip(mine, await _written(await run(list(mine.values()))), strict=True))
            for name, answer in answers.items():
                self._remember(matcher, name, answer)
            return answers

        left = {name: pair for name, pair in missing.items() if name not in known}
        settled, joined = await self._flights.settle(left, lead, patience)
        sources |= {"flight": joined, "miss": len(settled) - joined}
        self._count("flight", "hit", joined)
        return known | settled

    def _remember(self, matcher: Matcher, name: Any, answer: Written | Problem) -> None:
        """Keep a verdict; a pack that was exchanged meanwhile has judged under another name."""
        if isinstance(name, tuple) and isinstance(answer, Written) and answer.behaviour == name[0]:
            self.memory.put(name, answer)
            if self._outer and answer.score:
                self._outer.keep(matcher, name, answer.score)


async def _written(answers: Sequence[Verdict | Problem]) -> list[Written | Problem]:
    if len(answers) <= FEW or not any(isinstance(each, Verdict) for each in answers):
        return write_answers(answers)
    return await asyncio.to_thread(write_answers, answers)


def _size(name: Name, answer: Written) -> int:
    return OVERHEAD + len(answer.body) + 2 * sum(len(str(part)) for part in name)


def watch_readings(metrics: Metrics, matcher: Matcher) -> None:
    """Let the metrics ask for what the matcher remembers: addresses with their readings, and with their tokens."""
    for layer, known in (("normalized", matcher.readings), ("tokens", matcher.tokens)):
        if known is not None:
            metrics.watch_cache(layer, partial(len, known), partial(getattr, known, "bytes"))
            metrics.watch_lookups(layer, partial(getattr, known, "hits"), partial(getattr, known, "misses"))
