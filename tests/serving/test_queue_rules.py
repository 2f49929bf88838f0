"""Line and desk under any order of events: no row lost, none answered twice, oldest first, what was given up never run."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from menpai.serving.desk import WINDOW, Desk, Seat
from menpai.serving.line import SLICE_ITEMS, Deadline, Job, Line

SHORT = st.lists(st.integers(1, 400), min_size=1, max_size=SLICE_ITEMS)
BULK = st.builds(lambda size, count: [size] * count, st.integers(1, 200), st.integers(SLICE_ITEMS + 1, 120))


class Doubtful(NamedTuple):
    tokens: int


class Queue(RuleBasedStateMachine):
    """A service's two queues, with a clock of our own, and a worker that takes whatever is cut."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.now = 0.0
        self.line: Line[int] = Line(lambda item: item)
        self.desk = Desk()
        self.jobs: list[Job[int]] = []
        self.answered: Counter[tuple[int, int]] = Counter()
        self.given_up: dict[int, Counter[tuple[int, int]]] = {}

    def teardown(self) -> None:
        self.loop.close()

    @initialize(heavy=st.booleans())
    def engine(self, heavy: bool) -> None:
        self.desk.learn(100, 0.05 if heavy else 0.0005)

    @rule(sizes=SHORT | BULK, strict=st.booleans(), ms=st.integers(50, 5000))
    def arrive(self, sizes: list[int], strict: bool, ms: int) -> None:
        job = Job(sizes, self.loop.create_future(), Deadline(ms, strict), self.now)
        self.jobs.append(job)
        self.line.add(job)

    @rule(seconds=st.floats(0.001, 2.0))
    def pass_time(self, seconds: float) -> None:
        """Timers ring: late requests are given up, as the batcher does."""
        self.now += seconds
        for job in self.jobs:
            if job.late(self.now) and not job.dropped and job.finished < len(job.items):
                self.give_up(job)

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        self.give_up(data.draw(st.sampled_from(self.jobs)))

    @rule(bulk=st.booleans(), every=st.integers(1, 4))
    def read(self, bulk: bool, every: int) -> None:
        """A batch is read; every so many rows go on to the desk."""
        batch = self.line.cut(self.now, bulk=bulk)
        short = [piece.job.arrived for piece in batch.slices if not piece.job.bulk]
        assert short == sorted(short)
        assert bulk or not any(piece.job.bulk for piece in batch.slices)
        rows = [
            (piece.job, at, piece.turn) for piece in batch.slices for at in range(piece.start, piece.stop)
        ]
        for nth, (job, at, turn) in enumerate(rows):
            assert not job.dropped
            if nth % every == 0:
                self.desk.add(Seat(job, at, Doubtful(job.items[at]), turn, self.now))
                job.begun -= 1
            else:
                self.answer(job, at)

    @rule(free=st.integers(1, 4))
    def encode(self, free: int) -> None:
        waiting = [seat for seat in (*self.desk._short, *self.desk._bulk) if self.is_wanted(seat)]
        sitting = self.desk.cut(self.now, free)
        assert bool(sitting.seats) == bool(waiting)
        if sitting.seats:
            assert sitting.seats[0].turn == min(seat.turn for seat in waiting)
            assert sitting.tokens == sum(seat.doubt.tokens for seat in sitting.seats)
            newer = sorted(seat.turn for seat in waiting)[: WINDOW + len(sitting.seats)]
            assert max(seat.turn for seat in sitting.seats) <= newer[-1]
        for seat in sitting.seats:
            assert self.is_wanted(seat)
            self.answer(seat.job, seat.at)

    @invariant()
    def nothing_is_lost(self) -> None:
        assert max(self.answered.values(), default=1) == 1
        for at, counts in self.given_up.items():
            assert counts == self.of(at), "a row was run after its request was given up"
        seats = Counter(id(seat.job) for seat in (*self.desk._short, *self.desk._bulk))
        for at, job in enumerate(self.jobs):
            if not job.dropped:
                assert job.finished + job.waiting + seats[id(job)] == len(job.items)
                assert self.of(at).total() == job.finished
        assert self.line.waiting == sum(job.waiting for job in self.jobs)
        assert self.desk.tokens == sum(seat.doubt.tokens for seat in (*self.desk._short, *self.desk._bulk))

    def of(self, at: int) -> Counter[tuple[int, int]]:
        return Counter({key: count for key, count in self.answered.items() if key[0] == at})

    def is_wanted(self, seat: Seat) -> bool:
        return not (seat.job.dropped or seat.job.late(self.now))

    def give_up(self, job: Job[Any]) -> None:
        if not job.dropped:
            self.line.drop(job, "gone")
            at = self.jobs.index(job)
            self.given_up[at] = self.of(at)

    def answer(self, job: Job[Any], at: int) -> None:
        """What was cut is run."""
        job.finished += 1
        self.answered[self.jobs.index(job), at] += 1


Queue.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestQueue = Queue.TestCase
