"""The same rows, the same verdicts: CSV, JSON Lines, Excel, Parquet, SQL and Spark by the command line; pyarrow, polars, pandas
and DuckDB in Python."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
import xlsxwriter

import menpai
from menpai.cli import main
from menpai.tables.spark.session import start
from tests.tables.spark.rows import shops

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]
FILES = ("{}.csv", "{}.gb.csv", "{}.tsv", "{}.jsonl", "{}.xlsx", "{}.parquet", "sqlite:///{}.db#t")
LINKED = ("matched_id", "matched_address", "label", "similarity", "level", "conflicts", "runner_up_gap")
CLUSTERED = ("cluster_id", "cluster_size", "is_golden")
JUDGED = ("label", "similarity", "level")
# Rows are few and code is many: nothing is worth compiling.
CONF = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.log.level": "ERROR",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
}
SIZES = {"left": (120, 2), "right": (90, 3)}


def _pairs() -> pa.Table:
    left, right = (shops(120, seed) for seed in (2, 3))
    return pa.table({"id": left["place_id"], "地址1": left["地址"], "地址2": right["地址"]})


@pytest.fixture(scope="module")
def tables() -> dict[str, pa.Table]:
    made = {name: shops(*size) for name, size in SIZES.items()}
    for rows in made.values():  # a workbook keeps fifteen digits
        for name in ("纬度", "经度"):
            rows[name] = [None if cell is None else round(cell, 6) for cell in rows[name]]
    return {name: pa.table(rows) for name, rows in made.items()} | {"pairs": _pairs()}


@pytest.fixture(scope="module", autouse=True)
def folder(tables: dict[str, pa.Table], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Every table in every format."""
    path, before = tmp_path_factory.mktemp("doors"), Path.cwd()
    os.chdir(path)
    for name, table in tables.items():
        _write(name, table.column_names, [tuple(row.values()) for row in table.to_pylist()])
        parquet.write_table(table, f"{name}.parquet")
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def want(tables: dict[str, pa.Table]) -> dict[str, list[tuple[Any, ...]]]:
    """The answers of the library."""
    return {
        "link": _rows(menpai.link(tables["left"], tables["right"]), LINKED),
        "dedupe": _rows(menpai.dedupe(tables["left"]), CLUSTERED),
        "match": _rows(menpai.Matcher.open().match_table(tables["pairs"], "地址1", "地址2"), JUDGED),
    }


@pytest.mark.parametrize("form", FILES)
def test_the_command_line_on_files_and_databases(form: str, want: dict[str, list[tuple[Any, ...]]]) -> None:
    left, right, pairs = (form.format(name) for name in ("left", "right", "pairs"))
    out = f"out-{FILES.index(form)}.jsonl"
    assert main(["link", left, right, "-o", out]) in (0, 1)
    assert _lines(out, LINKED) == want["link"]
    assert main(["dedupe", left, "-o", out]) in (0, 1)
    assert _lines(out, CLUSTERED) == want["dedupe"]
    assert main(["match", pairs, "-o", out]) in (0, 1)
    assert _lines(out, JUDGED) == want["match"]


def test_spark(want: dict[str, list[tuple[Any, ...]]]) -> None:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = start("local[2]", CONF)
    at = Path.cwd()  # the machine of Java stays where the first test started it
    try:
        sides = (f"{at}/left.parquet", f"{at}/right.parquet")
        assert main(["spark", "link", *sides, f"{at}/linked.jsonl"]) in (0, 1)
        assert main(["spark", "dedupe", f"{at}/left.csv", f"{at}/clustered.jsonl"]) in (0, 1)
        pairs = [f"{at}/pairs.jsonl", f"{at}/judged.jsonl", "--a", "地址1", "--b", "地址2"]
        assert main(["spark", "match", *pairs]) in (0, 1)
    finally:
        session.stop()
    assert _lines("linked.jsonl", LINKED) == want["link"]
    assert _lines("clustered.jsonl", CLUSTERED) == want["dedupe"]
    assert _lines("judged.jsonl", JUDGED) == want["match"]


@pytest.mark.parametrize("package", ["polars", "pandas", "duckdb"])
def test_tables_of_other_packages_in_python(
    package: str, tables: dict[str, pa.Table], want: dict[str, list[tuple[Any, ...]]]
) -> None:
    into, back = _ways(package)
    left, right, pairs = (into(tables[name]) for name in ("left", "right", "pairs"))
    linked, clustered = menpai.link(left, right), menpai.dedupe(into(tables["left"]))
    judged = menpai.Matcher.open().match_table(pairs, "地址1", "地址2")
    assert _rows(linked, LINKED) == want["link"]
    assert _rows(clustered, CLUSTERED) == want["dedupe"]
    assert _rows(judged, JUDGED) == want["match"]
    assert back(linked, "matched_id") == [row[0] for row in want["link"]]


def _ways(package: str) -> tuple[Any, Any]:
    """From a `pyarrow.Table` into a table of the package, and a column of a table of ours through the package."""
    module = pytest.importorskip(package)
    if package == "polars":
        return module.from_arrow, lambda table, name: module.from_arrow(table)[name].to_list()
    if package == "pandas":
        return lambda table: table.to_pandas(), lambda table, name: _nothing(table.to_pandas()[name])
    return (
        lambda table: module.from_arrow(table),
        lambda table, name: [row[0] for row in module.from_arrow(table).select(f'"{name}"').fetchall()],
    )


def _nothing(column: Any) -> list[Any]:
    return [cell if isinstance(cell, str) else None for cell in column]


def _rows(table: pa.Table, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(_cell(row[name]) for name in names) for row in table.to_pylist()]


def _lines(path: str, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Of a file, or of the folder that Spark writes."""
    files = sorted(Path(path).glob("part-*")) if Path(path).is_dir() else [Path(path)]
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [tuple(_cell(line.get(name)) for name in names) for line in lines]


def _cell(value: Any) -> Any:
    """Formats differ in how they write nothing, yes and no, and several conflicts."""
    if isinstance(value, list):
        value = ";".join(each["name"] if isinstance(each, dict) else each for each in value)
    value = {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value
    return None if value == "" else round(value, 6) if isinstance(value, float) else value


def _write(name: str, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    for ending, mark, encoding in (("csv", ",", "utf-8"), ("gb.csv", ",", "gb18030"), ("tsv", "\t", "utf-8")):
        lines = "".join(f"{mark.join(row)}\n" for row in [columns, *texts])
        Path(f"{name}.{ending}").write_text(lines, encoding)
    objects = [json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows]
    Path(f"{name}.jsonl").write_text("\n".join(objects) + "\n", "utf-8")
    with closing(sqlite3.connect(f"{name}.db")) as base:
        base.execute(f"CREATE TABLE t ({', '.join(columns)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
        base.commit()
    with xlsxwriter.Workbook(f"{name}.xlsx", {"strings_to_urls": False}) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate([columns, *rows]):
            sheet.write_row(at, 0, row)
