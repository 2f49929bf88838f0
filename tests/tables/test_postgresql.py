"""The same on a real PostgreSQL, started here and thrown away: read, written once, cut off and gone on."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy

from menpai.cli import main
from menpai.matcher import Matcher

pytestmark = pytest.mark.slow
ROWS = 2500


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """An empty database; the server refuses to run as root, so it runs as its own user."""
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"))
    folder, port = Path(tempfile.mkdtemp(prefix="menpai-pg-")), free_port()
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    if user:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, pwd.getpwnam("postgres").pw_gid)

    def call(name: str, *arguments: str) -> None:
        done = subprocess.run([programs / name, *arguments], cwd=folder, capture_output=True, **user)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr

    data = str(folder / "data")
    call("initdb", "-D", data, "-A", "trust", "-E", "UTF8", "-U", "menpai")
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    call("pg_ctl", "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    try:
        yield f"postgresql+psycopg://menpai@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def rows_of(url: str, query: str) -> list[tuple[object, ...]]:
    engine = sqlalchemy.create_engine(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.exec_driver_sql(query)]
    engine.dispose()
    return found


def test_each_row_is_there_once_whenever_the_run_was_cut_off(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = [f"{at},文三路{at}号,西湖区文三路{at + at % 2}号" for at in range(ROWS)]
    (tmp_path / "t.csv").write_text("\n".join(["id,地址1,地址2", *lines]), "utf-8")
    pairs, results = f"{url}#对", f"{url}#results"
    assert main(["parse", str(tmp_path / "t.csv"), "--column", "地址1", "-o", pairs]) == 0
    match_iter = Matcher.match_iter

    def stopping(self: Matcher, pairs: object, **options: object) -> Iterator[object]:
        for at, answer in enumerate(match_iter(self, pairs, **options)):  # type: ignore[arg-type]
            if at == 1500:
                raise KeyboardInterrupt
            yield answer

    with monkeypatch.context() as patched:
        patched.setattr(Matcher, "match_iter", stopping)
        assert main(["match", pairs, "-o", results]) == 130
    assert rows_of(url, "select count(*) from results") == [(1024,)]
    assert main(["match", pairs, "-o", results, "--language", "en"]) == 0
    assert "1024 rows are done" in capfd.readouterr().err
    assert rows_of(url, "select count(*), count(distinct id), max(menpai_row) from results") == [
        (ROWS, ROWS, ROWS)
    ]
    labels = rows_of(url, "select label, count(*) from results group by 1 order by 1")
    assert labels == [("exact_match", ROWS // 2), ("partial_match", ROWS // 2)]


def test_keys_and_clusters(url: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("id,address\n1,杭州市西湖区文三路123号\n2,杭州西湖文三路123号\n", "utf-8")
    for _ in range(2):
        assert main(["dedupe", str(tmp_path / "t.csv"), "-o", f"{url}#keyed", "--key", "id"]) == 0
    assert rows_of(url, "select id, cluster_size, is_golden from keyed order by 1") == [
        ("1", 2, True), ("2", 2, False),
    ]  # fmt: skip
