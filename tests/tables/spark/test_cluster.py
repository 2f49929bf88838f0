"""Spark itself, on a cluster of two worker machines' worth of processes: the answers of the core, row for row, also where an
executor and a Python worker are killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import menpai
from menpai.cli import main
from menpai.tables import spark
from menpai.tables.linkage import candidates
from menpai.tables.linkage.reading import Chosen
from menpai.tables.spark.blocking import Caps, find_pairs
from menpai.tables.spark.room import Room
from menpai.tables.spark.rows import Reader, read
from menpai.tables.spark.session import settings_of, start
from tests.tables.spark.rows import addresses, shops

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]
# Rows are few and code is many: nothing is worth compiling.
CONF = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.memory": "640m",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.log.level": "ERROR",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",  # so that entities and pairs lie in several tasks
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    found = start("local-cluster[2,1,1024]", CONF)
    yield found
    found.stop()


@pytest.fixture
def room(session: Any, tmp_path: Path) -> Room:
    return Room(session, f"file://{tmp_path}/work")


def test_shops_are_linked_as_the_core_links_them(session: Any, room: Room) -> None:
    left, right = pa.table(shops(1200, 2)), pa.table(shops(900, 3))
    want = menpai.link(left, right)
    assert sum(each is not None for each in want.column("matched_id").to_pylist()) > 300
    frames = (session.createDataFrame(table) for table in (left, right))
    same(spark.link(*frames, work=room).toArrow(), want)


def test_clusters_are_those_of_the_core_though_workers_die(session: Any, room: Room) -> None:
    table = pa.table(addresses(2400, 4))
    want = menpai.dedupe(table)
    kept = Room.keep

    class Deadly(Room):
        """Kills a Python worker and then a whole executor while pairs are judged."""

        def keep(self, name: str, frame: Any) -> Any:
            if name != "edges":
                return kept(self, name, frame)
            killer = threading.Thread(target=_kill_both, args=(session.sparkContext.applicationId, killed))
            killer.start()
            frame = kept(self, name, frame)
            killer.join()
            return frame

    killed: list[str] = []
    got = spark.dedupe(session.createDataFrame(table), work=Deadly(session, room.folder)).toArrow()
    assert killed == ["pyspark.daemon", "CoarseGrainedExecutorBackend"]
    same(got, want)


def test_caps_and_salts_lead_to_the_pairs_of_the_core(
    session: Any, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = session.createDataFrame(pa.table(addresses(400, 5)))
    entities = read(room, "t", table, Reader("t", Chosen(), settings_of(None))).entities
    caps = Caps(budget=60, bucket=90, hot=40)
    found = find_pairs(room, entities, entities, 3, own=True, vetoed=True, near=0.0, caps=caps).toArrow()
    assert session.read.parquet(f"{room.folder}/hot").count() > 5
    rows = entities.orderBy("entity").toArrow()
    texts, ids = rows.column("address").to_pylist(), rows.column("entity").to_numpy()
    for name, value in (("BUDGET", 60), ("BUCKET", 90)):
        monkeypatch.setattr(candidates, name, value)
    monkeypatch.setattr(candidates.rare_keys, "__defaults__", (60, 90))
    want = candidates.find_pairs(texts, texts, 3, own=True, numbers=True)
    got = found.sort_by([("a", "ascending"), ("score", "descending"), ("b", "ascending")])
    assert np.array_equal(got.column("a").to_numpy(), ids[want.left])
    assert np.array_equal(got.column("b").to_numpy(), ids[want.right])
    assert np.array_equal(got.column("score").to_numpy(), want.score)


def test_files_in_and_out(session: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = pa.table(addresses(150, 6))
    parquet.write_table(table, tmp_path / "left.parquet")
    text = '编号,地址\nx,杭州市西湖区文三路1号\ny,"北京市朝阳区\n建国路8号"\n'
    (tmp_path / "right.csv").write_text(text, "gb18030")
    paths = [str(tmp_path / name) for name in ("left.parquet", "right.csv", "out")]
    options = ["--accept", "partial", "--assign", "one", "--encoding", "gb18030", "--json"]
    assert main(["spark", "link", *paths, *options]) == 1
    summary = json.loads(capfd.readouterr().out)
    assert (summary["left_rows"], summary["problems"]) == (150, 4)
    right = pa.table({"编号": ["x", "y"], "地址": ["杭州市西湖区文三路1号", "北京市朝阳区\n建国路8号"]})
    same(parquet.read_table(paths[2]), menpai.link(table, right, accept="partial", assign="one"))
    assert not (tmp_path / "out-work").exists()
    assert main(["spark", "link", *paths]) == 2
    assert "exists already" in capfd.readouterr().err
    (tmp_path / "long.csv").write_text("id,address\n1,文三路1号,more\n", "utf-8")
    assert main(["spark", "dedupe", str(tmp_path / "long.csv"), str(tmp_path / "l")]) == 3
    assert "MALFORMED" in capfd.readouterr().err.upper()
    lines = tmp_path / "m.jsonl"
    assert main(["spark", "match", paths[0], str(lines), "--a", "address", "--b", "address"]) == 1
    judged = [
        json.loads(line) for part in lines.glob("*.json") for line in part.read_text("utf-8").splitlines()
    ]
    assert [row["id"] for row in judged] == table.column("id").to_pylist()
    assert all(row.keys() == judged[0].keys() and "problem" in row for row in judged)
    capfd.readouterr()
    assert main(["spark", "match", paths[0], str(tmp_path / "m"), "--a", "address", "--b", "adress"]) == 2
    assert "adress" in capfd.readouterr().err
    assert main(["spark", "dedupe", str(tmp_path / "none"), str(tmp_path / "d")]) == 2
    assert "PATH_NOT_FOUND" in capfd.readouterr().err


def test_merges_that_are_too_large_are_told(
    session: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    parquet.write_table(pa.table(addresses(90, 7)), tmp_path / "t.parquet")
    said = []
    table, alone, on_spark = (str(tmp_path / name) for name in ("t.parquet", "alone.parquet", "spark"))
    for command in (["dedupe", table, "-o", alone], ["spark", "dedupe", table, on_spark]):
        assert main([*command, "--largest", "2", "--json"]) == 1
        summary = json.loads(capfd.readouterr().out)
        giants = sorted(giant["spellings"] for giant in summary["giants"])
        said.append((summary["rows"], summary["clusters"], summary["problems"], giants))
    assert said[0] == said[1]
    assert said[0][3]


def test_two_columns_are_matched(session: Any) -> None:
    table = pa.table(
        {"a": ["文三路1号", "文三路1号", None], "b": ["文三路1号", "文三路3号", "x"], "n": [1, 2, 3]}
    )
    got = spark.match(session.createDataFrame(table), "a", "b").toArrow()
    same(got, menpai.Matcher.open().match_table(table, "a", "b"))


def test_without_java_it_says_so(tmp_path: Path) -> None:
    script = "import sys; from menpai.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "spark", "match", "x", "y", "--a", "a", "--b", "b"]
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("bash", "dirname", "env", "sh"):
        (tools / name).symlink_to(
            next(path for path in ("/bin", "/usr/bin") if Path(path, name).exists()) + f"/{name}"
        )
    done = subprocess.run(command, env={"PATH": str(tools)}, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "openjdk-17-jre-headless" in done.stderr


def same(got: Any, want: Any) -> None:
    """Columns, rows and their order."""
    assert got.column_names == want.column_names
    for name in want.column_names:
        assert got.column(name).to_pylist() == want.column(name).to_pylist(), name


def _kill_both(application: str, killed: list[str]) -> None:
    """A Python worker of an executor, and when another one works, the executor."""
    for name, chosen in (("pyspark.daemon", _workers), ("CoarseGrainedExecutorBackend", _executors)):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if found := chosen(application):
                os.kill(found[0], signal.SIGKILL)
                killed.append(name)
                break
            time.sleep(0.02)
        time.sleep(0.3)


def _executors(application: str) -> list[int]:
    return [
        pid for pid, line in _processes() if "CoarseGrainedExecutorBackend" in line and application in line
    ]


def _workers(application: str) -> list[int]:
    """The Python workers: children of the daemons that the executors started."""
    parents = {pid: _parent(pid) for pid, _ in _processes()}
    executors = set(_executors(application))
    daemons = {pid for pid, parent in parents.items() if parent in executors}
    return [pid for pid, parent in parents.items() if parent in daemons]


def _processes() -> Iterator[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield int(entry.name), (entry / "cmdline").read_text("utf-8", "replace")
            except OSError:  # it has ended
                continue


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
    except OSError:
        return 0
