"""The journal of a long run: what each chunk of rows was answered, so that a run that was cut off goes on from there.

A text file `journal` in the hidden folder beside the output. First line: JSON with `menpai` ("journal"), `version` and
`fingerprint`, which covers the pack, the settings, the columns. Each further line: 16 hexadecimal digits, the digest of
the rest of the line; a blank; JSON with `rows` (how many), `digest` (of the rows as read), `answers` (their new cells).
A line that was cut off, or belongs to rows that read otherwise now, and all after it, count for nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from menpai.errors import Problem
from menpai.tables.table import Row
from menpai.verdict import Conflict, Evidence, Probabilities

VERSION = 1
Added = tuple[Any, ...]
Note = Callable[[Problem], None]


class Chunk(NamedTuple):
    """Rows that were done: how many, their digest, how many had a problem, and their answers.

    No answers: the output has these rows already, as a database has.
    """

    rows: int
    digest: str
    problems: int
    answers: list[Added] | None


class Journal(Protocol):
    """What was done before, and a place for what is done now."""

    def chunks(self) -> Iterator[Chunk]:
        """The chunks of the run before, from the first row on."""

    def passed(self, rows: Sequence[Row]) -> None:
        """Rows of a chunk without answers have been read."""

    def cut(self, rows: int) -> None:
        """Forget all but these first rows."""

    def record(self, rows: Sequence[Row], answers: Sequence[Added]) -> None:
        """A further chunk, whose rows have been handed to the writer."""


class NoJournal:
    """For standard output and devices: what has gone there cannot be gone over again."""

    def chunks(self) -> Iterator[Chunk]:
        """None."""
        return iter(())

    def passed(self, rows: Sequence[Row]) -> None:
        """Nothing to note."""

    def cut(self, rows: int) -> None:
        """Nothing to forget."""

    def record(self, rows: Sequence[Row], answers: Sequence[Added]) -> None:
        """Nothing is kept."""


class FileJournal:
    """A journal in a file. One of another run is told and thrown away."""

    def __init__(self, path: Path, fingerprint: str, note: Note = lambda _: None) -> None:
        self._path = path
        self._head = _line_of({"menpai": "journal", "version": VERSION, "fingerprint": fingerprint})
        self._places = [(0, len(self._head))]  # rows before, and where in the file they end
        if path.exists() and not self._is_ours():
            note(Problem("journal_foreign", {"path": str(path)}))
            path.unlink()

    def chunks(self) -> Iterator[Chunk]:
        """The chunks that are whole; what follows the last of them is cut off."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(len(self._head))
            for line in file:
                payload = _payload(line)
                if payload is None:
                    break
                answers = [tuple(map(_decoded, row)) for row in payload["answers"]]
                problems = sum(isinstance(row[-1], Problem) for row in answers)
                self._places.append((self._places[-1][0] + len(answers), self._places[-1][1] + len(line)))
                yield Chunk(len(answers), payload["digest"], problems, answers)
        self.cut(self._places[-1][0])

    def passed(self, rows: Sequence[Row]) -> None:
        """Nothing to note: each chunk has answers."""

    def cut(self, rows: int) -> None:
        """Forget all but these first rows."""
        while self._places[-1][0] > rows:
            self._places.pop()
        if self._path.exists():
            with self._path.open("r+b") as file:
                file.truncate(self._places[-1][1])

    def record(self, rows: Sequence[Row], answers: Sequence[Added]) -> None:
        """Append a chunk and hand it to the system, which keeps it when this process is killed."""
        cells = [list(map(_encoded, row)) for row in answers]
        body = json.dumps(
            {"rows": len(rows), "digest": digest_of(rows), "answers": cells}, separators=(",", ":")
        )
        line = b"%s %s\n" % (_digest(body.encode()), body.encode())
        with self._path.open("ab") as file:
            if not file.tell():
                file.write(self._head)
            file.write(line)

    def _is_ours(self) -> bool:
        with self._path.open("rb") as file:
            return file.read(len(self._head)) == self._head


def fingerprint_of(parts: Iterable[Any]) -> str:
    """Hex digest of what gives the same rows the same answers."""
    return hashlib.blake2b(repr(list(parts)).encode("utf-8", "replace"), digest_size=16).hexdigest()


def digest_of(rows: Iterable[Row]) -> str:
    """Hex digest of rows as they were read."""
    digest = hashlib.blake2b(digest_size=16)
    for row in rows:
        code = row.problem and row.problem.code
        digest.update(repr((row.cells, code)).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8).hexdigest().encode()


def _line_of(head: dict[str, Any]) -> bytes:
    return json.dumps(head).encode() + b"\n"


def _payload(line: bytes) -> Any:
    """What a line says, or None if it is not whole."""
    seal, _, body = line.partition(b" ")
    return json.loads(body) if line.endswith(b"\n") and _digest(body[:-1]) == seal else None


def _encoded(value: Any) -> Any:
    """A cell as JSON from which it is made again; a value of our own is an object with its name."""
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Problem):
        return {"problem": [value.code, value.details]}
    if isinstance(value, Conflict | Evidence | Probabilities):
        return {type(value).__name__.lower(): list(value)}
    if isinstance(value, list | tuple):
        return list(map(_encoded, value))
    return {"object": {name: _encoded(each) for name, each in value.items()}}


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_decoded, value))
    if not isinstance(value, dict):
        return value
    ((kind, held),) = value.items()
    if kind == "object":
        return {name: _decoded(each) for name, each in held.items()}
    return _KINDS[kind](*held)


_KINDS: dict[str, Callable[..., Any]] = {
    "problem": Problem,
    "conflict": Conflict,
    "evidence": Evidence,
    "probabilities": Probabilities,
}
