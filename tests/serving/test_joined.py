"""What is written in one turn goes out in one call, in order, and nothing of it is lost when the connection closes."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from menpai.serving.joined import LARGE, Joined


class Wire:
    """A transport that keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_write_buffer_size(self) -> int:
        return 5

    def get_extra_info(self, name: str) -> str:
        return f"the {name}"


def both() -> tuple[Wire, Joined]:
    wire = Wire()
    return wire, Joined(cast(asyncio.Transport, cast(Any, wire)), asyncio.get_running_loop())


def test_one_turn_is_one_write() -> None:
    async def work() -> None:
        wire, joined = both()
        joined.write(b"head")
        joined.write(b"body")
        assert (wire.sent, joined.get_write_buffer_size()) == ([], 13)
        await asyncio.sleep(0)
        assert (wire.sent, joined.get_write_buffer_size()) == ([b"headbody"], 5)
        joined.write(b"next")
        await asyncio.sleep(0)
        assert wire.sent == [b"headbody", b"next"]
        assert joined.get_extra_info("peername") == "the peername"

    asyncio.run(work())


def test_what_is_large_goes_at_once_and_in_order() -> None:
    async def work() -> None:
        wire, joined = both()
        joined.write(b"head")
        joined.write(b"x" * LARGE)
        assert wire.sent == [b"head" + b"x" * LARGE]
        await asyncio.sleep(0)
        assert len(wire.sent) == 1

    asyncio.run(work())


def test_closing_sends_what_is_held_and_a_closed_one_nothing() -> None:
    async def work() -> None:
        wire, joined = both()
        joined.write(b"last words")
        joined.close()
        assert (wire.sent, wire.closed) == ([b"last words"], True)
        joined.write(b"too late")
        await asyncio.sleep(0)
        assert wire.sent == [b"last words"]

    asyncio.run(work())
