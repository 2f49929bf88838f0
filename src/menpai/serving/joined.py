"""A transport that sends what is written in one turn of the event loop with one system call.

Uvicorn writes the head and the body of an answer apart; over loopback each costs more than judging what is remembered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

LARGE = 65_536  # bytes that are sent at once: copying them costs more than it saves
HEAR_SECONDS = 5  # for a caller who still sends what nobody will read, so that it comes to read its answer


class Joined:
    """The transport it is given, but for `write`, `close`, and what waits to be sent.

    `unheard` tells whether the caller is still sending: a socket that is closed with bytes unread is reset, and the
    answer lost with it (RFC 9112, 9.6).
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        unheard: Callable[[], bool] = bool,
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._unheard = unheard
        self._ending = False
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

    def lost(self) -> None:
        """The connection has ended: nobody is to be asked any more."""
        self._unheard = bool

    def is_closing(self) -> bool:
        """Whether nothing more will be sent."""
        return self._ending or self._transport.is_closing()

    def close(self) -> None:
        """Send what is held, then close; a caller who still sends is heard out for a while, asked twice at once."""
        self._send()
        if self.is_closing() or not self._unheard():
            self._transport.close()
            return
        self._ending = True
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._loop.call_later(HEAR_SECONDS, self._transport.close)

    def get_write_buffer_size(self) -> int:
        """Bytes that are not sent yet."""
        return self._transport.get_write_buffer_size() + sum(map(len, self._held))

    def _send(self) -> None:
        held, self._held = self._held, []
        if held and not self.is_closing():
            self._transport.write(b"".join(held) if len(held) > 1 else held[0])
