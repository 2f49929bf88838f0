"""Tables and jobs in a folder of their own: files for the owner alone, limits, an end for each, found again after a restart."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from menpai.errors import NotReadyError, UsageError
from menpai.search.lock import try_lock, unlock
from menpai.serving.cache.secret import private_folder
from menpai.serving.jobs.names import clean_name
from menpai.serving.jobs.record import Job, Upload
from menpai.settings import Settings

RETRY_SECONDS = 60
TABLE_HOURS = 1.0
"How long a table waits for its job."
ATTEMPTS = 3
"Starts of a job that restarts of the service may interrupt."
RECORD, WORK, OUT = "job.json", "work", "out"
_MEGABYTE = 1_000_000
_FREE = 200 * _MEGABYTE
"Room on the disk that uploads leave alone."


class Store:
    """All tables and jobs; every method may be called from any thread."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self._settings = folder, settings
        self._lock = threading.RLock()
        self._uploads: dict[str, Upload] = {}
        self._jobs: dict[str, Job] = {}
        self._handle: int | None = None

    def open(self) -> list[Job]:
        """Take the folder for this process alone, and find what is there; jobs that were running wait again, or failed."""
        private_folder(self.folder)
        handle = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        if not try_lock(handle):
            os.close(handle)
            raise NotReadyError("jobs_busy", path=str(self.folder))
        self._handle = handle
        for name in ("tables", "jobs"):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
        for left in (self.folder / "tables").iterdir():  # whose upload nobody can go on with
            shutil.rmtree(left, ignore_errors=True)
        for folder in (self.folder / "jobs").iterdir():
            self._find(folder)
        return self.waiting()

    def close(self) -> None:
        """Let go of the folder."""
        if self._handle is not None:
            unlock(self._handle)
            os.close(self._handle)
            self._handle = None

    def begin(self, owner: str, given: str, announced: int) -> tuple[Upload, Path]:
        """A place for a table that is going to arrive; raises for a wrong name, and where there is no room for it."""
        name = clean_name(given)
        with self._lock:
            self._check_room(owner, announced)
            upload = Upload(secrets.token_urlsafe(16), owner, name, time.time(), announced)
            (self.folder / "tables" / upload.id).mkdir(mode=0o700)
            self._uploads[upload.id] = upload
        return upload, self.path_of(upload)

    def path_of(self, upload: Upload) -> Path:
        """Where a table stands."""
        return self.folder / "tables" / upload.id / upload.name

    def upload(self, id_: str, owner: str) -> Upload:
        """A table of this client; UsageError for any other."""
        with self._lock:
            found = self._uploads.get(id_)
            if found is None or not _may(found.owner, owner):
                raise UsageError("job_table_unknown", id=id_[:30])
            return found

    def add(self, job: Job, uploads: Iterable[Upload]) -> None:
        """A new job, which takes its tables along; raises where too many wait."""
        with self._lock:
            if len(self.waiting()) >= self._settings.jobs_waiting:
                raise NotReadyError("jobs_full", retry_after=RETRY_SECONDS)
            work = self.folder_of(job) / WORK
            for folder in (self.folder_of(job), work, self.folder_of(job) / OUT):
                folder.mkdir(mode=0o700)
            for number, upload in enumerate(uploads):
                target = work / upload.name if not number else work / "right" / upload.name
                target.parent.mkdir(mode=0o700, exist_ok=True)
                self.path_of(upload).replace(target)
                job.tables.append(upload.name if not number else f"right/{upload.name}")
                job.bytes += upload.bytes
                self.drop(upload)
            self._jobs[job.id] = job
            self.save(job)

    def job(self, id_: str, owner: str) -> Job:
        """A job of this client; UsageError for any other."""
        with self._lock:
            found = self._jobs.get(id_)
            if found is None or not _may(found.owner, owner):
                raise UsageError("job_unknown", id=id_[:30])
            return found

    def folder_of(self, job: Job) -> Path:
        """The folder of a job."""
        return self.folder / "jobs" / job.id

    def save(self, job: Job) -> None:
        """Write the record, whole or not at all."""
        path = self.folder_of(job) / RECORD
        part = path.with_suffix(".part")
        with open(part, "wb", opener=_private) as stream:
            stream.write(msgspec.json.encode(job))
        part.replace(path)

    def waiting(self) -> list[Job]:
        """The jobs that wait, the oldest first."""
        with self._lock:
            return sorted(
                (job for job in self._jobs.values() if job.state == "waiting"), key=lambda job: job.created
            )

    def counts(self) -> dict[str, int]:
        """How many jobs are in each state."""
        with self._lock:
            states = [job.state for job in self._jobs.values()]
        return {state: states.count(state) for state in ("waiting", "running", "done", "failed")}

    def size(self) -> int:
        """Bytes of all tables and results."""
        with self._lock:
            return sum(each.bytes for each in self._uploads.values()) + sum(
                job.bytes for job in self._jobs.values()
            )

    def drop(self, upload: Upload) -> None:
        """Delete a table."""
        with self._lock:
            self._uploads.pop(upload.id, None)
        shutil.rmtree(self.folder / "tables" / upload.id, ignore_errors=True)

    def remove(self, job: Job) -> None:
        """Delete a job with all its files."""
        with self._lock:
            self._jobs.pop(job.id, None)
        shutil.rmtree(self.folder_of(job), ignore_errors=True)

    def expire(self, now: float | None = None) -> None:
        """Delete what is past its time; jobs that wait or run are not."""
        now = time.time() if now is None else now
        with self._lock:
            uploads = [each for each in self._uploads.values() if now - each.created > TABLE_HOURS * 3600]
            jobs = [job for job in self._jobs.values() if job.ended and now >= self.expires(job)]
        for upload in uploads:
            self.drop(upload)
        for job in jobs:
            self.remove(job)

    def expires(self, job: Job) -> float:
        """When a job that has ended is deleted."""
        return job.ended + self._settings.jobs_hours * 3600

    def _find(self, folder: Path) -> None:
        try:
            job = msgspec.json.decode((folder / RECORD).read_bytes(), type=Job)
        except (OSError, ValueError):  # cut off while it was made
            shutil.rmtree(folder, ignore_errors=True)
            return
        if job.state == "running":
            job.state = "waiting"
        if job.state == "waiting" and job.attempts >= ATTEMPTS:
            job.state, job.ended = "failed", time.time()
            message, hint = UsageError("job_interrupted", count=job.attempts).render(
                "en" if job.language == "en" else "zh"
            )
            job.problem = {"code": "job_interrupted", "message": message, "hint": hint}
        self._jobs[job.id] = job
        self.save(job)

    def _check_room(self, owner: str, size: int) -> None:
        owners = [each.owner for each in self._uploads.values()] + [job.owner for job in self._jobs.values()]
        mine = owners.count(owner)
        if mine >= self._settings.jobs_per_client:
            raise NotReadyError("jobs_of_client", count=mine, retry_after=RETRY_SECONDS)
        free = _FREE
        with contextlib.suppress(OSError):
            free = shutil.disk_usage(self.folder).free - size
        if self.size() + size > self._settings.jobs_folder_mb * _MEGABYTE or free < _FREE:
            raise NotReadyError("jobs_full", retry_after=RETRY_SECONDS)


def _may(owner: str, asking: str) -> bool:
    """With keys a job belongs to its key; without, whoever knows its id may have it."""
    return owner == asking or not owner.startswith("key:")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
