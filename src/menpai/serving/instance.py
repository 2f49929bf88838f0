"""An instance process: opens the pack, then judges the batches that come in on its standard input.

It ends when that pipe ends, so none outlives the service; signals for the whole group (Ctrl-C, a terminal that
closes) are the listening process's to answer.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, BinaryIO

import msgspec

from menpai.matcher import Matcher
from menpai.serving.drift import FIRST
from menpai.serving.frames import (
    InstanceDiedError,
    Reply,
    read_pairs,
    receive,
    rows_of,
    send,
    trouble_of,
    write,
)
from menpai.serving.heaps import share_heaps
from menpai.settings import Settings

IGNORED = ("SIGINT", "SIGTERM", "SIGHUP")


def main() -> int:
    """Serve batches until the pipe ends; 0."""
    share_heaps()
    for name in IGNORED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no frame
    try:
        matcher = _open(receive(source), sink)
        while matcher:
            send(sink, _judge(matcher, receive(source)))
    except (InstanceDiedError, OSError):  # the service has ended
        return 0
    return 1


def _open(settings: bytes, sink: BinaryIO) -> Matcher | None:
    """The warmed matcher, or None; the service hears which."""
    try:
        matcher = Matcher.open(settings=msgspec.msgpack.decode(settings, type=Settings))
        matcher.warm()
        matcher.match_many(FIRST)
    except Exception as error:
        send(sink, write(Reply([], trouble_of(error))))
        return None
    send(sink, write(Reply([], behaviour=matcher.behaviour)))
    return matcher


def _judge(matcher: Matcher, body: bytes) -> bytes:
    """The reply to one batch; an exception is a reply too."""
    try:
        pairs: list[tuple[Any, ...]] = read_pairs(body)
        return write(Reply(rows_of(matcher.match_many(pairs))))
    except Exception as error:
        return write(Reply([], trouble_of(error)))


if __name__ == "__main__":
    sys.exit(main())
