"""Sessions, and what must be there for one: PySpark, a Java, a folder that every executor reaches."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from menpai.errors import NotReadyError, UsageError
from menpai.settings import Settings
from menpai.tables.spark.room import Room

_NEEDED = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "4096",
    "spark.sql.legacy.javaCharsets": "true",  # for CSV in GB18030
}
"What a session of ours starts with; --conf goes over it."


def start(master: str | None = None, conf: Mapping[str, str] | None = None) -> Any:
    """The running session, or a new one; raises for a missing package or Java."""
    try:
        sql, errors = import_module("pyspark.sql"), import_module("pyspark.errors")
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="pyspark", extra="spark") from error
    builder = sql.SparkSession.builder.appName("menpai")
    for name, value in {**_NEEDED, **(conf or {})}.items():
        builder = builder.config(name, value)
    try:
        spark = (builder.master(master) if master else builder).getOrCreate()
    except errors.PySparkRuntimeError as error:
        raise NotReadyError("java_missing", reason=_first_line(error)) from error
    if spark.sparkContext.master.startswith("local"):
        spark.sparkContext.pythonExec = sys.executable  # workers on this machine: this very environment
    return spark


@contextmanager
def failures() -> Iterator[None]:
    """What Spark raises, in one line each: a query that it refuses, a job that failed for good."""
    errors, gateway = import_module("pyspark.errors"), import_module("py4j.protocol")
    try:
        yield
    except errors.AnalysisException as error:
        raise UsageError("spark_refused", reason=_first_line(error)) from error
    except (errors.PySparkException, gateway.Py4JError) as error:
        raise NotReadyError("spark_failed", reason=_first_line(error)) from error


def _first_line(error: Exception) -> str:
    """The line that says most: the error of a worker's traceback, else the innermost cause in Java, else the first."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    tracebacks = [at for at, line in enumerate(lines) if "Traceback (most recent" in line]
    behind = (
        (line for line in lines[tracebacks[-1] + 1 :] if not line.startswith(" ")) if tracebacks else iter(())
    )
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    return next(behind, causes[-1] if causes else lines[0])[:300]


def open_room(frame: Any, work: str | Room | None) -> Room:
    """The room of a run; without a folder a temporary one, where all of Spark is on this machine."""
    if isinstance(work, Room):
        return work
    spark = frame.sparkSession
    if work is None and not spark.sparkContext.master.startswith("local"):
        raise UsageError("spark_work", master=spark.sparkContext.master)
    if work is None:
        work = tempfile.mkdtemp(prefix="menpai-spark-")
        atexit.register(shutil.rmtree, work, ignore_errors=True)
        work = f"file://{work}"
    return Room(spark, work)


def settings_of(settings: Settings | None) -> Settings:
    """Those given, or those of the driver; executors have none of their own."""
    return settings or Settings.load()


def has_names(room: Room, entities: Any) -> bool:
    """Whether any entity has a name."""
    return bool(room.sql("SELECT 1 FROM {entities} WHERE name <> '' LIMIT 1", entities=entities).collect())
