"""From warming to ready to draining, and to another pack on the way: what the service holds, and whether it takes work."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Literal

from starlette.applications import Starlette
from starlette.requests import Request

from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError
from menpai.matcher import Matcher
from menpai.serving.batching import Batcher
from menpai.serving.cache.front import VerdictCache, watch_readings
from menpai.serving.drift import Shapes, report
from menpai.serving.errors import RETRY_SECONDS
from menpai.serving.logs import Log
from menpai.serving.metrics import Metrics
from menpai.serving.prices import Asked, Prices
from menpai.serving.shift import Loaded, Shift, load
from menpai.settings import Settings

PAIR_CHARACTERS = 40  # of a usual pair, for the log
PROBATION_SECONDS = 10.0  # in which a new pack that fails gives way to the old one
OpenMatcher = Callable[[Settings], Matcher]


class Service:
    """Opens the matcher beside a listening server, exchanges it without losing a request, and ends in good order."""

    def __init__(self, settings: Settings, open_matcher: OpenMatcher, metrics: Metrics, log: Log) -> None:
        self.settings = settings
        self.metrics = metrics
        self.log = log
        self.phase: Literal["warming", "ready", "draining"] = "warming"
        self.failure: MenpaiError | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.lag = 0.0  # seconds by which the event loop was late for its last timer
        self.cache = VerdictCache(settings, metrics, log.event)
        self.loaded_settings = settings  # of the matcher in use
        self._open_matcher = open_matcher
        self._shift: Shift | None = None
        self.prices = Prices()
        self._shapes = Shapes()
        self._reloading = False
        self._relieved: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start loading in a thread of its own and let the server listen meanwhile."""
        loop = asyncio.get_running_loop()
        loader = threading.Thread(target=self._load, args=(loop,))
        try:
            self.cache.start()
            loader.start()
        except RuntimeError as error:  # no more threads: without one nothing would ever be ready
            self._fail(_unforeseen(error))
            raise
        yield
        self.drain()
        await asyncio.to_thread(self.cache.close)
        loader.join()  # a process that ends while ONNX Runtime opens a model is aborted
        for task in self._relieved:
            task.cancel()
        await asyncio.gather(*self._relieved, return_exceptions=True)
        if self._shift:
            self._shift.close()

    @property
    def matcher(self) -> Matcher:
        """The warmed matcher; raises NotReadyError while warming or draining."""
        return self._taking_work().matcher

    @property
    def pairs(self) -> Batcher[tuple[Any, Any]]:
        """Where pairs are judged; raises NotReadyError while warming or draining."""
        return self._taking_work().pairs

    @property
    def texts(self) -> Batcher[Asked]:
        """Where texts are normalized, parsed, and looked for; raises NotReadyError while warming or draining."""
        return self._taking_work().texts

    @property
    def short_wait(self) -> float:
        """Predicted seconds before a single pair would be begun; 0 when none is taken."""
        return self._shift.pairs.predicted_wait() if self._shift and self.phase == "ready" else 0.0

    def drain(self) -> None:
        """Take no more work; what was accepted goes on."""
        self.phase = "draining"
        self.metrics.ready(False)

    async def reload(self, settings: Settings) -> dict[str, Any]:
        """Exchange the pack for the one of these settings, once it is loaded, warmed and checked; what changes.

        Raises NotReadyError, or what keeps the new pack from being used; the old one then stays.
        """
        old = self._taking_work()
        if self._reloading:
            raise NotReadyError("reload_busy")
        self._reloading = True
        try:
            loaded, found = await asyncio.to_thread(self._load_beside, old, settings)
        except Exception as error:
            self.metrics.event("reload_refused")
            self.log.event("reload_refused", error=getattr(error, "code", type(error).__name__))
            raise error if isinstance(error, MenpaiError) else _refused(error) from error
        finally:
            self._reloading = False
        if self.phase == "draining":
            loaded.instances.close()
            raise NotReadyError("service_draining", retry_after=RETRY_SECONDS)
        self._relieve(old, Shift(loaded, self.settings, self.metrics, self._shapes))
        self.loaded_settings = settings
        self.metrics.event("reloaded")
        self.log.event("reloaded", **found)
        return found

    async def check(self) -> Matcher:
        """The matcher; raises NotReadyError unless work is taken and batches go well (if they did not, it tries one)."""
        shift = self._taking_work()
        if shift.failing and not await asyncio.to_thread(shift.probe):
            raise NotReadyError("service_failing", retry_after=RETRY_SECONDS)
        return shift.matcher

    def _taking_work(self) -> Shift:
        if self.phase == "draining":
            raise NotReadyError("service_draining", retry_after=RETRY_SECONDS)
        if self.failure:
            raise self.failure.with_traceback(None)
        if self._shift is None:
            raise NotReadyError("service_warming", retry_after=RETRY_SECONDS)
        return self._shift

    def _load(self, loop: asyncio.AbstractEventLoop) -> None:
        """In its thread: open, warm, measure; the loop hears how it ended."""
        try:
            loaded = load(lambda: self._open_matcher(self.settings), self._tell)
        except Exception as error:
            failure = error if isinstance(error, MenpaiError) else _unforeseen(error)
            _hand_over(loop, self._fail, failure)
        else:
            if not _hand_over(loop, self._open_doors, loaded):
                loaded.instances.close()

    def _load_beside(self, old: Shift, settings: Settings) -> tuple[Loaded, dict[str, Any]]:
        """In a thread: the new matcher beside the old one, and how the two differ on what came lately."""
        loaded = load(lambda: self._open_matcher(settings), self._tell)
        try:
            found = report(self._shapes.recent(), old.matcher, loaded.matcher)
        except BaseException:
            loaded.instances.close()
            raise
        names = {"pack": loaded.matcher.pack_id, "behaviour": loaded.matcher.behaviour}
        before = {"pack": old.matcher.pack_id, "behaviour": old.matcher.behaviour}
        return loaded, {**names, "before": before, **found}

    def _fail(self, failure: MenpaiError) -> None:
        self.failure = failure
        self.log.event("failed", code=failure.code)
        self.on_failure()

    def _open_doors(self, loaded: Loaded) -> None:
        shift = Shift(loaded, self.settings, self.metrics, self._shapes)
        self._begin(shift)
        self.log.event(
            "ready", pack=shift.matcher.pack_id, behaviour=shift.matcher.behaviour,
            pairs_per_second=round(1 / loaded.costs.seconds(1, PAIR_CHARACTERS)), instances=shift.instances.count,
        )  # fmt: skip
        if self.phase == "warming":
            self.phase = "ready"
            self.metrics.ready(True)

    def _begin(self, shift: Shift) -> None:
        """From here on requests go to this shift."""
        self._shift = shift
        self.metrics.watch_queue(
            lambda: shift.pairs.waiting + shift.texts.waiting,
            lambda: max(shift.pairs.predicted_wait(), shift.texts.predicted_wait()),
        )
        self.metrics.workers(shift.instances.count)
        self.metrics.watch_instances(lambda: getattr(shift.instances, "pids", ()))
        self.metrics.build(shift.matcher.pack_id, shift.matcher.behaviour)
        watch_readings(self.metrics, shift.matcher)

    def _relieve(self, old: Shift, new: Shift) -> None:
        """The new shift begins. The old one ends what it has, and stays at hand while the new one is on probation."""
        loop = asyncio.get_running_loop()
        failed = asyncio.Event()
        new.on_failing = partial(_hand_over, loop, failed.set)
        self._begin(new)
        task = loop.create_task(self._probation(old, new, failed))
        self._relieved.add(task)
        task.add_done_callback(self._relieved.discard)

    async def _probation(self, old: Shift, new: Shift, failed: asyncio.Event) -> None:
        leaving = old
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PROBATION_SECONDS):
                    await failed.wait()
            if failed.is_set() and self._shift is new:
                self._begin(old)
                leaving = new
                self.metrics.event("rolled_back")
                self.log.event("rolled_back", pack=old.matcher.pack_id, behaviour=old.matcher.behaviour)
            await leaving.retire()
        except asyncio.CancelledError:
            leaving.close()
            raise

    def _tell(self, event: str, **facts: Any) -> None:
        """What an instance has to say."""
        self.metrics.event(event)
        self.log.event(event, **facts)


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def _hand_over(loop: asyncio.AbstractEventLoop, call: Callable[..., None], *args: Any) -> bool:
    """Call on the loop; False when that is closed, since the service was stopped meanwhile."""
    try:
        loop.call_soon_threadsafe(call, *args)
    except RuntimeError:
        return False
    return True


def _unforeseen(error: Exception) -> MenpaiError:
    return BrokenArtefactError("internal", reason=f"{type(error).__name__}: {error}")


def _refused(error: Exception) -> MenpaiError:
    return BrokenArtefactError("reload_refused", reason=f"{type(error).__name__}: {error}")
