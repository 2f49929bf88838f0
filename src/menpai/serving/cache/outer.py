"""What lies outside this process, in threads of its own: one looks up, one writes. Neither ever holds up a request.

Whatever waits is looked up together. A request that has waited long enough goes on without an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from time import monotonic
from typing import Any, NamedTuple

import numpy
import onnxruntime

from menpai.engines.cpu import describe_cpu
from menpai.errors import Problem
from menpai.matcher import Matcher
from menpai.scoring import Score
from menpai.serving.cache.keys import Key, Keys
from menpai.serving.cache.store import Breaker, Store, StoreError
from menpai.serving.cache.writer import Count, Tell, Writer, tell_of_damage
from menpai.serving.cache.written import Written, write_verdict

Name = tuple[str, Any, Any]
Finds = dict[Name, tuple[str, Written]]  # with the name of the store that knew it

PATIENCE_SECONDS = 0.05  # for a request to hear of its lookup
TOGETHER = 256  # pairs looked up at once
POLL_SECONDS = 1.0
GATHER_SECONDS = 0.05  # writes that come within it go together
LONGEST_LINE = 20_000  # verdicts that wait to be written; more are let go


class Asked(NamedTuple):
    """A request's pairs that this process does not know, and the future that hears what was found."""

    matcher: Matcher
    pairs: Mapping[Name, Any]
    heard: asyncio.Future[Finds]
    loop: asyncio.AbstractEventLoop


