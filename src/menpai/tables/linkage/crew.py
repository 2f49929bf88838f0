"""Worker processes that judge batches: plain children that import no main module, so that a script needs no guard.

A child that dies is replaced once for its batch, which is then judged again; answers do not depend on who gives them.
Batches and outcomes go through pipes as lines of JSON. Ctrl-C reaches the parent, and leaving ends the children.
"""

from __future__ import annotations

import contextlib
import gc
import json
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

from menpai.errors import NotReadyError
from menpai.matcher import Matcher
from menpai.packs import open_pack
from menpai.settings import Settings
from menpai.tables.journal import PairJournal
from menpai.tables.linkage.judging import Batch, Outcome, batch_from, judge, outcome_from
from menpai.tables.linkage.threads import ordered

_START = "import json,sys; sys.path[:] = json.loads(sys.argv[1]); from menpai.tables.linkage.crew import main; main()"
_READINGS, _READINGS_MB = 20_000, 128.0
"What a child remembers: batches are ordered so that neighbours share their addresses."
_LEAST = 40_000
"Pairs below which starting children takes longer than it saves."
_TRIES = 2
_Task = tuple[Batch, Outcome | None]
"A batch, and what was kept of it."


def judge_all(
    batches: Iterable[Batch],
    matcher: Matcher,
    workers: int,
    pairs: int,
    journal: PairJournal | None = None,
    least: int | None = None,
) -> Iterator[Outcome]:
    """The outcome of each batch, in order: judged here, or by `workers` children if there are `least` pairs. What the
    journal has is not judged again, and it keeps what is; it is asked and told by the caller's thread, in order."""
    journal, keys = journal or PairJournal(), deque[str]()
    few = pairs < (_LEAST if least is None else least)

    def drawn() -> Iterator[_Task]:
        for batch in batches:
            keys.append(journal.key(batch))
            kept = journal.find(keys[-1])
            yield batch, None if kept is None else outcome_from(kept)

    answers: Iterator[tuple[Outcome, bool]]
    with ExitStack() as stack:
        if workers <= 1 or few or getattr(sys, "frozen", False) or not _reopens(matcher):
            answers = ((kept or judge(batch, matcher), kept is None) for batch, kept in drawn())
        else:
            answers = stack.enter_context(Crew(workers, matcher.settings)).map(drawn())
        for outcome, fresh in answers:
            key = keys.popleft()
            if fresh:
                journal.keep(key, outcome)
            yield outcome


def _reopens(matcher: Matcher) -> bool:
    """Whether a child that has the settings alone opens the same pack."""
    with contextlib.suppress(Exception):
        return open_pack(matcher.settings.pack).digest == matcher.pack.digest
    return False


class Crew:
    """`workers` children, each with a matcher of these settings and one thread."""

    def __init__(self, workers: int, settings: Settings) -> None:
        room = {"readings": _READINGS, "readings_mb": _READINGS_MB}
        self._hello = json.dumps(asdict(settings.replace(threads=1, **room)))
        self._workers = workers
        self._mine = threading.local()
        self._children: set[subprocess.Popen[str]] = set()
        self._closing = False

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        for child in list(self._children):
            _end(child)

    def map(self, tasks: Iterable[_Task]) -> Iterator[tuple[Outcome, bool]]:
        """The outcomes, and whether each was judged now, in the order of the tasks, drawn as they can be worked on."""
        answers = ordered(self._ask, tasks, self._workers)
        try:
            yield from answers
        finally:
            self.__exit__()
            answers.close()  # type: ignore[attr-defined]

    def _ask(self, task: _Task) -> tuple[Outcome, bool]:
        """The answer of this thread's child, or of the one that takes its place."""
        batch, kept = task
        if kept is not None:
            return kept, False
        line = json.dumps(batch, ensure_ascii=False)
        code: int | None = None
        for _ in range(_TRIES):
            child = self._child()
            with contextlib.suppress(OSError):
                answer = _asked(child, line)
                if answer:
                    return outcome_from(json.loads(answer)), True
            code = _end(child)
            self._children.discard(child)
            self._mine.child = None
            if self._closing:
                break
        raise NotReadyError("link_worker", reason=f"exit code {code}")

    def _child(self) -> subprocess.Popen[str]:
        child: subprocess.Popen[str] | None = getattr(self._mine, "child", None)
        if child is None:
            child = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1 << 20,
            )  # fmt: skip
            self._children.add(child)
            self._mine.child = child
            if self._closing:
                child.kill()
            with contextlib.suppress(OSError):  # one that is dead already is noticed when it is asked
                _write(child, self._hello)
        return child


def _write(child: subprocess.Popen[str], line: str) -> None:
    if child.stdin is not None:
        child.stdin.write(line + "\n")
        child.stdin.flush()


def _asked(child: subprocess.Popen[str], line: str) -> str:
    _write(child, line)
    return child.stdout.readline() if child.stdout is not None else ""


def _end(child: subprocess.Popen[str]) -> int:
    """End a child and close its pipes; its exit code, of its own or by the signal."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(0.05)
    child.kill()
    code = child.wait()
    for stream in (child.stdin, child.stdout):
        if stream:
            with contextlib.suppress(OSError):  # what was not yet written has nobody to read it
                stream.close()
    return code


def main() -> None:
    """The child: the first line is the settings, each further one a batch that is answered by a line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to every process; the parent ends this one
    gc.set_threshold(100_000, 50, 50)  # what is made here by the million has no cycles
    lines = (line.decode("utf-8") for line in sys.stdin.buffer)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    given: dict[str, Any] = json.loads(next(lines))
    matcher = Matcher.open(settings=Settings(**given))
    for line in lines:
        outcome = judge(batch_from(json.loads(line)), matcher)
        answers.write(json.dumps(outcome, ensure_ascii=False).encode() + b"\n")
        answers.flush()
