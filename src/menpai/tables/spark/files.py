"""Tables as Spark reads and writes them: Parquet, CSV, JSON Lines, by the ending; and what a run came to."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import numpy as np

from menpai.errors import UsageError
from menpai.tables.linkage.coverage import coverage_of
from menpai.tables.linkage.plan import Plan
from menpai.tables.spark.deduping import GIANT
from menpai.tables.spark.room import Room

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_CSV = {"quote": '"', "escape": '"', "multiLine": "true", "mode": "FAILFAST"}
_LINES = (".jsonl", ".ndjson", ".json")
_SHOWN = 100
"Giants that are told, the largest first."


def read_frame(spark: Any, path: str, encoding: str = "UTF-8") -> Any:
    """The frame of a path or folder; a name without an ending is Parquet. All cells of a CSV are texts; a row with too few or
    too many cells ends the run, for Spark would drop what is too much."""
    ending = PurePosixPath(path.rstrip("/")).suffix.lower()
    if ending in _DELIMITERS:
        options = {"header": "true", "sep": _DELIMITERS[ending], "encoding": encoding} | _CSV
        return spark.read.options(**options).csv(path)
    if ending in _LINES:
        return spark.read.json(path)
    if ending in ("", ".parquet", ".pq"):
        return spark.read.parquet(path)
    raise UsageError("spark_format", path=path, known=", ".join((*_DELIMITERS, *_LINES)))


def check_output(spark: Any, path: str) -> None:
    """Raise for a format that is not written, and for a folder that is there already, before the work."""
    if PurePosixPath(path.rstrip("/")).suffix.lower() not in ("", ".parquet", ".pq", *_LINES):
        raise UsageError("spark_format", path=path, known=", ".join(_LINES))
    place = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
    if place.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).exists(place):
        raise UsageError("spark_exists", path=path)


def write_frame(frame: Any, path: str) -> None:
    """The frame as a folder of files in its order; the file _SUCCESS says that all are there."""
    lines = PurePosixPath(path.rstrip("/")).suffix.lower() in _LINES
    writer = frame.write.format("json" if lines else "parquet").mode("errorifexists")
    writer.option("ignoreNullFields", "false").save(path)


def summary_of_links(room: Room, frame: Any, matched: str) -> dict[str, Any]:
    """Rows, links, problems and stages of a run."""
    columns = "count(*) AS rows, count(problem) AS problems"
    (rows,) = room.sql(f"SELECT {columns} FROM {{rows}}", rows=_kept(room, "left-rows")).collect()
    joined = _kept(room, "links").where("joined")
    counts = joined.groupBy("depth").count().collect()
    depths, times = np.array([tuple(row) for row in counts], np.int64).reshape(-1, 2).T
    return {
        "left_rows": rows["rows"],
        "linked": frame.where(f"`{matched}` IS NOT NULL").count(),
        "problems": rows["problems"],
        "pairs_compared": _kept(room, "answers").count(),
        "coverage": round(coverage_of(depths, Plan().candidates, times), 4),
        "stages": _stages(room),
    }


def summary_of_clusters(room: Room) -> dict[str, Any]:
    """Rows, clusters, problems, merges that were too large, and stages of a run."""
    columns = "count(*) AS rows, count(problem) AS problems"
    (rows,) = room.sql(f"SELECT {columns} FROM {{rows}}", rows=_kept(room, "table-rows")).collect()
    clusters = _kept(room, "clusters")
    giants = clusters.where(f"rule = '{GIANT}'").orderBy("size", "cluster_id", ascending=[False, True])
    return {
        "rows": rows["rows"],
        "clusters": clusters.where("entity IS NOT NULL").select("cluster_id").distinct().count(),
        "problems": rows["problems"],
        "pairs_compared": _kept(room, "edges").count(),
        "giants": [
            {"cluster_id": row["cluster_id"], "spellings": row["size"]} for row in giants.take(_SHOWN)
        ],
        "stages": _stages(room),
    }


def _kept(room: Room, name: str) -> Any:
    return room.spark.read.parquet(f"{room.folder}/{name}")


def _stages(room: Room) -> list[dict[str, Any]]:
    return [{"name": stage.name, "seconds": round(stage.seconds, 3)} for stage in room.stages]
