"""The journal of a build: chunks that are finished, so that a build that was killed goes on where it was."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from menpai.errors import Problem
from menpai.search.columns import Numbers, open_numbers
from menpai.search.files import remove_tree, walk
from menpai.search.manifest import JOURNAL
from menpai.search.rows import Row, write_segment
from menpai.search.segment import Segment, open_segment
from menpai.search.values import Trouble

_PLAN = "plan.json"
_DONE = "chunk.json"


class Journal:
    """The chunks of one plan, in a folder that another plan does not share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, library: Path, plan: Mapping[str, Any]) -> Journal:
        """The journal that an earlier run with the same plan left, else a new one; others are removed."""
        root = library / JOURNAL
        wanted = json.loads(json.dumps(plan))
        found = None
        for folder in sorted(root.iterdir()) if root.is_dir() else ():
            if found is None and _read(folder / _PLAN) == wanted:
                found = folder
            else:
                remove_tree(folder)
        if found is None:
            found = root / secrets.token_hex(4)
            found.mkdir(parents=True)
            (found / _PLAN).write_text(json.dumps(wanted), "utf-8")
        return cls(found)

    def is_finished(self, number: int) -> bool:
        """Whether this chunk is there, undamaged. A damaged one is removed."""
        path = self.path(number)
        done = _read(path / _DONE)
        if done is None:
            return False
        if done["sums"] == _sums(path):
            return True
        remove_tree(path)
        return False

    def chunk(self, number: int) -> tuple[Callable[[], Segment], Numbers, str]:
        """What opens a finished chunk, the line of each of its rows, and its source."""
        path = self.path(number)
        done = _read(path / _DONE)
        rows: int = done["rows"]
        lines = open_numbers(path, "lines")
        opened = partial(open_segment, path, rows)
        return opened, np.zeros(rows, np.uint32) if lines is None else lines.copy(), done["source"]

    def troubles(self, number: int) -> Iterator[Trouble]:
        """What was wrong with entries of a chunk."""
        for source, line, id_, code, details in _read(self.path(number) / _DONE)["troubles"]:
            yield Trouble(source, line, id_, Problem(code, details))

    def remove(self) -> None:
        """Delete the journal, when its chunks have become segments or cannot."""
        remove_tree(self.folder.parent)

    def path(self, number: int) -> Path:
        """The folder of a finished chunk."""
        return self.folder / f"{number:06}"


def write_chunk(path: Path, source: str, rows: Sequence[Row], troubles: Sequence[Trouble]) -> None:
    """A chunk that is finished at once or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    remove_tree(part)
    write_segment(part, rows)
    told = [(t.source, t.line, t.id, t.problem.code, t.problem.details) for t in troubles]
    done = {"rows": len(rows), "source": source, "troubles": told, "sums": _sums(part)}
    (part / _DONE).write_text(json.dumps(done), "utf-8")
    with contextlib.suppress(OSError):  # an orphan of a killed run was quicker: the same rows
        part.rename(path)
    remove_tree(part)


def _sums(path: Path) -> dict[str, int]:
    return {file.name: zlib.crc32(file.read_bytes()) for file in walk(path) if file.name != _DONE}


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
