"""The work of a build that runs in processes of its own: reading chunks and building indexes.

A worker reads tasks as lines of JSON and answers each with lines of JSON, the last of which has "done". It ends when
its input does, which is when the process that started it ends, however that happens.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from menpai.errors import MenpaiError, Problem
from menpai.search.journal import write_chunk
from menpai.search.parts import load_parts
from menpai.search.reading import Reader
from menpai.search.rows import read_rows
from menpai.search.segment import open_segment
from menpai.search.values import Entry, Trouble

Task = dict[str, Any]
Told = Callable[[float], None]


def perform(task: Task, told: Told) -> dict[str, Any]:
    """Do a task here and now."""
    return _TASKS[task["task"]](task, told)


def chunk_task(path: Path, source: str, crs: str, entries: list[Entry], troubles: list[Trouble]) -> Task:
    """The task to read entries and write them as a finished chunk."""
    plain = [(t.line, t.id, t.problem.code, t.problem.details) for t in troubles]
    return {
        "task": "chunk",
        "path": str(path),
        "source": source,
        "crs": crs,
        "entries": entries,
        "troubles": plain,
    }


def index_task(segment: Path, rows: int, number: int) -> Task:
    """The task to build an index part (by its place in PARTS) of a segment."""
    return {"task": "index", "path": str(segment), "rows": rows, "number": number}


def main() -> None:
    """Answer tasks until there are no more."""
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C goes to every process; the one that started this ends it
    gc.set_threshold(100_000, 50, 50)  # what is made here by the million has no cycles
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        if not line.endswith("\n"):
            return  # who was writing it was killed
        answer: dict[str, Any]
        try:
            answer = {"done": perform(json.loads(line), lambda share: _say(answers, {"share": share}))}
        except MenpaiError as error:
            answer = {"error": error.code, "details": error.details, "family": error.family}
        except OSError as error:
            answer = {"os": error.errno, "reason": error.strerror or str(error), "path": error.filename}
        _say(answers, answer)


def _say(stream: Any, answer: dict[str, Any]) -> None:
    stream.write(json.dumps(answer, default=str) + "\n")
    stream.flush()


def _chunk(task: Task, told: Told) -> dict[str, Any]:
    source = task["source"]
    early = [
        Trouble(source, line, id_, Problem(code, details)) for line, id_, code, details in task["troubles"]
    ]
    entries = [Entry(*entry) for entry in task["entries"]]
    rows, troubles = read_rows(entries, task["crs"], source, _reader())
    write_chunk(Path(task["path"]), source, rows, sorted(early + troubles, key=lambda trouble: trouble.line))
    return {"rows": len(rows)}


def _index(task: Task, told: Told) -> dict[str, Any]:
    segment = open_segment(Path(task["path"]), task["rows"])
    part = load_parts()[task["number"]]
    folder = segment.path / part.NAME
    folder.mkdir()
    part.build(segment, folder, told)
    return {"name": part.NAME, "version": part.VERSION}


@cache
def _reader() -> Reader:
    return Reader()


_TASKS: dict[str, Callable[[Task, Told], dict[str, Any]]] = {"chunk": _chunk, "index": _index}
