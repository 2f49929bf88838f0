"""A transport that sends what is written in one turn of the event loop with one system call.

Uvicorn writes the head and the body of an answer apart; over loopback each costs more than judging what is remembered.
"""

from __future__ import annotations

import asyncio
from typing import Any

LARGE = 65_536  # bytes that are sent at once: copying them costs more than it saves


class Joined:
    """The transport it is given, but for `write`, `close`, and what waits to be sent."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it with the rest of this turn."""
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)
        if len(data) >= LARGE:
            self._send()

    def close(self) -> None:
        """Send what is held, then close."""
        self._send()
        self._transport.close()

    def get_write_buffer_size(self) -> int:
        """Bytes that are not sent yet."""
        return self._transport.get_write_buffer_size() + sum(map(len, self._held))

    def _send(self) -> None:
        held, self._held = self._held, []
        if held and not self._transport.is_closing():
            self._transport.write(b"".join(held) if len(held) > 1 else held[0])
