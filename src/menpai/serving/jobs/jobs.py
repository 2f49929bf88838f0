"""Uploaded tables in the service: what opens, runs and ends with it. Nothing here touches the queue of /v1/match."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request

from menpai.errors import Language, MenpaiError, NotReadyError, UsageError
from menpai.serving.jobs.command import child, environment_of
from menpai.serving.jobs.record import Job, Upload
from menpai.serving.jobs.store import Store
from menpai.serving.jobs.worker import Worker
from menpai.serving.metrics import Metrics
from menpai.settings import Settings

LOOKING_SECONDS = 120
AT_ONCE = 4
"Tables that arrive at a time, and half as many that are looked at."
_GONE_SECONDS = 5.0
Around = Callable[[Starlette], contextlib.AbstractAsyncContextManager[None]]


class Jobs:
    """The store and its worker, or why there is none. `settings_now` are those of the matcher in use."""

    def __init__(
        self,
        settings: Settings,
        settings_now: Callable[[], Settings],
        metrics: Metrics,
        tell: Callable[..., None],
    ) -> None:
        self.settings, self._now, self._metrics, self._tell = settings, settings_now, metrics, tell
        self._store: Store | None = None
        self._worker: Worker | None = None
        self._refused = ""
        self._opening = asyncio.Lock()
        self.arriving, self._looking = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(AT_ONCE // 2)

    @contextlib.asynccontextmanager
    async def around(self, inner: Around, app: Starlette) -> AsyncIterator[None]:
        """Go on with the jobs of before, if there are any, while the service runs; what runs at its end waits on."""
        path = self.settings.jobs_path
        async with inner(app):
            if path is not None and os.path.isdir(path):  # Path.is_dir raises where one may not look
                with contextlib.suppress(MenpaiError):
                    await self.opened()
            try:
                yield
            finally:
                await asyncio.to_thread(self._close)

    async def opened(self) -> Store:
        """The store; the folder is made when it is first needed. Raises why no tables are taken."""
        async with self._opening:
            if self._store is None:
                try:
                    self._store = await asyncio.to_thread(self._open)
                except MenpaiError as error:
                    if error.code != self._refused:  # said once; another service that has the folder may end
                        self._refused = error.code
                        self._tell("jobs_refused", code=error.code)
                    raise
            return self._store

    async def look(self, upload: Upload, language: str, sheet: str = "") -> dict[str, Any]:
        """What stands in a table, read by a process of its own; raises what is wrong with it."""
        path = (await self.opened()).path_of(upload)
        async with self._looking:
            return await asyncio.to_thread(self._look, path, language, sheet)

    def wake(self) -> None:
        """Let the worker see a new job."""
        if self._worker is not None:
            self._worker.wake()

    async def delete(self, job: Job) -> None:
        """End a job, if it runs, and delete all of it."""
        store = await self.opened()
        await asyncio.to_thread(self._delete, store, job)

    def worker_pid(self) -> int | None:
        """The process that runs a job now."""
        return self._worker.pid if self._worker else None

    def _open(self) -> Store:
        path = self.settings.jobs_path
        if path is None:
            raise UsageError("jobs_off")
        store = Store(path, self.settings)
        try:
            waiting = store.open()
        except OSError as error:
            raise NotReadyError("file_failed", path=str(path), reason=error.strerror or error) from error
        self._metrics.watch_jobs(store.counts, store.size)
        self._worker = Worker(
            store, lambda language: environment_of(self._now(), language), self._metrics.job_ended
        )
        self._worker.start()
        self._tell("jobs_opened", waiting=len(waiting))
        return store

    def _close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
        if self._store is not None:
            self._store.close()

    def _look(self, path: Path, language: str, sheet: str) -> dict[str, Any]:
        words = [*child(), "look", path.name, sheet, str(self.settings.jobs_rows)]
        environment = environment_of(self._now(), language)
        with subprocess.Popen(
            words,
            cwd=path.parent,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            try:
                out, err = _communicate(process)
            except subprocess.TimeoutExpired:
                process.kill()
                raise UsageError("job_table_slow", seconds=LOOKING_SECONDS) from None
        if process.returncode == 0:
            found: dict[str, Any] = json.loads(out)
            return found
        raise ToldError(_problem_in(err) or _died(process.returncode))

    def _delete(self, store: Store, job: Job) -> None:
        if self._worker is not None:
            self._worker.cancel(job)
            until = time.monotonic() + _GONE_SECONDS
            while self._worker.runs(job) and time.monotonic() < until:
                time.sleep(0.02)
        store.remove(job)


class ToldError(UsageError):
    """What the process that looked at a table said was wrong, in words already."""

    def __init__(self, problem: dict[str, str]) -> None:
        self._problem = problem
        super().__init__(problem["code"])

    def render(self, language: Language = "en") -> tuple[str, str]:
        """Message and hint as they were told."""
        return self._problem["message"], self._problem["hint"]


def jobs_of(request: Request) -> Jobs:
    """The jobs of the service that a request came to."""
    jobs: Jobs = request.app.state.jobs
    return jobs


def _communicate(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """All that the process writes. Its input stays open meanwhile: it ends when that is closed."""
    assert process.stdin is not None
    stdin, process.stdin = process.stdin, None
    try:
        return process.communicate(timeout=LOOKING_SECONDS)
    finally:
        stdin.close()


def _problem_in(err: bytes) -> dict[str, str] | None:
    for line in err.decode("utf-8", "replace").splitlines():
        if line.startswith('{"problem"'):
            problem: dict[str, str] = json.loads(line)["problem"]
            return problem
    return None


def _died(code: int) -> dict[str, str]:
    message, hint = UsageError("job_died", reason=f"signal {-code}" if code < 0 else f"code {code}").render(
        "en"
    )
    return {"code": "job_died", "message": message, "hint": hint}
