"""The journal of a long run: what each chunk of rows was answered, so that a run that was cut off goes on from there.

A text file `journal` in the hidden folder beside the output. First line: JSON with `menpai` ("journal"), `version` and
`fingerprint`, which covers the pack, the settings, the columns. Each further line: 16 hexadecimal digits, the digest of
the rest of the line; a blank; JSON with `rows` (how many), `digest` (of the rows as read), `answers` (their new cells);
of link and dedupe with `key` (of a chunk of pairs and all before it) and `value` (their verdicts). A line that was cut
off, or belongs to rows that read otherwise now, and all after it, count for nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
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

    def pairs(self) -> PairJournal:
        """In its place a journal of pairs, for work that is no row after row."""

    def chunks(self) -> Iterator[Chunk]:
        """The chunks of the run before, from the first row on."""

    def passed(self, rows: Sequence[Row]) -> None:
        """Rows of a chunk without answers have been read."""

    def cut(self, rows: int) -> None:
        """Forget all but these first rows."""

    def record(self, rows: Sequence[Row], answers: Sequence[Added]) -> None:
        """A further chunk, whose rows have been handed to the writer."""


class PairJournal:
    """Chunks of scored pairs by their keys: lines with `key` and `value`. Without a path nothing is kept."""

    def __init__(self, path: Path | None = None, fingerprint: str = "", note: Note = lambda _: None) -> None:
        self._path, self._head, self._key = path, head_of(fingerprint), b""
        self._values: dict[str, Any] = {}
        if path is None or not _is_ours(path, self._head, note):
            return
        with path.open("r+b") as file:
            file.seek(len(self._head))
            end = file.tell()
            while (payload := _payload(line := file.readline())) is not None:
                self._values[payload["key"]] = payload["value"]
                end += len(line)
            file.truncate(end)
        if self._values:
            note(Problem("journal_resumed_pairs", {"chunks": len(self._values)}))

    def key(self, chunk: Any) -> str:
        """The key of a chunk, in the order in which chunks are asked for: it covers all before it."""
        if self._path is None:
            return ""
        self._key = hashlib.blake2b(
            self._key + repr(chunk).encode("utf-8", "replace"), digest_size=16
        ).digest()
        return self._key.hex()

    def find(self, key: str) -> Any:
        """What was kept under a key, once; None where nothing was."""
        return self._values.pop(key, None)

    def keep(self, key: str, value: Any) -> None:
        """Append a chunk's value, which JSON can hold."""
        if self._path is not None:
            _append(self._path, self._head, {"key": key, "value": value})


class NoJournal:
    """For standard output and devices: what has gone there cannot be gone over again."""

    def pairs(self) -> PairJournal:
        """One that keeps nothing."""
        return PairJournal()

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
        self._path, self._fingerprint, self._note = path, fingerprint, note
        self._head = head_of(fingerprint)
        self._places = [(0, len(self._head))]  # rows before, and where in the file they end

    def pairs(self) -> PairJournal:
        """The same file as a journal of pairs."""
        return PairJournal(self._path, self._fingerprint, self._note)

    def chunks(self) -> Iterator[Chunk]:
        """The chunks that are whole; what follows the last of them is cut off."""
        if not _is_ours(self._path, self._head, self._note):
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
        _append(self._path, self._head, {"rows": len(rows), "digest": digest_of(rows), "answers": cells})


def head_of(fingerprint: str) -> bytes:
    """The first line of a journal."""
    return json.dumps({"menpai": "journal", "version": VERSION, "fingerprint": fingerprint}).encode() + b"\n"


def _is_ours(path: Path, head: bytes, note: Note) -> bool:
    """Whether there is a journal with this first line; another one is told and thrown away."""
    if not path.exists():
        return False
    with path.open("rb") as file:
        if file.read(len(head)) == head:
            return True
    note(Problem("journal_foreign", {"path": str(path)}))
    path.unlink()
    return False


def _append(path: Path, head: bytes, payload: Any) -> None:
    """Append a line and hand it to the system, which keeps it when this process is killed."""
    body = json.dumps(payload, separators=(",", ":")).encode()
    with open(path, "ab", opener=_private) as file:
        if not file.tell():
            file.write(head)
        file.write(b"%s %s\n" % (_digest(body), body))


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


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8).hexdigest().encode()


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
