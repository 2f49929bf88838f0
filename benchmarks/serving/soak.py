"""Good and bad requests mixed, for as long as you like: does memory grow, do counts add up, is any error not asked for?

Usage: python -m benchmarks.serving.soak [--seconds 60 | --minutes 30 | --hours 72] [--requests 500000] [--clients 16]
       [--json OUT]

Ends with whichever is reached first (60 s in CI). First the caches are filled; memory is compared with what it is then,
from the mean of the first tenth to that of the last. Exit code 1 when something is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.request import urlopen

import numpy as np

from benchmarks.serving.client import Service
from menpai.cli.doctor_service import Samples, read_samples
from menpai.load.connection import Connection, Outcome
from menpai.load.pairs import generated

# Small caches fill within the first seconds, and evict from then on.
LIMITS = {"MENPAI_CACHE": "on", "MENPAI_CACHE_ENTRIES": "2000", "MENPAI_READINGS": "2000", "MENPAI_MAX_PAIRS": "500",
          "MENPAI_MAX_BODY_MB": "0.2", "MENPAI_TIMEOUT_MS": "20000", "MENPAI_QUEUE_SECONDS": "20"}  # fmt: skip
# First so many pairs in long lists, half of them of two places that have nothing to do with each other, so that all tables
# are read and the caches and memos full: memory is compared with what it is then. The longest this may take on a machine
# that does other things too.
WARM_ROWS, WARM_LISTS, WARM_SECONDS = 100, 250, 90
MOST_GROWTH = 20e6
REQUESTS = 500_000
ANSWER_SECONDS = 60
UNITS = {"seconds": 1, "minutes": 60, "hours": 3600}
PLACES, REPEATED = 2_000, 0.3
NUMBER = re.compile(r"\d+")
Pairs = Iterator[tuple[Any, Any]]


class Kind(NamedTuple):
    """A kind of request: how often, what it sends, and the outcomes that it may have. `leaves`: nobody waits for it."""

    weight: int
    make: Callable[[Pairs, Random], bytes]
    expected: frozenset[Outcome]
    leaves: bool = False


def written(seed: int) -> Pairs:
    """Pairs without end, most of them never seen before, in so few places that all tables of those are soon read."""
    random = Random(seed)
    places = list(islice(generated(seed), PLACES))
    while True:
        number = str(random.randint(1, 1500))
        pair = random.choice(places)
        yield (
            pair if random.random() < REPEATED else tuple(NUMBER.sub(number, side, count=1) for side in pair)
        )


def post(path: str, body: Any, *fields: str) -> bytes:
    """A whole POST; a body that is not bytes is sent as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"POST {path} HTTP/1.1", "host: localhost", f"content-length: {len(data)}", *fields]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + data


def pair(pairs: Pairs) -> dict[str, Any]:
    """The next pair, as /v1/match takes it."""
    a, b = next(pairs)
    return {"a": a, "b": b}


def listed(pairs: Pairs, count: int, *rows: Any) -> bytes:
    """A list of so many pairs, and of these rows too."""
    return post("/v1/match", {"pairs": [*(pair(pairs) for _ in range(count)), *rows]})


def strangers(pairs: Pairs) -> dict[str, Any]:
    """The one side of a pair with the other of the next: what a candidate mostly is to its query."""
    return {"a": next(pairs)[0], "b": next(pairs)[1]}


def one_of(*outcomes: Outcome) -> frozenset[Outcome]:
    """What may come back."""
    return frozenset(outcomes)


