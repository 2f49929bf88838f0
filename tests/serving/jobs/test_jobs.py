"""From the upload to the result over HTTP: the bytes of the command line, progress, refusals, and no name in the log."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from menpai.matcher import Matcher
from menpai.settings import environment_with
from tests.serving.rig import Rig, fails, running

ROWS = "编号,地址\n1,杭州市西湖区文三路123号\n2,西湖区文三路１２３号\n3,\n4,=海月花园3幢\n"
NAME = "客户 名单.csv"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jobs") / "here"


@pytest.fixture(scope="module")
def rig(matcher: Matcher, folder: Path) -> Iterator[Rig]:
    with running(
        lambda: matcher, jobs_folder=str(folder), jobs_mb=0.2, jobs_rows=1000, jobs_per_client=2
    ) as rig:
        yield rig


def send(rig: Rig, name: str, body: bytes, **query: str) -> httpx.Response:
    response: httpx.Response = rig.run(
        rig.client.post("/v1/jobs/table", params={"name": name, **query}, content=body)
    )
    return response


def get(rig: Rig, path: str, **query: str) -> httpx.Response:
    response: httpx.Response = rig.run(rig.client.get(path, params=query))
    return response


def delete(rig: Rig, id_: str) -> httpx.Response:
    response: httpx.Response = rig.run(rig.client.request("DELETE", "/v1/jobs", params={"id": id_}))
    return response


def ended(rig: Rig, id_: str) -> dict[str, Any]:
    async def wait() -> dict[str, Any]:
        while True:
            told: dict[str, Any] = (await rig.client.get("/v1/jobs", params={"id": id_})).json()
            if told["state"] in ("done", "failed"):
                return told
            await asyncio.sleep(0.05)

    found: dict[str, Any] = rig.run(asyncio.wait_for(wait(), 60))
    return found


def test_the_result_is_that_of_the_command_line_to_the_byte(rig: Rig, tmp_path: Path, folder: Path) -> None:
    seen = send(rig, NAME, ROWS.encode("gb18030")).json()
    assert (seen["name"], seen["rows"], seen["found"]["address"]) == (NAME, 4, "地址")
    assert seen["first"][0] == ["1", "杭州市西湖区文三路123号"]
    assert seen["before"] == []
    job = rig.ask("/v1/jobs", {"kind": "dedupe", "tables": [seen["table"]]}).json()
    told = ended(rig, job["id"])
    assert told["state"] == "done", told
    assert (told["rows_had_problems"], told["result"]) == (True, "客户 名单.menpai.csv")
    assert told["summary"]["counts"]["rows"] == 4
    result = get(rig, "/v1/jobs/result", id=job["id"])
    assert "attachment" in result.headers["content-disposition"]
    (tmp_path / NAME).write_bytes(ROWS.encode("gb18030"))
    subprocess.run(
        [sys.executable, "-m", "menpai", "dedupe", NAME, "-o", "out.csv"], cwd=tmp_path, env=environment_with(language="en"),
        check=False, capture_output=True,
    )  # fmt: skip
    assert result.content == (tmp_path / "out.csv").read_bytes()
    report = get(rig, "/v1/jobs/result", id=job["id"], file="report")
    assert report.content.startswith(b"<!doctype html>")
    assert report.headers["content-type"] == "application/octet-stream"
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*"))
    assert NAME not in rig.stream.getvalue()
    assert "文三路" not in rig.stream.getvalue()
    assert rig.metric('menpai_jobs_ended_total{kind="dedupe",outcome="done"}') == 1
    assert delete(rig, job["id"]).json() == {"deleted": job["id"]}
    fails(get(rig, "/v1/jobs", id=job["id"]), 404, "job_unknown")
    assert not list((folder / "jobs").iterdir())


def bomb() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"0" * 30_000_000)
    return held.getvalue()


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        ("a.pdf", b"%PDF", 422, "table_format_unknown"),
        pytest.param("a.csv", b"%PDF-1.7", 422, "table_format_unknown", marks=pytest.mark.slow),
        pytest.param("a.csv", b"", 422, "table_empty", marks=pytest.mark.slow),
        ("a.xlsx", bomb(), 422, "archive_refused"),
        ("a.csv", b"address\n" + b"x\n" * 1001, 413, "job_too_long"),
        ("a.csv", b"x" * 200_001, 413, "body_too_large"),
    ],
)
def test_what_is_no_table_is_refused_at_once_and_leaves_nothing(
    rig: Rig, folder: Path, name: str, body: bytes, status: int, code: str
) -> None:
    fails(send(rig, name, body), status, code)
    assert not list((folder / "tables").iterdir()) if folder.exists() else True


def test_a_job_that_cannot_be_done_says_why_with_the_cure(rig: Rig) -> None:
    table = send(rig, "a.csv", b"one,two,three\n1,2,3\n").json()["table"]
    job = rig.ask("/v1/jobs", {"kind": "match", "tables": [table], "columns": {"a": "nowhere"}}).json()
    told = ended(rig, job["id"])
    assert (told["state"], told["problem"]["code"]) == ("failed", "column_missing")
    assert "nowhere" in told["problem"]["message"]
    fails(get(rig, "/v1/jobs/result", id=job["id"]), 404, "job_has_no_result")
    delete(rig, job["id"])


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "link", "tables": ["x"]}, "job_two_tables"),
        ({"kind": "dedupe", "tables": ["x"]}, "job_table_unknown"),
        ({"kind": "serve", "tables": ["x"]}, "body_invalid"),
        ({"kind": "dedupe", "tables": ["x"], "columns": {"output": "y"}}, "body_invalid"),
    ],
)
def test_a_wrong_job_is_refused(rig: Rig, body: dict[str, Any], code: str) -> None:
    fails(rig.ask("/v1/jobs", body), 422, code)


def test_a_client_has_so_many(rig: Rig) -> None:
    tables = [send(rig, "a.csv", b"address\nx1\n").json()["table"] for _ in range(2)]
    refused = send(rig, "a.csv", b"address\nx1\n")
    fails(refused, 429, "jobs_of_client")
    assert int(refused.headers["retry-after"]) > 0
    assert all(delete(rig, table).status_code == 200 for table in tables)


def test_a_service_without_a_folder_takes_none(matcher: Matcher) -> None:
    with running(lambda: matcher, jobs_folder="") as rig:
        fails(send(rig, "a.csv", b"address\n"), 403, "jobs_off")


def test_a_folder_that_cannot_be_takes_nothing_and_stops_nothing(matcher: Matcher, tmp_path: Path) -> None:
    with running(lambda: matcher, jobs_folder=str(tmp_path / ("x" * 300))) as rig:
        fails(send(rig, "a.csv", b"address\n"), 503, "file_failed")
