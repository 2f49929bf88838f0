"""Callers for tests: so many connections, each sending pairs whose answers are known, and counting every outcome."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

CUT = "cut"  # the connection ended before the answer


class Crowd:
    """Callers in a thread of their own. `outcomes` counts answers by status and cut connections; `wrong` are answers of
    200 with another verdict than `right` has (only checked if it is given)."""

    def __init__(
        self, port: int, pairs: Sequence[tuple[str, str]], right: Sequence[Any] = (), callers: int = 8
    ) -> None:
        self.outcomes: Counter[int | str] = Counter()
        self.codes: Counter[str] = Counter()
        self.wrong: list[Any] = []
        self.slowest = 0.0
        self.sent = 0
        self._port, self._pairs, self._right, self._callers = port, pairs, right, callers
        self._stop = False
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))

    def __enter__(self) -> Crowd:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop = True
        self._thread.join(60)
        assert not self._thread.is_alive()

    def after(self, answers: int, seconds: float = 60) -> None:
        """Wait until so many more were answered."""
        goal, until = self.outcomes.total() + answers, time.monotonic() + seconds
        while self.outcomes.total() < goal:
            assert time.monotonic() < until, self.outcomes
            time.sleep(0.01)

    async def _run(self) -> None:
        numbers = itertools.count()
        await asyncio.gather(*(self._caller(numbers) for _ in range(self._callers)))

    async def _caller(self, numbers: Iterator[int]) -> None:
        connection = None
        while not self._stop:
            at = next(numbers) % len(self._pairs)
            try:
                connection = connection or await asyncio.open_connection("127.0.0.1", self._port)
            except OSError:  # nobody listens any more: nothing was sent
                return
            self.sent += 1
            started = time.monotonic()
            try:
                status, head, body = await self._ask(*connection, self._pairs[at])
            except (OSError, EOFError):
                self.outcomes[CUT] += 1
                connection[1].close()
                connection = None
                continue
            self.slowest = max(self.slowest, time.monotonic() - started)
            self._note(status, body, at)
            if self.codes["service_draining"]:  # a caller goes elsewhere then
                break
            if b"connection: close" in head.lower():
                connection[1].close()
                connection = None
        if connection:
            connection[1].close()

    def _note(self, status: int, body: dict[str, Any], at: int) -> None:
        self.outcomes[status] += 1
        if status != 200:
            self.codes[body["error"]["code"]] += 1
        elif self._right and (body["label"], body["similarity"]) != self._right[at]:
            self.wrong.append((self._pairs[at], body))

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: tuple[str, str]
    ) -> tuple[int, bytes, dict[str, Any]]:
        content = json.dumps({"a": pair[0], "b": pair[1]}).encode()
        writer.write(
            b"POST /v1/match HTTP/1.1\r\nhost: localhost\r\ncontent-length: %d\r\n\r\n" % len(content)
            + content
        )
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        return int(head.split()[1]), head, json.loads(await reader.readexactly(length))