OK, NO = one_of(200), one_of(422)
FAR = {"text": "文三路1号", "lat": 99, "lon": 1e9}
BAD_ROWS = ({"a": "", "b": 7}, {"a": "\ud800", "b": "x" * 5000})
KINDS: dict[str, Kind] = {
    "pair": Kind(60, lambda pairs, _: post("/v1/match", pair(pairs)), OK),
    "list": Kind(6, lambda pairs, random: listed(pairs, random.randint(1, 40)), OK),
    "candidates": Kind(
        4, lambda pairs, _: post("/v1/match", {"query": next(pairs)[0], "candidates": next(pairs)}), OK
    ),
    "infer": Kind(
        4, lambda pairs, _: post("/infer", dict(zip(("addr1", "addr2"), next(pairs), strict=True))), OK
    ),
    "parse": Kind(4, lambda pairs, _: post("/v1/parse", {"texts": next(pairs)}), OK),
    "normalize": Kind(4, lambda pairs, _: post("/v1/normalize", {"texts": next(pairs), "explain": True}), OK),
    "bad rows": Kind(3, lambda pairs, _: listed(pairs, 1, *BAD_ROWS), OK),
    "empty": Kind(2, lambda *_: post("/v1/match", {"a": "", "b": "路"}), NO),
    "no text": Kind(2, lambda *_: post("/v1/match", {"a": {"text": 5}, "b": None}), NO),
    "bad place": Kind(1, lambda *_: post("/v1/match", {"a": FAR, "b": "路1号"}), NO),
    "shape": Kind(1, lambda *_: post("/v1/match", {"a": "1", "pairs": []}), NO),
    "nested": Kind(1, lambda *_: post("/v1/match", b"[" * 20_000), one_of(400)),
    "no json": Kind(
        2, lambda _, random: post("/v1/match", random.randbytes(random.randint(0, 300))), one_of(400, 422)
    ),
    "too many": Kind(1, lambda *_: post("/v1/match", {"pairs": [{"a": "1", "b": "2"}] * 501}), one_of(413)),
    "too large": Kind(1, lambda *_: post("/v1/match", b" " * 200_001), one_of(413, "closed", "reset")),
    "no route": Kind(1, lambda *_: post("/v2/match", {}), one_of(404)),
    "wrong method": Kind(1, lambda *_: b"DELETE /v1/match HTTP/1.1\r\nhost: localhost\r\n\r\n", one_of(405)),
    "bad name": Kind(
        1, lambda pairs, _: post("/v1/match", pair(pairs)).replace(b"localhost", b"evil.example"), one_of(403)
    ),
    "hurry": Kind(
        1, lambda pairs, _: post("/v1/match", pair(pairs), "x-request-timeout-ms: 1"), one_of(200, 503, 504)
    ),
    "half body": Kind(1, lambda pairs, _: post("/v1/match", pair(pairs))[:-9], one_of(), leaves=True),
    "abandoned": Kind(2, lambda pairs, _: listed(pairs, 50), one_of(), leaves=True),
}

