"""What the listening process and an instance process say to each other: length and MessagePack, over pipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

import msgspec

from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError, Problem, UsageError
from menpai.verdict import Verdict

HEAD = 4
_FAMILIES: dict[str, type[MenpaiError]] = {
    each.family: each for each in (UsageError, NotReadyError, BrokenArtefactError)
}


class Row(NamedTuple):
    """An answer: one of the two is there."""

    verdict: Verdict | None
    problem: Problem | None


class Trouble(NamedTuple):
    """An exception that can travel; `family` is empty for one that is not ours."""

    family: str
    code: str
    details: dict[str, Any]

    def to_error(self) -> Exception:
        """The exception again."""
        if self.family:
            return _FAMILIES[self.family](self.code, **self.details)
        return RuntimeError(self.code)


class Reply(NamedTuple):
    """What an instance answers: rows to a batch, its behaviour to its settings, or what went wrong."""

    rows: list[Row]
    trouble: Trouble | None = None
    behaviour: str = ""


class InstanceDiedError(Exception):
    """The other side closed the pipe, or what came was no frame."""


write = msgspec.msgpack.Encoder().encode
read_reply = msgspec.msgpack.Decoder(Reply).decode
read_pairs = msgspec.msgpack.Decoder(list[tuple[Any, ...]]).decode


def rows_of(answers: Sequence[Verdict | Problem]) -> list[Row]:
    """Answers as rows."""
    return [Row(None, each) if isinstance(each, Problem) else Row(each, None) for each in answers]


def answers_of(rows: Sequence[Row]) -> list[Any]:
    """Rows as answers."""
    return [row.verdict if row.problem is None else row.problem for row in rows]


def trouble_of(error: Exception) -> Trouble:
    """An exception as what can travel."""
    if isinstance(error, MenpaiError):
        return Trouble(error.family, error.code, error.details)
    return Trouble("", f"{type(error).__name__}: {error}", {})


def send(pipe: BinaryIO, body: bytes) -> None:
    """One frame."""
    pipe.write(len(body).to_bytes(HEAD, "big") + body)
    pipe.flush()


def receive(pipe: BinaryIO) -> bytes:
    """The next frame's body; raises InstanceDiedError when the pipe ends."""
    head = pipe.read(HEAD)
    size = int.from_bytes(head, "big")
    body = pipe.read(size) if len(head) == HEAD else b""
    if len(head) < HEAD or len(body) < size:
        raise InstanceDiedError
    return body
