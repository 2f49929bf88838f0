"""The desk: rows that were read and now wait for the encoder, and how a batch is cut for it.

The oldest row comes first and takes those of about its length along, within a budget of tokens that the engine ends in
a moment. Budget and moment are learned from the runs themselves, so that one rule serves a graph of 1 MB on a CPU and
one of 400 MB on a GPU. No timer: what waits is taken when the engine is free.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple, Protocol

from menpai.serving.line import Job

WINDOW = 64  # rows among which company is looked for; it bounds how far a row can be overtaken
RUN_SECONDS = 0.1  # one run: long enough to fill the engine, short enough for what comes next
FEWEST_ROWS = 4  # weights are read once for all of them; alone a row costs about a fifth more
MOST_TOKENS = {"cpu": 4096}
MOST_TOKENS_DEVICE = 16_384
FIRST_TOKENS = 256  # until a run was measured
NEAR = 1 / 8  # how much longer or shorter company may be, where a token costs enough to count
HEAVY_SECONDS = 5e-5  # a token's cost, from which on padding counts for more than the call
LEARNING = 0.2


class Doubtful(Protocol):
    """What waits: it knows about how many tokens it has."""

    @property
    def tokens(self) -> int:
        """About how many the encoder reads."""


class Seat(NamedTuple):
    """A row at the desk: which of which job, and since when."""

    job: Job[Any]
    at: int
    doubt: Doubtful
    turn: float
    since: float


class Sitting(NamedTuple):
    """Rows that are run together, what ended the batch ("empty": no more waits, "tokens", "length", "shared"), and padding."""

    seats: list[Seat]
    reason: str
    tokens: int
    padding: int


class Desk:
    """Rows by their turn. The owner locks around each call."""

    def __init__(self, device: str = "cpu") -> None:
        self._short: deque[Seat] = deque()
        self._bulk: deque[Seat] = deque()
        self._most = MOST_TOKENS.get(device, MOST_TOKENS_DEVICE)
        self._token_seconds = 0.0
        self.tokens = 0  # of all rows that sit here, those of dropped requests too

    def __len__(self) -> int:
        return len(self._short) + len(self._bulk)

    @property
    def budget(self) -> int:
        """Tokens in one run."""
        if not self._token_seconds:
            return FIRST_TOKENS
        return max(1, min(self._most, int(RUN_SECONDS / self._token_seconds)))

    @property
    def full(self) -> bool:
        """Whether a whole run waits."""
        return self.tokens >= self.budget

    def add(self, seat: Seat) -> None:
        """Let a row wait."""
        (self._bulk if seat.job.bulk else self._short).append(seat)
        self.tokens += seat.doubt.tokens

    def cut(self, now: float, free: int = 1) -> Sitting:
        """The next batch for one of `free` runs. Rows of requests that were dropped or are late are never run."""
        seats, passed, reason = self._choose(now, free)
        for seat in reversed(passed):
            (self._bulk if seat.job.bulk else self._short).appendleft(seat)
        for seat in seats:
            seat.job.begun += 1
        sizes = [seat.doubt.tokens for seat in seats]
        self.tokens -= sum(sizes)
        padding = max(sizes) * len(sizes) - sum(sizes) if seats and self._heavy else 0
        return Sitting(seats, reason, sum(sizes), padding)

    def learn(self, tokens: int, seconds: float) -> None:
        """Keep what a token costs current."""
        measured = seconds / max(1, tokens)
        old = self._token_seconds
        self._token_seconds = measured if not old else old + LEARNING * (measured - old)

    def _choose(self, now: float, free: int) -> tuple[list[Seat], list[Seat], str]:
        """Who is cut, who was passed over, and why it ended."""
        seats: list[Seat] = []
        passed: list[Seat] = []
        room = self.budget
        share = -(-len(self) // free) if self._heavy else len(self)  # the others are not left idle
        while len(passed) < WINDOW and (seat := self._pop(now)):
            if seats and not self._near(seat, seats[0]):
                passed.append(seat)
                continue
            if len(seats) >= share or (len(seats) >= FEWEST_ROWS and seat.doubt.tokens > room):
                return seats, [*passed, seat], "tokens" if len(seats) < share else "shared"
            seats.append(seat)
            room -= seat.doubt.tokens
        return seats, passed, "length" if passed else "empty"

    @property
    def _heavy(self) -> bool:
        return self._token_seconds > HEAVY_SECONDS

    def _near(self, seat: Seat, first: Seat) -> bool:
        """Whether a row is good company: padding to the longest costs less than a run of its own."""
        reach = NEAR * first.doubt.tokens + 1
        return not self._heavy or abs(seat.doubt.tokens - first.doubt.tokens) <= reach

    def _pop(self, now: float) -> Seat | None:
        """The row whose turn it is, among those that somebody waits for."""
        while self._short or self._bulk:
            bulk = not self._short or (bool(self._bulk) and self._bulk[0].turn < self._short[0].turn)
            seat = (self._bulk if bulk else self._short).popleft()
            if not (seat.job.dropped or seat.job.late(now)):
                return seat
            self.tokens -= seat.doubt.tokens
        return None
