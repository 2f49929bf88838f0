"""The articles' third server: FastAPI, an asyncio queue, and `wait_for` 10 ms for each further request, up to 16."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from menpai import Matcher

WAIT = 0.01
MOST = 16


class Pair(BaseModel):
    """Two addresses."""

    a: str
    b: str


def main(port: int) -> None:
    """Serve until killed."""
    matcher = Matcher.open(threads=2)
    matcher.warm()
    waiting: asyncio.Queue[tuple[Pair, asyncio.Future[Any]]] = asyncio.Queue()

    async def collect() -> None:
        while True:
            batch = [await waiting.get()]
            with contextlib.suppress(TimeoutError):
                while len(batch) < MOST:
                    batch.append(await asyncio.wait_for(waiting.get(), WAIT))
            pairs = [(pair.a, pair.b) for pair, _ in batch]
            for (_, answer), verdict in zip(
                batch, await asyncio.to_thread(matcher.match_many, pairs), strict=True
            ):
                answer.set_result(verdict)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(collect())
        yield
        task.cancel()

    app = FastAPI(lifespan=lifespan)

    @app.post("/match")
    async def match(pair: Pair) -> dict[str, Any]:
        answer = asyncio.get_running_loop().create_future()
        await waiting.put((pair, answer))
        verdict = await answer
        return {"label": verdict.label, "similarity": verdict.similarity}

    uvicorn.run(app, port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]))
