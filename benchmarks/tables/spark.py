"""Unit costs of `menpai.tables.spark.link`, and what a run of any size takes by them.

    python benchmarks/tables/spark.py --data DATA --left 5000 --right 50000
    python benchmarks/tables/spark.py --units units.json --plan 100000000 100000000 --cores 400

The first links the tables of scale_tables.py with two tasks at a time and counts seconds of CPU, which others on the machine
do not move: of the tasks in the JVM by Spark's event log, which has rows and bytes too, of the Python workers by Linux.
Starting up and warming up are in them, so few rows give upper bounds. The second multiplies. `asked` is the one cost that
grows with the right table: rows that the keys of a left row lead to, up to 3,000 (the budget of linkage.candidates). The plan
takes that for granted, and as many candidates and pairs a row as there may be: it is an upper bound.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "finding"))

import pyarrow as pa
from scale_tables import link_tables

from menpai.tables.linkage.candidates import BUDGET, MORE
from menpai.tables.linkage.plan import Plan
from menpai.tables.spark.linking import link
from menpai.tables.spark.room import Room
from menpai.tables.spark.session import start

# What the seconds of each stage grow with: left rows, right rows, both, rows that the keys lead to, or pairs.
GROWS = {
    "left": "left", "left-read": "left", "left-entities": "left", "left-rows": "left", "asking": "left",
    "right": "right", "right-read": "right", "right-entities": "right", "right-rows": "right", "terms": "right",
    "profiles": "right", "equal": "both", "names": "both", "hot": "left", "shared": "asked", "candidates": "kept",
    "judged": "pairs", "answers": "pairs", "chosen": "left", "links": "left", "components": "left", "out": "left",
}  # fmt: skip


def main() -> None:
    """Measure, or plan."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--left", type=int, default=5_000)
    parser.add_argument("--right", type=int, default=50_000)
    parser.add_argument("--units", type=Path)
    parser.add_argument("--plan", type=int, nargs=2, metavar=("LEFT", "RIGHT"))
    parser.add_argument("--cores", type=int, default=400)
    args = parser.parse_args()
    if args.plan:
        print(json.dumps(plan(json.loads(args.units.read_text("utf-8")), *args.plan, args.cores), indent=2))
    else:
        print(json.dumps(measure(args.data, args.left, args.right), indent=2))


