"""The folder of jobs: owners, limits, ends, and what is found again after a restart."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from menpai.errors import MenpaiError, NotReadyError
from menpai.serving.jobs.command import command_of, environment_of
from menpai.serving.jobs.record import Job, Upload
from menpai.serving.jobs.store import ATTEMPTS, WORK, Store
from menpai.settings import Settings

ME, OTHER = "key:me", "key:other"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "jobs", Settings(jobs_per_client=3, jobs_waiting=2, jobs_folder_mb=1))
    store.open()
    yield store
    store.close()


def put(store: Store, name: str = "客户.csv", owner: str = ME, content: bytes = b"address\n") -> Upload:
    upload, path = store.begin(owner, name, len(content))
    path.write_bytes(content)
    upload.bytes = len(content)
    return upload


def start(store: Store, owner: str = ME, **more: Any) -> Job:
    job = Job(
        f"job-{len(store.waiting())}-{time.monotonic_ns()}",
        owner,
        "dedupe",
        "en",
        [],
        {},
        time.time(),
        **more,
    )
    store.add(job, [put(store, owner=owner)])
    return job


def code(call: Any, *arguments: Any) -> str:
    with pytest.raises(MenpaiError) as caught:
        call(*arguments)
    return caught.value.code


def test_a_job_takes_its_tables_and_only_its_owner_sees_it(store: Store) -> None:
    left, right = put(store), put(store)
    job = Job("j", ME, "link", "zh", [], {}, time.time())
    store.add(job, [left, right])
    assert job.tables == ["客户.csv", "right/客户.csv"]
    assert all((store.folder_of(job) / WORK / name).is_file() for name in job.tables)
    assert store.job("j", ME) is job
    assert code(store.job, "j", OTHER) == code(store.job, "x", ME) == "job_unknown"
    assert code(store.upload, left.id, ME) == "job_table_unknown"


def test_without_keys_who_knows_the_id_may_have_it(store: Store) -> None:
    upload = put(store, owner="10.0.0.1")
    assert store.upload(upload.id, "10.0.0.2") is upload


def test_limits(store: Store) -> None:
    assert code(store.begin, ME, "a.csv", 2_000_000) == "jobs_full"
    for _ in range(2):
        start(store)
    with pytest.raises(NotReadyError) as caught:
        start(store)
    assert (caught.value.code, caught.value.details["retry_after"] > 0) == ("jobs_full", True)
    assert code(put, store) == "jobs_of_client"
    assert put(store, owner=OTHER).owner == OTHER


def test_nobody_else_can_read_anything(store: Store) -> None:
    start(store)
    put_ = put(store)
    for path in store.folder.rglob("*"):
        mode = stat.S_IMODE(path.stat().st_mode)
        if path.name != "客户.csv":  # written by this test
            assert mode & 0o077 == 0, path
    assert stat.S_IMODE(store.path_of(put_).parent.stat().st_mode) == 0o700


def test_everything_has_an_end(store: Store) -> None:
    job, waiting, upload = start(store), start(store), put(store)
    job.state, job.ended = "done", time.time()
    store.expire(time.time() + 23 * 3600)
    assert code(store.upload, upload.id, ME) == "job_table_unknown"
    assert store.job(job.id, ME)
    store.expire(time.time() + 25 * 3600)
    assert code(store.job, job.id, ME) == "job_unknown"
    assert not store.folder_of(job).exists()
    assert store.job(waiting.id, ME)


def test_after_a_restart_jobs_go_on_but_not_for_ever(store: Store) -> None:
    running, often, done = start(store), start(store), None
    running.state, running.attempts = "running", 1
    often.state, often.attempts = "running", ATTEMPTS
    for job in (running, often):
        store.save(job)
    (store.folder / "jobs" / "half").mkdir()
    put(store)
    store.close()
    again = Store(store.folder, Settings())
    assert [job.id for job in again.open()] == [running.id]
    failed = again.job(often.id, ME)
    assert (failed.state, (failed.problem or {})["code"]) == ("failed", "job_interrupted")
    assert not list((store.folder / "tables").iterdir())
    assert not (store.folder / "jobs" / "half").exists()
    assert done is None
    again.close()


def test_one_service_has_the_folder(store: Store) -> None:
    assert code(Store(store.folder, Settings()).open) == "jobs_busy"


def test_a_value_is_never_taken_for_an_option() -> None:
    job = Job(
        "j",
        ME,
        "link",
        "en",
        ["a.csv", "right/b.csv"],
        {"address": "--output=/tmp/x", "right-name": "-x"},
        0.0,
    )
    words = command_of(job)
    assert words[4:7] == ["link", "a.csv", "right/b.csv"]
    assert "--address=--output=/tmp/x" in words
    assert [word for word in words if word.startswith("--output=")] == ["--output=../out/a.menpai.csv"]
    assert "-P" in words  # no module is taken from the folder of the tables


def test_a_job_judges_as_the_service_and_knows_no_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MENPAI_API_KEY", "s3cret")
    monkeypatch.setenv("MENPAI_CONFIG", "somewhere.toml")
    found = environment_of(Settings(max_length=77, cascade=False, pack="menpai-mini", api_key="s3cret"), "zh")
    assert "s3cret" not in str(found)
    assert "MENPAI_CONFIG" not in found
    again = Settings.load(env={name: value for name, value in found.items() if name.startswith("MENPAI_")})
    assert (again.max_length, again.cascade, again.language, again.threads) == (77, False, "zh", 1)
