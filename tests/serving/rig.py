"""What the serving tests share: the application with the real matcher in this process, and one to hold."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
from starlette.applications import Starlette

from menpai.errors import BrokenArtefactError
from menpai.matcher import Matcher
from menpai.serving import wire
from menpai.serving.app import create_app
from menpai.serving.logs import Log
from menpai.serving.server import Server, bind, make_server
from menpai.settings import Settings

A, B, C = "杭州市西湖区文三路123号", "西湖区文三路125号", "西湖区文三路123号A座"


class Held:
    """A matcher whose judging can be held, and breaks on one text; what it answers is the real one's."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self.open = threading.Event()
        self.open.set()
        self.begun = threading.Event()
        self.batches: list[list[Any]] = []
        self.poison = "毒药路1号"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._matcher, name)

    def match_many(self, pairs: list[Any]) -> list[Any]:
        self._take(pairs)
        return self._matcher.match_many(pairs)

    def begin(self, pairs: list[Any]) -> list[Any]:
        self._take(pairs)
        return self._matcher.begin(pairs)

    def _take(self, pairs: list[Any]) -> None:
        self.begun.set()
        assert self.open.wait(60)
        if self.poison in {b for _, b in pairs}:
            raise RuntimeError(f"the engine broke on {self.poison}")
        self.batches.append(pairs)

    def hold(self) -> None:
        self.batches.clear()
        self.begun.clear()
        self.open.clear()


@dataclass
class Rig:
    """A running application, a client for it, and what it logs."""

    app: Starlette
    client: httpx.AsyncClient
    stream: io.StringIO
    run: Callable[[Coroutine[Any, Any, Any]], Any]

    def ask(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """One POST, from outside the loop."""
        response: httpx.Response = self.run(self.post(path, body, **headers))
        return response

    @property
    def log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    @property
    def requests(self) -> list[dict[str, Any]]:
        return [line for line in self.log if line["event"] == "request"]

    async def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {name.replace("_", "-"): value.encode("latin-1") for name, value in headers.items()}
        return await self.client.post(path, content=content, headers=named)

    def metric(self, name: str) -> float:
        """The value of a metric's line, 0 if it was never counted."""
        lines = self.app.state.service.metrics.page().decode().splitlines()
        return next((float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")), 0.0)


@contextlib.contextmanager
def running(open_matcher: Callable[[], Any], *, warmed: bool = True, **flags: Any) -> Iterator[Rig]:
    """The application between start and stop, on a loop of its own that runs while something is asked."""
    settings = Settings(language="en", **{"cache": False, "jobs_folder": ""} | flags)
    stream = io.StringIO()
    app = create_app(settings, lambda _: open_matcher(), Log(with_text=settings.log_text, stream=stream))
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost", timeout=30)
    with asyncio.Runner() as runner:
        lifespan = app.router.lifespan_context(app)
        runner.run(lifespan.__aenter__())
        if warmed:
            runner.run(until(lambda: app.state.service.phase == "ready"))
        yield Rig(app, client, stream, runner.run)
        runner.run(client.aclose())
        runner.run(lifespan.__aexit__(None, None, None))


@contextlib.contextmanager
def door(**flags: Any) -> Iterator[Rig]:
    """An application without a pack: who is let in gets `pack_damaged`, and nothing was loaded for it."""

    def fail(*_: Any) -> Any:
        raise BrokenArtefactError("pack_damaged", pack="none", file="pair.onnx")

    with running(fail, warmed=False, **flags) as rig:
        rig.run(until(lambda: rig.app.state.service.failure))
        yield rig


@contextlib.contextmanager
def serving(matcher: Any, **flags: Any) -> Iterator[tuple[Server, int]]:
    """A server on a real socket, in a thread, and its port; without a matcher it listens and is never ready."""

    def open_matcher(_: Settings) -> Any:
        if matcher is None:
            raise BrokenArtefactError("pack_damaged", pack="none", file="pair.onnx")
        return matcher

    beside = flags.pop("beside", False)
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(bind("127.0.0.1", 0))
        settings = Settings(
            **{"language": "en", "cache_file": "", "jobs_folder": "", "metrics_port": int(beside)} | flags
        )
        server = make_server(settings, Log(with_text=False, stream=io.StringIO()), open_matcher=open_matcher)
        server.service.on_failure = lambda: None
        if beside:
            server.beside = stack.enter_context(bind("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        while not (server.started and (server.service.phase == "ready" or server.service.failure)):
            time.sleep(0.01)
        try:
            yield server, listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(30)


async def until(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something that another thread does."""
    async with asyncio.timeout(seconds):
        while not happened():
            await asyncio.sleep(0.005)


def agrees(value: Any, kind: type[msgspec.Struct]) -> None:
    """The JSON value has the fields of the Struct, all of them and no other, in their types."""
    again = msgspec.to_builtins(msgspec.convert(value, kind))
    assert again == value


def fails(response: httpx.Response, status: int, code: str) -> dict[str, str]:
    """The answer is this error, in the agreed shape; its message and hint."""
    assert (response.status_code, response.json()["error"]["code"]) == (status, code), response.text
    agrees(response.json(), wire.Failure)
    error: dict[str, str] = response.json()["error"]
    assert error["message"]
    assert error["hint"]
    assert response.headers["x-request-id"]
    return error
