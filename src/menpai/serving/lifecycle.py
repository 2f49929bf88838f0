"""From warming to ready to draining: what the service holds, and whether it takes work."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.requests import Request

from menpai.address import Address, Normalized
from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError, Problem
from menpai.matcher import Matcher
from menpai.serving.batching import Batcher
from menpai.serving.cache.front import VerdictCache
from menpai.serving.errors import RETRY_SECONDS
from menpai.serving.line import BATCH_ITEMS
from menpai.serving.logs import Log
from menpai.serving.metrics import Metrics
from menpai.settings import Settings

# What is to be done with a text.
Task = Callable[[Any], Normalized | Address]
# Cut to several lengths, so that the measured batch holds short and long pairs.
_SAMPLE = "浙江省杭州市西湖区文三路一百二十三号海月花园三期12幢2单元1602室（北门进，靠近地铁口）"


class Service:
    """Opens the matcher beside a listening server, hands out the batchers, and ends in good order."""

    def __init__(
        self, settings: Settings, open_matcher: Callable[[], Matcher], metrics: Metrics, log: Log
    ) -> None:
        self.settings = settings
        self.metrics = metrics
        self.log = log
        self.phase: Literal["warming", "ready", "draining"] = "warming"
        self.failure: MenpaiError | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.cache = VerdictCache(settings, metrics, log.event)
        self._open_matcher = open_matcher
        self._parts: tuple[Matcher, Batcher[Any], Batcher[Any]] | None = None

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start loading in a thread of its own and let the server listen meanwhile."""
        loop = asyncio.get_running_loop()
        loader = threading.Thread(target=self._load, args=(loop,))
        self.cache.start()
        try:
            loader.start()
        except RuntimeError as error:  # no more threads: without one nothing would ever be ready
            self._fail(_unforeseen(error))
            raise
        yield
        self.drain()
        await asyncio.to_thread(self.cache.close)
        loader.join()  # a process that ends while ONNX Runtime opens a model is aborted
        for batcher in self._parts[1:] if self._parts else ():
            batcher.close()

    @property
    def matcher(self) -> Matcher:
        """The warmed matcher; raises NotReadyError while warming or draining."""
        return self._taking_work()[0]

    @property
    def pairs(self) -> Batcher[tuple[Any, Any]]:
        """Where pairs are judged; raises NotReadyError while warming or draining."""
        return self._taking_work()[1]

    @property
    def texts(self) -> Batcher[tuple[Task, Any]]:
        """Where texts are normalized and parsed; raises NotReadyError while warming or draining."""
        return self._taking_work()[2]

    def drain(self) -> None:
        """Take no more work; what was accepted goes on."""
        self.phase = "draining"
        self.metrics.ready(False)

    def _taking_work(self) -> tuple[Matcher, Batcher[Any], Batcher[Any]]:
        if self.phase == "draining":
            raise NotReadyError("service_draining", retry_after=RETRY_SECONDS)
        if self.failure:
            raise self.failure.with_traceback(None)
        if self._parts is None:
            raise NotReadyError("service_warming", retry_after=RETRY_SECONDS)
        return self._parts

    def _load(self, loop: asyncio.AbstractEventLoop) -> None:
        """In its thread: open, warm, measure; the loop hears how it ended."""
        try:
            matcher = self._open_matcher()
            if self.phase == "draining":
                return
            matcher.warm()
            matcher.match(_SAMPLE, _SAMPLE[:12])  # reads the tables
            rate = _pairs_per_second(matcher)
        except Exception as error:
            failure = error if isinstance(error, MenpaiError) else _unforeseen(error)
            self._tell(loop, self._fail, failure)
        else:
            self._tell(loop, self._open_doors, matcher, rate)

    def _tell(self, loop: asyncio.AbstractEventLoop, call: Callable[..., None], *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # stopped while loading: the loop is closed
            loop.call_soon_threadsafe(call, *args)

    def _fail(self, failure: MenpaiError) -> None:
        self.failure = failure
        self.log.event("failed", code=failure.code)
        self.on_failure()

    def _open_doors(self, matcher: Matcher, rate: float) -> None:
        open_batcher = partial(Batcher, queue_seconds=self.settings.queue_seconds, metrics=self.metrics)
        pairs: Batcher[Any] = open_batcher(matcher.match_many, _pair_size, workers=self.settings.cores)
        pairs.rate = rate
        texts: Batcher[Any] = open_batcher(_read_texts, lambda task: _size(task[1]))
        self._parts = (matcher, pairs, texts)
        self.metrics.watch_queue(lambda: pairs.waiting + texts.waiting)
        self.metrics.build(matcher.pack_id, matcher.behaviour)
        self.log.event(
            "ready", pack=matcher.pack_id, behaviour=matcher.behaviour, pairs_per_second=round(rate)
        )
        if self.phase == "warming":
            self.phase = "ready"
            self.metrics.ready(True)


def _unforeseen(error: Exception) -> MenpaiError:
    return BrokenArtefactError("internal", reason=f"{type(error).__name__}: {error}")


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def _pairs_per_second(matcher: Matcher) -> float:
    """How fast a full batch of different lengths is judged; the first answer to "how long is the queue?"."""
    pairs = [(_SAMPLE[: 8 + n % 32], _SAMPLE[: 9 + n % 29]) for n in range(BATCH_ITEMS)]
    started = perf_counter()
    matcher.match_many(pairs)
    return len(pairs) / (perf_counter() - started)


def _read_texts(tasks: Sequence[tuple[Task, Any]]) -> list[Normalized | Address | Problem]:
    return [_read_text(*task) for task in tasks]


def _read_text(task: Task, text: Any) -> Normalized | Address | Problem:
    try:
        return task(text)
    except MenpaiError as error:
        return Problem(error.code, error.details)


def _size(address: Any) -> int:
    text = address.get("text") if isinstance(address, dict) else address
    return len(text) if isinstance(text, str) else 1


def _pair_size(pair: tuple[Any, Any]) -> int:
    return _size(pair[0]) + _size(pair[1])
