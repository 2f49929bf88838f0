"""One job after another, each in a process of its own: the loop of the service has no part in it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from menpai.errors import Language, UsageError
from menpai.serving.jobs.command import FACTS, command_of
from menpai.serving.jobs.record import Job
from menpai.serving.jobs.store import OUT, WORK, Store

LOOK_SECONDS = 30.0
"How often what is past its time is deleted."
STOP_SECONDS = 5.0
NOTES = 20
_SUMMARY = ("counts", "labels", "conflicts", "problems", "sizes", "doubts")
Environment = Callable[[str], dict[str, str]]


class Worker:
    """A thread that runs the jobs of a store. `ended` is told the kind and the outcome of each."""

    def __init__(self, store: Store, environment: Environment, ended: Callable[[str, str], None]) -> None:
        self._store, self._environment, self._ended = store, environment, ended
        self._wake, self._stopping = threading.Event(), threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._running: Job | None = None
        self._cancelled = False
        self._thread = threading.Thread(target=self._serve, name="menpai-jobs", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """There is a new job."""
        self._wake.set()

    def stop(self) -> None:
        """End the job that runs, which waits for the next start, and the thread."""
        self._stopping.set()
        self._wake.set()
        self._end(signal.SIGTERM)
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)
        self._end(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def cancel(self, job: Job) -> None:
        """End a job's process if it runs, at once."""
        if self._running is job:
            self._cancelled = True
            self._end(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    def runs(self, job: Job) -> bool:
        """Whether a job runs now."""
        return self._running is job

    @property
    def pid(self) -> int | None:
        """The process that runs a job now."""
        process = self._process
        return process.pid if process else None

    def _serve(self) -> None:
        while not self._stopping.is_set():
            self._store.expire()
            waiting = self._store.waiting()
            if waiting:
                self._run(waiting[0])
            else:
                self._wake.wait(LOOK_SECONDS)
                self._wake.clear()

    def _run(self, job: Job) -> None:
        job.state, job.attempts, job.progress, job.notes = "running", job.attempts + 1, {}, []
        self._cancelled, self._running = False, job
        try:
            self._store.save(job)
            problem, code = self._watch(job)
        except (
            Exception
        ) as error:  # the folder is gone, or no process can be started: the next job still runs
            reason = getattr(error, "strerror", None) or type(error).__name__
            problem, code = _told("job_died", job, reason=reason), 1
        finally:
            self._process = self._running = None
        if self._cancelled:
            self._ended(job.kind, "deleted")
        elif self._stopping.is_set() and code not in (0, 1):
            job.state, job.attempts = (
                "waiting",
                job.attempts - 1,
            )  # a good end of the service is no failure of the job
            self._save(job)
        else:
            self._finish(job, problem, code)

    def _watch(self, job: Job) -> tuple[dict[str, str] | None, int]:
        """Run the process to its end; what it said was wrong, and its exit code."""
        problem: dict[str, str] | None = None
        process = self._process = subprocess.Popen(
            command_of(job), cwd=self._store.folder_of(job) / WORK, env=self._environment(job.language),
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            errors="replace", start_new_session=True,
        )  # fmt: skip
        if self._stopping.is_set() or self._cancelled:
            self._end(signal.SIGTERM)
        with process:
            for line in process.stderr or ():
                said = _said(line)
                if "progress" in said:
                    job.progress = said["progress"]
                elif "problem" in said:
                    problem = said["problem"]
                elif len(job.notes) < NOTES and (text := line.strip()).startswith("menpai:"):
                    job.notes.append(text.removeprefix("menpai:").strip()[:500])
        return problem, process.returncode

    def _finish(self, job: Job, problem: dict[str, str] | None, code: int) -> None:
        folder = self._store.folder_of(job) / OUT
        if code in (0, 1) and problem is None:
            job.state, job.rows_had_problems = "done", code == 1
            job.summary = _summary(folder / FACTS)
            job.bytes += sum(each.stat().st_size for each in folder.iterdir() if each.is_file())
        else:
            job.state = "failed"
            reason = f"signal {-code}" if code < 0 else f"code {code}"
            job.problem = problem or _told("job_died", job, reason=reason)
        job.ended, job.progress = time.time(), {}
        self._save(job)
        self._ended(job.kind, job.state)

    def _save(self, job: Job) -> None:
        with contextlib.suppress(OSError):  # deleted meanwhile
            self._store.save(job)

    def _end(self, number: int) -> None:
        """Signal the process with all that it started."""
        process = self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(OSError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, number)
                else:
                    process.terminate()


def _said(line: str) -> dict[str, Any]:
    """A line of JSON from our own child; {} for what is meant for people."""
    if line.startswith("{"):
        with contextlib.suppress(ValueError):
            found = json.loads(line)
            return found if isinstance(found, dict) else {}
    return {}


def _summary(path: Path) -> dict[str, Any] | None:
    """What of a report's facts the page shows."""
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return {name: facts[name] for name in _SUMMARY}


def _told(code: str, job: Job, **details: Any) -> dict[str, str]:
    language: Language = "zh" if job.language == "zh" else "en"
    message, hint = UsageError(code, **details).render(language)
    return {"code": code, "message": message, "hint": hint}
