"""Stages of a run as Parquet files, in a folder that the driver and every executor reach.

Nothing is computed twice, a lost executor costs the tasks of one stage, and ids that depend on how rows were sorted
are read back as they were given. Spark's own checkpoints would do the same without schemas or names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Work = Callable[[Iterator[Any]], Iterator[Any]]


class Kept(NamedTuple):
    """A stage that is done: its name, and the seconds that it took."""

    name: str
    seconds: float


class Room:
    """The folder, and the session that works in it."""

    def __init__(self, spark: Any, folder: str) -> None:
        self.spark, self.folder = spark, folder.rstrip("/")
        self.stages: list[Kept] = []

    def sql(self, query: str, **frames: Any) -> Any:
        """The frame of a query over frames, which it names in braces."""
        return self.spark.sql(query, **frames)

    def keep(self, name: str, frame: Any) -> Any:
        """The frame as it is in the folder, once it is written there."""
        started = time.perf_counter()
        self.spark.sparkContext.setJobDescription(f"menpai: {name}")
        path = f"{self.folder}/{name}"
        frame.write.mode("overwrite").parquet(path)
        self.stages.append(Kept(name, time.perf_counter() - started))
        return self.spark.read.schema(frame.schema).parquet(path)

    def clear(self) -> None:
        """Remove the folder."""
        path = self.spark.sparkContext._jvm.org.apache.hadoop.fs.Path(self.folder)
        path.getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration()).delete(path, True)
