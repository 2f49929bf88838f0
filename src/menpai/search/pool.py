"""Processes that do the work of a build, each fed by a thread; none where the work is small."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from menpai.errors import BrokenArtefactError, MenpaiError, NotReadyError, UsageError
from menpai.search.worker import Task, Told, perform

_FAMILIES = {error.family: error for error in (UsageError, NotReadyError, BrokenArtefactError)}
_START = (
    "import json,sys; sys.path[:] = json.loads(sys.argv[1]); from menpai.search.worker import main; main()"
)
T = TypeVar("T")


class Pool:
    """Up to `workers` processes, started when they are first needed; with 0 or 1 the work is done in this one.

    They are plain children that import no main module, so that a script needs no guard; closing ends them.
    """

    def __init__(self, workers: int) -> None:
        self.workers = 0 if workers <= 1 or getattr(sys, "frozen", False) else workers
        self._threads = ThreadPoolExecutor(max(1, self.workers), "menpai-build") if self.workers else None
        self._mine = threading.local()
        self._children: list[subprocess.Popen[str]] = []
        self._closing = False

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        for child in self._children:
            child.kill()
        if self._threads:
            self._threads.shutdown(cancel_futures=True)
        for child in self._children:
            child.wait()
            for stream in (child.stdin, child.stdout):
                if stream:
                    with contextlib.suppress(OSError):  # what was not yet written has nobody to read it
                        stream.close()

    def map(self, tasks: Iterable[Task], told: Callable[[int, float], None] | None = None) -> Iterator[Any]:
        """The answers in the order of the tasks, which are drawn as they can be worked on; told(number, share)."""
        if not self._threads:
            for number, task in enumerate(tasks):
                yield perform(task, _telling(told, number))
            return
        waiting: deque[Future[Any]] = deque()
        for number, task in enumerate(tasks):
            waiting.append(self._threads.submit(self._ask, task, _telling(told, number)))
            if len(waiting) > 2 * self.workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _ask(self, task: Task, told: Told) -> Any:
        """The answer of this thread's process."""
        child = self._child()
        if child.stdin is None or child.stdout is None:
            raise NotReadyError("library_worker", reason="no pipe")
        try:
            child.stdin.write(json.dumps(task) + "\n")
            child.stdin.flush()
            for line in child.stdout:
                answer = json.loads(line)
                if "share" not in answer:
                    return _answer(answer)
                told(answer["share"])
        except BrokenPipeError:
            pass
        raise NotReadyError("library_worker", reason=f"exit code {child.wait()}")

    def _child(self) -> subprocess.Popen[str]:
        child = getattr(self._mine, "child", None)
        if child is None:
            command = [sys.executable, "-c", _START, json.dumps(sys.path)]
            child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1 << 20
            )
            self._children.append(child)
            self._mine.child = child
            if self._closing:
                child.kill()
        return child


def _telling(told: Callable[[int, float], None] | None, number: int) -> Told:
    return (lambda share: told(number, share)) if told else (lambda share: None)


def _answer(answer: dict[str, Any]) -> Any:
    if "done" in answer:
        return answer["done"]
    if "error" in answer:
        family: type[MenpaiError] = _FAMILIES[answer["family"]]
        raise family(answer["error"], **answer["details"])
    raise OSError(answer["os"], answer["reason"], answer["path"])