WARMING = Kind(
    1, lambda pairs, _: listed(pairs, WARM_ROWS // 2, *(strangers(pairs) for _ in range(WARM_ROWS // 2))), OK
)


class Soak:
    """The clients, what they sent, and what came back."""

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._random = Random(seed)
        self._pairs = written(seed)
        self.sent: Counter[str] = Counter()
        self.outcomes: Counter[Outcome] = Counter()
        self.unwanted: Counter[str] = Counter()
        self.memory: list[tuple[int, float]] = []

    async def run(self, seconds: float, clients: int, requests: float) -> None:
        """Warm up, then send the mix until the time is over or so many were sent; memory is looked at all the while."""
        warm, limit = time.monotonic() + WARM_SECONDS, WARM_LISTS
        await asyncio.gather(*(self._client(warm, {"warming": WARMING}, limit) for _ in range(clients)))
        watcher, end = asyncio.create_task(self._watch(seconds)), time.monotonic() + seconds
        most = self.sent.total() + requests
        await asyncio.gather(*(self._client(end, KINDS, most) for _ in range(clients)))
        watcher.cancel()

    async def _client(self, end: float, kinds: dict[str, Kind], most: float = math.inf) -> None:
        """One caller: sends one request after another until the time is over, or all have sent so many."""
        names, weights = list(kinds), [kind.weight for kind in kinds.values()]
        connection = await self._connect()
        while time.monotonic() < end and self.sent.total() < most:
            (name,) = self._random.choices(names, weights)
            kind = kinds[name]
            if not connection.alive:
                connection = await self._connect()
            self.sent[name] += 1
            outcome = await self._ask(connection, kind.make(self._pairs, self._random), kind.leaves)
            if kind.leaves:
                continue
            self.outcomes[outcome] += 1
            if outcome not in kind.expected:
                self.unwanted[f"{name}: {outcome}"] += 1
        connection.close()

    async def _ask(self, connection: Connection, request: bytes, leaves: bool) -> Outcome:
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        connection.on_answer = lambda _, outcome: None if answer.done() else answer.set_result(outcome)
        connection.send(request)
        if leaves:
            await asyncio.sleep(self._random.choice((0.001, 0.01)))  # long enough for the head to be read
            connection.abandon("left")
        try:
            return await asyncio.wait_for(answer, ANSWER_SECONDS)
        except TimeoutError:
            connection.close()
            return "silence"

    async def _connect(self) -> Connection:
        _, connection = await asyncio.get_running_loop().create_connection(
            Connection, "127.0.0.1", self._port
        )
        return connection

    async def _watch(self, seconds: float) -> None:
        pause = max(0.5, min(10.0, seconds / 120))
        while True:
            samples = await asyncio.to_thread(read, self._port)
            self.sent["metrics"] += 1
            self.memory.append((self.sent.total(), value(samples, "menpai_memory_bytes")))
            await asyncio.sleep(pause)


def read(port: int) -> Samples:
    """The service's metrics now."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        return read_samples(page.read().decode())


def value(samples: Samples, name: str) -> float:
    """The sum over a metric's labels."""
    return sum(count for (metric, _), count in samples.items() if metric == name)


def growth(memory: list[tuple[int, float]]) -> tuple[float, float]:
    """Bytes by which memory grew (from the mean of the first tenth to that of the last), and what the second half's slope
    comes to in REQUESTS."""
    requests, resident = np.array(memory, dtype=float).T
    tenth, half = max(1, len(resident) // 10), len(resident) // 2
    slope = np.polyfit(requests[half:], resident[half:], 1)[0] if half > 1 else 0.0
    return float(resident[-tenth:].mean() - resident[:tenth].mean()), float(slope * REQUESTS)


def soak(
    seconds: float, clients: int = 16, seed: int = 20261130, requests: float = math.inf
) -> dict[str, Any]:
    """Run, and tell: counts, growth, and what was wrong."""
    with TemporaryDirectory() as own, Service(None, **LIMITS, MENPAI_CACHE_FILE=f"{own}/verdicts") as service:
        found = Soak(service.port, seed)
        before = value(read(service.port), "menpai_outcomes_total")
        began = time.monotonic()
        asyncio.run(found.run(seconds, clients, requests))
        seconds = time.monotonic() - began  # with the warm-up
        time.sleep(1.0)  # what was abandoned is counted when it is given up
        after = read(service.port)
        sent = found.sent.total() + 1  # and the look at the metrics before; the last one is not counted yet
        counted = value(after, "menpai_outcomes_total") - before
    grown, projected = growth(found.memory)
    return {
        "seconds": round(seconds),
        "sent": sent,
        "counted": counted,
        "outcomes": {str(outcome): count for outcome, count in sorted(found.outcomes.items(), key=str)},
        "kinds": dict(found.sent),
        "unwanted": dict(found.unwanted),
        "memory_mb": [
            round(resident / 1e6, 1) for _, resident in found.memory[:: max(1, len(found.memory) // 10)]
        ],
        "growth_mb": round(grown / 1e6, 2),
        "growth_mb_in_500000": round(projected / 1e6, 1),
        "growth_mb_an_hour": round(grown / 1e6 / seconds * 3600, 2),
        "wrong": [
            *(["errors not asked for"] if found.unwanted else []),
            *(["counts do not add up"] if sent != counted else []),
            *(["memory grows"] if (projected if sent > REQUESTS else grown) > MOST_GROWTH else []),
        ],
    }


def finish(report: dict[str, Any], path: str | None) -> int:
    """Print the report, write it where asked; the exit code: 1 when something is wrong."""
    text = json.dumps(report, indent=1, ensure_ascii=False)
    print(text)
    if path:
        with open(path, "w", encoding="utf-8") as out:
            out.write(text + "\n")
    return 1 if report["wrong"] else 0


def main() -> int:
    """Run as the arguments say; 1 when something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    for unit in UNITS:
        parser.add_argument(f"--{unit}", type=float, default=0.0)
    parser.add_argument("--requests", type=float, default=math.inf)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--json", metavar="OUT")
    args = parser.parse_args()
    seconds = sum(getattr(args, unit) * count for unit, count in UNITS.items())
    limit = 72 * UNITS["hours"] if args.requests < math.inf else 60
    report = soak(seconds or limit, args.clients, requests=args.requests)
    return finish(report, args.json)


if __name__ == "__main__":
    sys.exit(main())
