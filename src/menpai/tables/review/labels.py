"""The labels of a review: JSON Lines beside the output, one answer a line, on the disk before the next question.

The fields `address_a`, `address_b`, `label` are those that `evaluate`, `calibrate` and `train` look for. A line is
appended whole; taking an answer back cuts the last line off, so the file holds nothing but answers that stand.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from menpai.errors import NotReadyError, UsageError
from menpai.search.lock import try_lock, unlock
from menpai.tables.review.pair import Pair
from menpai.verdict import LABELS

ENDING = ".labels.jsonl"
_BEGINNING = b'{"address_a": "'


class Label(NamedTuple):
    """An answer: its pair's key, the label, and the line as it stands in the file."""

    key: str
    label: str
    line: dict[str, Any]


def path_of(output: str) -> str:
    """Where the labels of an output stand."""
    return output + ENDING


class Labels:
    """The answers in a file that this process holds alone, the last of a pair for each key."""

    def __init__(self, file: int, path: str) -> None:
        self._file, self._path = file, path
        self._ends = [0]  # where the file ends without the last n lines
        self.lines = list(self._read())

    @property
    def answers(self) -> dict[str, str]:
        """Key → label."""
        return {line.key: line.label for line in self.lines}

    def add(self, pair: Pair, label: str, source: str, *, control: bool) -> None:
        """Write an answer; it survives a crash of the program and of the machine from here on."""
        line = {
            "address_a": pair.a,
            "address_b": pair.b,
            "label": label,
            "id_a": pair.id_a,
            "id_b": pair.id_b,
            "judged": pair.label,
            "similarity": pair.similarity,
            "joined": pair.joined,
            "control": control,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "key": pair.key,
            "source": source,
        }
        body = json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
        try:
            os.lseek(self._file, self._ends[-1], os.SEEK_SET)
            written = os.write(self._file, body)
            if written < len(body):
                raise OSError(28, "No space left on device")
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._ends[-1])
            raise NotReadyError(
                "review_not_saved", path=self._path, reason=error.strerror or error
            ) from error
        self._ends.append(self._ends[-1] + len(body))
        self.lines.append(Label(pair.key, label, line))

    def take_back(self) -> Label:
        """Cut the last answer off."""
        os.ftruncate(self._file, self._ends[-2])
        os.fsync(self._file)
        self._ends.pop()
        return self.lines.pop()

    def _read(self) -> Iterator[Label]:
        """The lines; one that a crash cut off in the middle is removed, a file that is none of ours is left as it is."""
        os.lseek(self._file, 0, os.SEEK_SET)
        with os.fdopen(os.dup(self._file), "rb") as stream:
            for number, body in enumerate(stream, 1):
                label = _label_of(body)
                if not body.strip():
                    self._ends[-1] += len(body)
                elif label is None and _is_cut(body, number):
                    os.ftruncate(self._file, self._ends[-1])
                elif label is None:
                    raise UsageError("review_labels_foreign", path=self._path, line=number)
                else:
                    if not body.endswith(b"\n"):  # an editor has left the last line end out
                        os.lseek(self._file, 0, os.SEEK_END)
                        body += b"\n" * os.write(self._file, b"\n")
                    self._ends.append(self._ends[-1] + len(body))
                    yield label


@contextmanager
def open_labels(path: str) -> Iterator[Labels]:
    """The labels at a path, which is made; NotReadyError if somebody else is at them."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        raise UsageError("file_failed", path=path, reason=error.strerror or error) from error
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):  # a device may have no end
            raise UsageError("file_failed", path=path, reason=os.strerror(errno.EINVAL))
        if not try_lock(file):
            raise NotReadyError("review_locked", path=path)
        try:
            yield Labels(file, path)
        finally:
            unlock(file)
    finally:
        os.close(file)


def read_labels(path: str) -> list[Label]:
    """The labels at a path, only to be read; those of a review that goes on are those given so far."""
    if not Path(path).is_file():
        raise UsageError("review_no_labels", path=path)
    found = []
    for number, body in enumerate(io.BytesIO(Path(path).read_bytes()), 1):
        label = _label_of(body)
        if label is not None:
            found.append(label)
        elif body.strip() and not _is_cut(body, number):
            raise UsageError("review_labels_foreign", path=path, line=number)
    return found


def _is_cut(body: bytes, number: int) -> bool:
    """Whether a crash has cut a line of ours off in the middle: the first of a file must look like one."""
    ours = body.startswith(_BEGINNING) or _BEGINNING.startswith(body) or not body.strip(b"\0")
    return not body.endswith(b"\n") and (number > 1 or ours)


def _label_of(body: bytes) -> Label | None:
    """A line that is whole and has the fields that are needed."""
    try:
        line = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or line.get("label") not in LABELS:
        return None
    texts = [line.get(name) for name in ("key", "address_a", "address_b", "id_a", "id_b")]
    return Label(str(line["key"]), line["label"], line) if all(isinstance(t, str) for t in texts) else None
