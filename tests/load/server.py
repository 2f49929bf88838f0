"""A small HTTP server in a thread that answers as a test tells it to."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from collections.abc import Callable, Iterator

READY = b'{"status":"ready","pack":"toy@1","behaviour":"0"}'
# What is done with the n-th request: wait so long, then write these bytes (b"" hangs up, None never answers).
Answer = Callable[[int], tuple[float, bytes | None]]
_LENGTH = re.compile(rb"content-length: (\d+)")


def answer(status: int = 200, body: bytes = b'{"label":"exact_match"}', extra: bytes = b"") -> bytes:
    """The bytes of an answer."""
    return b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n%b\r\n%b" % (status, len(body), extra, body)


class Server:
    """Counts and keeps the requests that it saw, /readyz apart."""

    def __init__(self, how: Answer) -> None:
        self._how = how
        self.seen: list[bytes] = []
        self.connections = 0
        self.port = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                found = _LENGTH.search(head)
                body = await reader.readexactly(int(found[1])) if found else b""
                if head.startswith(b"GET /readyz"):
                    writer.write(answer(200, READY))
                    continue
                self.seen.append(head + body)
                wait, told = self._how(len(self.seen))
                await asyncio.sleep(wait)
                if told is None:
                    await asyncio.sleep(30)
                elif not told:
                    return
                else:
                    writer.write(told)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return
        finally:
            writer.close()


@contextlib.contextmanager
def serving(how: Answer = lambda n: (0, answer())) -> Iterator[Server]:
    """The server on a free port, until the block ends."""
    server, up = Server(how), threading.Event()
    ends: list[Callable[[], object]] = []

    async def main() -> None:
        over, loop = asyncio.Event(), asyncio.get_running_loop()
        ends.append(lambda: loop.call_soon_threadsafe(over.set))
        listener = await asyncio.start_server(server.talk, "127.0.0.1", 0)
        server.port = listener.sockets[0].getsockname()[1]
        up.set()
        await over.wait()
        listener.close()

    thread = threading.Thread(target=lambda: asyncio.run(main()))  # asyncio.run ends the open conversations
    thread.start()
    assert up.wait(10)
    try:
        yield server
    finally:
        ends[0]()
        thread.join()
