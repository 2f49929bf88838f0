"""The batcher: one path for a single pair, a list, and a query with candidates.

Worker threads cut a batch from the line whenever they are free: work-conserving and without a timer, as in
huggingface/text-embeddings-inference (`core/src/queue.rs`). Nothing is scored on the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any, Generic, TypeVar

from menpai.errors import NotReadyError
from menpai.serving.errors import ClientGoneError
from menpai.serving.line import SLICE_ITEMS, Batch, Deadline, Job, Line, Slice
from menpai.serving.metrics import Metrics

Item = TypeVar("Item")

LEARNING = 0.2  # weight of the newest full batch in the measured rate
Answer = Sequence[Any] | Exception


class Batcher(Generic[Item]):
    """Runs `work` on batches of what waits; as many results as items, in their order."""

    def __init__(
        self,
        work: Callable[[list[Item]], Sequence[Any]],
        size: Callable[[Item], int],
        *,
        queue_seconds: float,
        metrics: Metrics,
        workers: int = 1,
    ) -> None:
        self.rate = math.inf  # items a second, learned from full batches: a backlog is made of those
        self._work = work
        self.size = size
        self._line = Line(size)
        self._changed = threading.Condition()
        self._queue_seconds = queue_seconds
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._busy = 0
        self._closed = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Items that no worker has taken yet."""
        return self._line.waiting

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is run."""
        with self._changed:
            return not self._line.waiting and not self._busy

    def predicted_wait(self, count: int) -> float:
        """Seconds before a new request of `count` items is served; a short one steps in between slices."""
        return (self._line.front if count <= SLICE_ITEMS else self._line.waiting) / self.rate

    async def run(
        self, items: Sequence[Item], deadline: Deadline, gone: Callable[[], Awaitable[object]]
    ) -> Job[Item]:
        """The finished job. Raises NotReadyError (full, late), ClientGoneError, or what `work` raised.

        `gone` returns when the caller has closed the connection; what waits of the request is then dropped.
        """
        job = self._accept(items, deadline)
        if not items:
            return job
        loop = asyncio.get_running_loop()
        late = loop.call_later(deadline.timeout_ms / 1000, self._expire, job)
        watcher = loop.create_task(self._abandon(job, gone))
        try:
            await job.done
        finally:
            late.cancel()
            watcher.cancel()
            self._drop(job)
        return job

    def close(self) -> None:
        """Let the workers end after the batch in their hands."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=5)

    def _accept(self, items: Sequence[Item], deadline: Deadline) -> Job[Item]:
        wait = self.predicted_wait(len(items))
        if wait > self._queue_seconds:
            self._metrics.shed("full", len(items))
            seconds = max(1, math.ceil(wait - self._queue_seconds))
            raise NotReadyError("service_full", wait=wait, retry_after=seconds)
        job = Job(items, self._loop.create_future(), deadline, monotonic(), [None] * len(items))
        with self._changed:
            self._line.add(job)
            self._changed.notify()
        return job

    def _expire(self, job: Job[Item]) -> None:
        """At the deadline, on the loop: answer 504, unless a worker has begun and may end it."""
        with self._changed:
            dropped = self._line.drop(job) if job.revocable else 0
        if dropped:
            self._metrics.shed("deadline", dropped)
            timeout_ms = job.deadline.timeout_ms
            _fail(
                job,
                NotReadyError("deadline_halfway", timeout_ms=timeout_ms, begun=job.cut, count=len(job.items))
                if job.cut
                else NotReadyError("deadline_passed", timeout_ms=timeout_ms),
            )

    async def _abandon(self, job: Job[Item], gone: Callable[[], Awaitable[object]]) -> None:
        """Once the caller is gone: nothing more of the request is run."""
        await gone()
        self._metrics.shed("gone", self._drop(job))
        _fail(job, ClientGoneError())

    def _drop(self, job: Job[Item]) -> int:
        with self._changed:
            return self._line.drop(job)

    def _serve(self) -> None:
        """A worker's life: take what waits, run it, hand it over."""
        while batch := self._take():
            started = monotonic()
            answers = self._run(batch.slices)
            seconds = monotonic() - started
            self._learn(batch, seconds)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(_answer, batch, answers, started, seconds)

    def _take(self) -> Batch | None:
        with self._changed:
            while not self._closed:
                batch = self._line.cut(monotonic())
                if batch.slices:
                    self._busy += 1
                    if self._line.waiting:
                        self._changed.notify()
                    return batch
                self._changed.wait()
        return None

    def _run(self, slices: list[Slice]) -> list[Answer]:
        """Results slice by slice; when a batch fails it is halved until the failure stands alone."""
        try:
            results = self._work([item for piece in slices for item in piece.items])
        except Exception as error:
            if len(slices) == 1:
                return [error]
            middle = len(slices) // 2
            return self._run(slices[:middle]) + self._run(slices[middle:])
        rest = iter(results)
        return [[next(rest) for _ in piece.items] for piece in slices]

    def _learn(self, batch: Batch, seconds: float) -> None:
        self._metrics.batch(batch.size, seconds)
        with self._changed:
            if batch.full and seconds > 0:
                measured = batch.size / seconds * self._busy
                self.rate = (
                    measured if math.isinf(self.rate) else self.rate + LEARNING * (measured - self.rate)
                )
            self._busy -= 1


def _fail(job: Job[Any], error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)


def _answer(batch: Batch, answers: list[Answer], started: float, seconds: float) -> None:
    """On the loop: fill in the results of one batch and wake the requests that are complete."""
    for (job, start, stop), answer in zip(batch.slices, answers, strict=True):
        if job.done.done():
            continue
        if isinstance(answer, Exception):
            _fail(job, answer)
            continue
        if start == 0:
            job.queue_seconds = started - job.arrived
        job.infer_seconds = started + seconds - job.arrived - job.queue_seconds
        job.results[start:stop] = answer
        job.finished += stop - start
        if job.finished == len(job.items):
            job.done.set_result(None)