def measure(data: Path, left: int, right: int) -> dict[str, Any]:
    """Rows, pairs, and of each stage the seconds of tasks, the bytes shuffled and kept."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        files = link_tables(data, work, left, right)
        log = work / "log"
        log.mkdir()
        conf = {
            "spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{log}", "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "false", "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "8",
            "spark.driver.memory": "3g", "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false",
        }  # fmt: skip
        spark = start("local[2]", conf)
        room = _Watched(spark, f"file://{work}/stages")
        frames = [spark.createDataFrame(_table(file)).repartition(8) for file in files[:2]]
        room.keep("out", link(*frames, work=room))
        counts = _counts(room)
        spark.stop()
        stages = _stages(next(log.iterdir()))
        for name, stage in stages.items():
            stage["seconds"] = round(stage["seconds"] + room.python.get(name, 0.0), 3)
            stage["kept_bytes"] = sum(
                file.stat().st_size for file in (work / "stages" / name).glob("*.parquet")
            )
        return counts | {"stages": stages}


def plan(units: dict[str, Any], left: int, right: int, cores: int) -> dict[str, Any]:
    """Core hours, hours, and bytes of two tables of these sizes."""
    ours, theirs, most = units["left"], units["right"], Plan().candidates
    scale = {"left": left / ours, "right": right / theirs, "both": (left + right) / (ours + theirs)}
    scale |= {"asked": left * BUDGET / units["asked"], "kept": left * (most + MORE) / units["kept"]}
    scale |= {"pairs": left * most / units["pairs"]}
    seconds, shuffled, kept, rows = 0.0, 0.0, 0.0, {}
    for name, stage in units["stages"].items():
        factor = scale[GROWS.get(name, "left")]
        hours = stage["seconds"] * factor / 3600
        rows[name] = {
            "core_hours": round(hours, 1),
            "shuffle_gb": round(stage["shuffle_bytes"] * factor / 1e9),
        }
        seconds += hours
        shuffled = max(shuffled, stage["shuffle_bytes"] * factor)
        kept += stage["kept_bytes"] * factor
    return {
        "core_hours": round(seconds),
        "hours": round(seconds / cores, 1),
        "largest_shuffle_tb": round(shuffled / 1e12, 2),
        "kept_tb": round(kept / 1e12, 2),
        "stages": rows,
    }


class _Watched(Room):
    """A room that knows the seconds of CPU that Python workers took for each stage."""

    def __init__(self, spark: Any, folder: str) -> None:
        super().__init__(spark, folder)
        self.python: dict[str, float] = {}

    def keep(self, name: str, frame: Any) -> Any:
        """The same, and the seconds are noted."""
        before = _python_seconds()
        kept = super().keep(name, frame)
        self.python[name] = _python_seconds() - before
        return kept


def _python_seconds() -> float:
    """Seconds of CPU of all processes below the JVM, also of those that have ended."""
    found = {int(entry.name): _stat(entry) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    below, total = {pid for pid, (parent, _) in found.items() if parent == os.getpid()}, 0.0
    while below := {pid for pid, (parent, _) in found.items() if parent in below}:
        total += sum(found[pid][1] for pid in below)
    return total


def _stat(entry: Path) -> tuple[int, float]:
    """Parent and seconds of a process."""
    try:
        fields = (entry / "stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0, 0.0
    return int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _counts(room: Room) -> dict[str, Any]:
    """Rows, keys, and pairs of the run."""

    def kept(name: str) -> Any:
        return room.spark.read.parquet(f"{room.folder}/{name}")

    room.spark.sparkContext.setJobDescription("counts")
    asked = room.sql(
        "SELECT sum(t.count) FROM (SELECT explode(rare) AS term FROM {asking}) a JOIN {terms} t ON a.term = t.term",
        asking=kept("asking"), terms=kept("terms"),
    ).collect()[0][0]  # fmt: skip
    keys = room.sql(
        "SELECT avg(size(terms)), avg(size(rare)) FROM {asking}", asking=kept("asking")
    ).collect()[0]
    return {
        "left": kept("left").count(),
        "right": kept("right").count(),
        "asking": kept("asking").count(),
        "keys_a_row": round(keys[0], 1),
        "rare_keys_a_row": round(keys[1], 1),
        "asked": asked,
        "kept": kept("shared").count(),
        "candidates": kept("candidates").count(),
        "pairs": kept("judged").count(),
    }


def _stages(log: Path) -> dict[str, dict[str, Any]]:
    """Of each stage of a run: the seconds and the bytes of its tasks, and the rows of its largest shuffle."""
    names: dict[int, str] = {}
    found: dict[str, dict[str, Any]] = {}
    records: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for event in _events(log):
        if event["Event"] == "SparkListenerStageSubmitted":
            about = event.get("Properties", {}).get("spark.job.description", "")
            names[event["Stage Info"]["Stage ID"]] = about.removeprefix("menpai: ")
        elif event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event:
            stage, metrics = event["Stage ID"], event["Task Metrics"]
            name, written = names[stage], metrics["Shuffle Write Metrics"]
            each = found.setdefault(name, {"seconds": 0.0, "shuffle_bytes": 0, "shuffle_rows": 0})
            each["seconds"] += metrics["Executor CPU Time"] / 1e9
            each["shuffle_bytes"] += written["Shuffle Bytes Written"]
            records[name][stage] += written["Shuffle Records Written"]
            each["shuffle_rows"] = max(records[name].values())
    return {name: stage for name, stage in found.items() if name in GROWS or name.startswith("stars")}


def _events(log: Path) -> Iterator[dict[str, Any]]:
    with log.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _table(file: Path) -> pa.Table:
    """A table of texts; pyarrow's reader of CSV would make numbers of them."""
    head, *rows = (line.split("\t") for line in file.read_text("utf-8").splitlines())
    return pa.table(dict(zip(head, map(list, zip(*rows, strict=True)), strict=True)))


if __name__ == "__main__":
    main()
