"""The articles' fourth server: every 100 ms a batch by length: of ≤ 15 characters 16, of 16–30 8, of more 4."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from menpai import Matcher

EVERY = 0.1
SIZES = ((15, 16), (30, 8), (10_000, 4))  # longest address, batch


class Pair(BaseModel):
    """Two addresses."""

    a: str
    b: str


def main(port: int) -> None:
    """Serve until killed."""
    matcher = Matcher.open(threads=2)
    matcher.warm()
    lines: list[deque[tuple[Pair, asyncio.Future[Any]]]] = [deque() for _ in SIZES]

    async def collect() -> None:
        """At every look a batch of each length; a full one calls for the next look at once."""
        while True:
            full = False
            for line, (_, size) in zip(lines, SIZES, strict=True):
                batch = [line.popleft() for _ in range(min(size, len(line)))]
                full = full or len(line) >= size
                if batch:
                    pairs = [(pair.a, pair.b) for pair, _ in batch]
                    verdicts = await asyncio.to_thread(matcher.match_many, pairs)
                    for (_, answer), verdict in zip(batch, verdicts, strict=True):
                        answer.set_result(verdict)
            await asyncio.sleep(0 if full else EVERY)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(collect())
        yield
        task.cancel()

    app = FastAPI(lifespan=lifespan)

    @app.post("/match")
    async def match(pair: Pair) -> dict[str, Any]:
        answer = asyncio.get_running_loop().create_future()
        longest = max(len(pair.a), len(pair.b))
        at = next(at for at, (length, _) in enumerate(SIZES) if longest <= length)
        lines[at].append((pair, answer))
        verdict = await answer
        return {"label": verdict.label, "similarity": verdict.similarity}

    uvicorn.run(app, port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]))
