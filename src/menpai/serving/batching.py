"""The batcher: one path for a single pair, a list, and a query with candidates.

Worker threads cut a batch whenever they are free: work-conserving and without a timer, as in
huggingface/text-embeddings-inference (`core/src/queue.rs`). Rows are read first, which Python's lock lets one worker do
at a time; those that only the encoder can judge then sit at the desk, where the free runs of the engine fetch them.
Nothing is scored on the event loop, and a batch comes back to it in one hop.
Long because: threads, timers and callers meet here, under one lock, and nowhere else.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Any, Generic, TypeVar

from menpai.errors import MenpaiError, NotReadyError, Problem
from menpai.matcher import Doubt
from menpai.serving.admission import Backlog, Costs, check
from menpai.serving.desk import Desk, Seat, Sitting
from menpai.serving.errors import ClientGoneError
from menpai.serving.isolate import isolated
from menpai.serving.line import Batch, Deadline, Job, Line
from menpai.serving.metrics import Metrics

Item = TypeVar("Item")
Gone = Callable[[], Awaitable[object]]
WhenLost = Callable[[Callable[[], None] | None], bool]
WHEN_LOST = "menpai.when_lost"  # in a request's scope, where its connection can say at once that it is lost

READ_AHEAD = 2  # runs' worth of rows at the desk, until no more bulk is read
PREFETCH = 1  # batches made ready while a GPU runs
WATCH_SECONDS = 0.01  # a request that is answered sooner is not watched for its caller's leaving


class Batcher(Generic[Item]):
    """Runs `work` on batches of what waits; as many results as items, in their order.

    `work` may be run by `workers` threads at once. With `finish`, its answer to a row may be a Doubt: `finish` then
    runs those, in `runs` threads at once; on a GPU one more batch is made ready meanwhile. `ended` hears after each batch
    whether any row of it went well.
    """

    def __init__(
        self,
        work: Callable[[list[Item]], Sequence[Any]],
        size: Callable[[Item], int],
        *,
        queue_seconds: float,
        metrics: Metrics,
        workers: int = 1,
        finish: Callable[[list[Any]], Sequence[Any]] | None = None,
        runs: int = 0,
        device: str = "cpu",
        costs: Costs | None = None,
        ended: Callable[[bool], None] = lambda well: None,
    ) -> None:
        self.size = size
        self.costs = costs or Costs()
        self._work = work
        self._finish = finish
        self._ended = ended
        self._line = Line(size)
        self._desk = Desk(device)
        self._backlog = Backlog()
        self._changed = threading.Condition()
        self._queue_seconds = queue_seconds
        self._metrics = metrics
        self._loop = asyncio.get_running_loop()
        self._readers, self._runs = workers, runs
        self._reading = self._running = 0
        self._ready = threading.Semaphore(max(1, runs))
        self._prefetch = PREFETCH if runs and device != "cpu" else 0
        self._closed = self._called = False
        count = workers + runs + self._prefetch
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    @property
    def waiting(self) -> int:
        """Items that no worker has taken yet."""
        return self._line.waiting + len(self._desk)

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is run."""
        with self._changed:
            return not (self.waiting or self._reading or self._running)

    def predicted_wait(self, *, bulk: bool = False) -> float:
        """Seconds before a new request is begun; a short one steps in between slices of long ones."""
        return self.costs.seconds(*self._backlog.before(bulk))

    async def run(
        self, items: Sequence[Item], deadline: Deadline, gone: Gone, when_lost: WhenLost | None = None
    ) -> Job[Item]:
        """The finished job. Raises NotReadyError (full, late), ClientGoneError, or what `work` raised on all its rows.

        `gone` returns when the caller has closed the connection; what waits of the request is then dropped. Where the
        connection can call back at once, that is given as `when_lost`; it returns whether it is lost already.
        """
        job = Job(items, self._loop.create_future(), deadline, monotonic(), [None] * len(items))
        if not items:
            return job
        if when_lost and when_lost(None):
            self._metrics.shed("gone", len(items))
            raise ClientGoneError
        self._admit(job)
        if when_lost:
            when_lost(partial(self._leave, job))
        watchers: list[asyncio.Task[None]] = []
        late = self._loop.call_later(deadline.seconds, self._expire, job)
        watch = None if when_lost else self._loop.call_later(WATCH_SECONDS, self._watch, job, gone, watchers)
        try:
            await job.done
        finally:
            late.cancel()
            if watch:
                watch.cancel()
            if when_lost:
                when_lost(None)
            for watcher in watchers:
                watcher.cancel()
            if job.finished < len(items):
                self._drop(job, "cancelled")
        return job

    def close(self) -> None:
        """Let the workers end after the batch in their hands."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=5)

    # On the loop

    def _admit(self, job: Job[Item]) -> None:
        rows, characters = len(job.items), sum(map(self.size, job.items))
        own = self.costs.seconds(rows, characters)
        with self._changed:
            try:
                check(self.predicted_wait(bulk=job.bulk), own, self._queue_seconds, job.deadline)
            except NotReadyError:
                self._metrics.shed("full", rows)
                raise
            job.characters = characters
            self._backlog.add(job.bulk, rows, characters)
            self._line.add(job)
            self._wake()

    def _expire(self, job: Job[Item]) -> None:
        """At the deadline: answer 504, unless a worker has begun and may end it."""
        with self._changed:
            if job.done.done() or not job.revocable:
                return
            self._drop(job, "deadline")
        timeout_ms, begun, count = job.deadline.timeout_ms, job.begun, len(job.items)
        if begun:
            error = NotReadyError("deadline_halfway", timeout_ms=timeout_ms, begun=begun, count=count)
        else:
            error = NotReadyError("deadline_passed", timeout_ms=timeout_ms)
        _fail(job, error)

    def _watch(self, job: Job[Item], gone: Gone, watchers: list[asyncio.Task[None]]) -> None:
        watchers.append(self._loop.create_task(self._abandon(job, gone)))

    async def _abandon(self, job: Job[Item], gone: Gone) -> None:
        """Once the caller is gone: nothing more of the request is run."""
        await gone()
        self._leave(job)

    def _leave(self, job: Job[Item]) -> None:
        """The caller is gone."""
        if not job.done.done():
            self._drop(job, "gone")
            _fail(job, ClientGoneError())

    def _drop(self, job: Job[Item], reason: str) -> None:
        """Give up what was not begun, and what will come back from reading."""
        with self._changed:
            if job.dropped:
                return
            self._line.drop(job, reason)
            self._backlog.add(job.bulk, job.finished - len(job.items), -job.characters)
            self._metrics.shed(reason, len(job.items) - job.begun)

    # In the workers

    def _serve(self) -> None:
        """A worker's life: take what waits, run it, hand it over."""
        while batch := self._take():
            if isinstance(batch, Batch):
                self._read(batch)
            else:
                self._encode(batch)

    def _take(self) -> Batch | Sitting | None:
        """The next thing to do; rows at the desk first, since nothing but the engine can be waiting for them."""
        with self._changed:
            while not self._closed:
                self._called, now = False, monotonic()
                if (
                    self._may_run()
                    and (sitting := self._desk.cut(now, max(1, self._runs - self._running))).seats
                ):
                    self._running += 1
                    self._wake()
                    return sitting
                if self._may_read() and (batch := self._line.cut(now, bulk=self._reads_bulk())).slices:
                    self._reading += 1
                    self._wake()
                    return batch
                self._changed.wait()
        return None

    def _may_run(self) -> bool:
        """A run is free; or, before a GPU, a whole batch waits that can be made ready."""
        if not len(self._desk):
            return False
        return self._running < self._runs or (self._running < self._runs + self._prefetch and self._desk.full)

    def _may_read(self) -> bool:
        return self._reading < self._readers and self._line.can_cut(bulk=self._reads_bulk())

    def _reads_bulk(self) -> bool:
        return self._desk.tokens < READ_AHEAD * self._desk.budget * max(1, self._runs)

    def _wake(self) -> None:
        """Let one more worker look, if there is more to do; not another one before that one has looked."""
        if not self._called and (self._may_run() or self._may_read()):
            self._called = True
            self._changed.notify()

    def _read(self, batch: Batch) -> None:
        started = monotonic()
        answers = isolated(self._work, [item for piece in batch.slices for item in piece.items])
        now = monotonic()
        self._metrics.batch(batch.size, now - started)
        self._metrics.cut(batch.reason)
        self._ended(not all(isinstance(answer, Exception) for answer in answers))
        rest = iter(answers)
        done: list[tuple[Job[Any], int, Any]] = []
        parked: list[Seat] = []
        for job, start, stop, turn in batch.slices:
            job.together = max(job.together, batch.size)
            if start == 0:
                job.queue_seconds = started - job.arrived
                job.read_seconds = now - started
                self._metrics.queued("bulk" if job.bulk else "interactive", job.queue_seconds)
            for at in range(start, stop):
                answer = next(rest)
                if isinstance(answer, Doubt):
                    parked.append(Seat(job, at, answer, turn, now))
                else:
                    done.append((job, at, answer))
        with self._changed:
            self._reading -= 1
            for seat in parked:
                seat.job.begun -= 1
                if seat.job.dropped:
                    self._metrics.shed(seat.job.dropped, 1)
                else:
                    self._desk.add(seat)
            self._end(done, now)
        # Its timer rang while it was in our hands; by the clock of now, since this thread may have slept since the work.
        for job in {seat.job for seat in parked if seat.job.late(monotonic())}:
            self._call(self._expire, job)

    def _encode(self, sitting: Sitting) -> None:
        seats = sitting.seats
        assert self._finish
        with self._ready:
            started = monotonic()
            answers = isolated(self._finish, [seat.doubt for seat in seats])
            now = monotonic()
        self._metrics.batch(len(seats), now - started)
        self._metrics.cut(sitting.reason, sitting.tokens, sitting.padding)
        self._metrics.engine(now - started)
        self._ended(not all(isinstance(answer, Exception) for answer in answers))
        for seat in seats:
            seat.job.together = max(seat.job.together, len(seats))
            if len(seat.job.items) == 1:
                seat.job.queue_seconds += started - seat.since
        with self._changed:
            self._running -= 1
            self._desk.learn(sitting.tokens, now - started)
            done = [(seat.job, seat.at, answer) for seat, answer in zip(seats, answers, strict=True)]
            self._end(done, now)

    def _end(self, done: list[tuple[Job[Any], int, Any]], now: float) -> None:
        """Fill in answers; requests that are complete are woken in one hop to the loop. Under the lock."""
        whole: list[Job[Any]] = []
        characters = 0
        for job, at, answer in done:
            job.results[at] = answer
            job.finished += 1
            size = self.size(job.items[at])
            characters += size
            job.characters -= size
            if not job.dropped:
                self._backlog.add(job.bulk, -1, -size)
            if job.finished == len(job.items):
                job.infer_seconds = now - job.arrived - job.queue_seconds - job.read_seconds
                whole.append(job)
        if done:  # reading and running were done since the first of them came, whatever else was
            spent = now - min(job.arrived for job, _, _ in done)
            self.costs.note(now, len(done), characters, spent, busy=self.waiting > 0)
        if whole:
            self._call(_answer, whole)

    def _call(self, call: Callable[..., None], *args: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(call, *args)


def _answer(jobs: Iterable[Job[Any]]) -> None:
    """On the loop: wake the requests that are complete."""
    for job in jobs:
        if job.done.done():
            continue
        errors = [answer for answer in job.results if isinstance(answer, Exception)]
        if len(errors) == len(job.items):
            job.done.set_exception(errors[0])
            continue
        if errors:
            job.results = [_row(answer) for answer in job.results]
        job.done.set_result(None)


def _row(answer: Any) -> Any:
    """A row of a list that could not be run is a problem in its place."""
    if isinstance(answer, MenpaiError):
        return Problem(answer.code, answer.details)
    return Problem("row_failed", {}) if isinstance(answer, Exception) else answer


def _fail(job: Job[Any], error: Exception) -> None:
    if not job.done.done():
        job.done.set_exception(error)