class Outer:
    """File and Redis behind one question: what is known of these pairs?

    `open_stores` is called once, in a thread; `forget` whenever somebody cleared a store; `count` and `tell` go to
    the metrics and the log.
    """

    def __init__(
        self,
        open_stores: Callable[[], tuple[Keys, Sequence[Store]]],
        forget: Callable[[], None],
        count: Count,
        tell: Tell,
    ) -> None:
        self._open_stores = open_stores
        self._forget = forget
        self._count = count
        self._tell = tell
        self._asked: deque[Asked] = deque()
        self._writes: deque[tuple[Matcher, Name, Score]] = deque()
        self._changed = threading.Condition()
        self._opened = threading.Event()
        self._closing = threading.Event()
        self._since: float | None = None  # when the lookup in hand was begun
        self._keys: Keys | None = None
        self._stores: Sequence[Store] = ()
        self._reads: dict[str, Breaker] = {}
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._write)]

    def start(self) -> None:
        """Begin; until the stores are open, nothing is found."""
        for thread in self._threads:
            thread.start()

    @property
    def waits(self) -> int:
        """Verdicts that wait to be written."""
        return len(self._writes)

    async def find(self, matcher: Matcher, pairs: Mapping[Name, Any]) -> Finds:
        """What file and Redis know of the pairs, rebuilt; nothing while they are slow, shut or broken."""
        since = self._since
        if not self._stores or (since is not None and monotonic() - since > PATIENCE_SECONDS):
            return {}
        loop = asyncio.get_running_loop()
        asked = Asked(matcher, pairs, loop.create_future(), loop)
        with self._changed:
            self._asked.append(asked)
            self._changed.notify()
        done, _ = await asyncio.wait({asked.heard}, timeout=PATIENCE_SECONDS)
        if not done:
            asked.heard.cancel()
            return {}
        return asked.heard.result()

    def keep(self, matcher: Matcher, name: Name, score: Score) -> None:
        """Write a score soon; it is let go when too many wait."""
        if self._stores and len(self._writes) < LONGEST_LINE:
            self._writes.append((matcher, name, score))

    def close(self) -> None:
        """Write what waits, and close the stores."""
        self._closing.set()
        self._opened.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=5)

    def _read(self) -> None:
        """The looking-up thread's life."""
        self._rehearse()
        while not self._closing.is_set():
            asked = self._take()
            if not asked:
                continue
            self._since = monotonic()
            try:
                found = self._look_up(asked)
            except Exception as error:  # a lookup that fails costs its answer, nothing else
                self._tell("cache_failed", error=type(error).__name__)
                found = {}
            self._since = None
            for each in asked:
                answers = {name: found[name] for name in each.pairs if name in found}
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    each.loop.call_soon_threadsafe(_hear, each.heard, answers)

    def _rehearse(self) -> None:
        """The first lookup opens a connection: better before somebody waits for it."""
        self._opened.wait()
        for store in self._stores:
            with contextlib.suppress(StoreError):
                store.get_many([Key(b"", b"", b"")])

    def _take(self) -> list[Asked]:
        with self._changed:
            while not self._asked and not self._closing.is_set():
                self._changed.wait()
            taken: list[Asked] = []
            while self._asked and sum(len(each.pairs) for each in taken) < TOGETHER:
                taken.append(self._asked.popleft())
        return [each for each in taken if not each.heard.done()]

    def _look_up(self, asked: Sequence[Asked]) -> Finds:
        assert self._keys is not None
        matchers = {each.matcher.behaviour: each.matcher for each in asked}
        pairs = dict(chain.from_iterable(each.pairs.items() for each in asked))
        names = {self._key(matchers[name[0]], name): name for name in pairs}
        scores: dict[Name, Score] = {}
        knew: dict[Name, str] = {}
        for store in self._stores:
            left = [key for key, name in names.items() if name not in scores]
            for key, value in self._ask(store, left).items():
                if (score := self._keys.unseal(key, value)) is not None:
                    scores[names[key]], knew[names[key]] = score, store.name
                    if store is not self._stores[0]:  # what Redis knows, the file learns
                        self.keep(matchers[names[key][0]], names[key], score)
        return {name: (knew[name], answer) for name, answer in _rebuild(matchers, pairs, scores)}

    def _ask(self, store: Store, keys: Sequence[Key]) -> Mapping[Key, bytes]:
        """What a store knows; nothing while its breaker is open."""
        breaker = self._reads[store.name]
        if not keys:
            return {}
        if not breaker.closed:
            self._count(store.name, "skipped", len(keys))
            return {}
        try:
            found = store.get_many(keys)
        except StoreError as error:
            self._count(store.name, "error", len(keys))
            tell_of_damage(self._tell, store, error)
            if breaker.failed():
                self._tell("cache_left_alone", layer=store.name, error=str(error))
            return {}
        if breaker.succeeded():
            self._tell("cache_back", layer=store.name)
        self._count(store.name, "hit", len(found))
        self._count(store.name, "miss", len(keys) - len(found))
        return found

    def _key(self, matcher: Matcher, name: Name) -> Key:
        assert self._keys is not None
        return self._keys.pair(realm_of(matcher), name[1], name[2])

    def _write(self) -> None:
        """The writing thread's life: open, then write what comes, and hear whether somebody cleared."""
        try:
            self._keys, stores = self._open_stores()
        except OSError as error:
            self._tell("cache_failed", error=f"{type(error).__name__}: {error}")
            self._opened.set()
            return
        writers = [Writer(store, self._count, self._tell) for store in stores]
        self._reads = {store.name: Breaker() for store in stores}
        for writer in writers:
            writer.poll()
        self._stores = stores
        self._opened.set()
        polled = monotonic()
        while not self._closing.wait(GATHER_SECONDS if self._writes else POLL_SECONDS / 10):
            if monotonic() - polled >= POLL_SECONDS:
                polled = monotonic()
                cleared = [writer.poll() for writer in writers]
                if any(cleared):
                    self._writes.clear()
                    self._forget()
            self._flush(writers)
        self._flush(writers)
        for store in stores:
            store.close()

    def _flush(self, writers: Sequence[Writer]) -> None:
        while self._writes:
            taken = [self._writes.popleft() for _ in range(min(len(self._writes), 1000))]
            assert self._keys is not None
            values = {}
            for matcher, name, score in taken:
                key = self._key(matcher, name)
                values[key] = self._keys.seal(key, score)
            for writer in writers:
                writer.write(values)


def _rebuild(
    matchers: Mapping[str, Matcher], pairs: Mapping[Name, Any], scores: Mapping[Name, Score]
) -> Iterator[tuple[Name, Written]]:
    """The verdicts that the scores lead to."""
    for behaviour, matcher in matchers.items():
        known = [name for name in scores if name[0] == behaviour]
        answers = matcher.rebuild([pairs[name] for name in known], [scores[name] for name in known])
        for name, answer in zip(known, answers, strict=True):
            if not isinstance(answer, Problem):
                yield name, write_verdict(answer)


def realm_of(matcher: Matcher) -> str:
    """All that can move a score to the bit: the behaviour, where it is computed, with which libraries, on what CPU."""
    cpu = describe_cpu()
    libraries = f"{numpy.__version__} {onnxruntime.__version__}"
    return f"{matcher.behaviour} {matcher.device} {libraries} {cpu.name} {' '.join(cpu.instructions)}"


def _hear(heard: asyncio.Future[Finds], found: Finds) -> None:
    if not heard.done():
        heard.set_result(found)
