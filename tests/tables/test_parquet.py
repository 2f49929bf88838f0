"""Parquet: batches with their types in, row groups with types out."""

from __future__ import annotations

import datetime
import decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from menpai.errors import UsageError
from menpai.tables import parquet
from menpai.tables.readers import open_table
from menpai.tables.table import WriteOptions
from menpai.tables.writers import open_writer


def read(path: Path) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    with open_table(str(path)) as table:
        return table.columns, [row.cells for row in table.rows]


def test_cells_are_json_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "BATCH", 2)
    path = tmp_path / "t.parquet"
    columns = {
        "address": ["文三路1号", None, "文三路3号"],
        "id": [1, 2, None],
        "lat": [30.25, None, 1.0],
        "day": [datetime.date(2024, 5, 1)] * 3,
        "at": [datetime.datetime(2024, 5, 1, 8, 30)] * 3,
        "price": [decimal.Decimal("1.50")] * 3,
        "raw": [b"abc"] * 3,
        "tags": [["x"], [], None],
    }
    pq.write_table(pa.table(columns), path)
    names, rows = read(path)
    assert names == tuple(columns)
    assert rows[0] == ("文三路1号", 1, 30.25, "2024-05-01", "2024-05-01 08:30:00", "1.50", "abc", ["x"])
    assert rows[1][:3] == (None, 2, None)
    assert len(rows) == 3
    disguised = tmp_path / "t.csv"
    disguised.write_bytes(path.read_bytes())
    assert read(disguised) == (names, rows)


def test_columns_keep_their_types_over_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 2)
    path = tmp_path / "o.parquet"
    rows = [("a", 1, 0.5, True, None), ("b", None, 1, None, ["x", "y"]), (None, 3, None, False, 7)]
    with open_writer(str(path), ("t", "n", "x", "yes", "list"), WriteOptions()) as writer:
        for row in rows:
            writer.write(row)
    table = pq.read_table(path)
    assert [str(type_) for type_ in table.schema.types] == ["string", "int64", "double", "bool", "string"]
    assert table["n"].to_pylist() == [1, None, 3]
    assert table["list"].to_pylist() == [None, "x;y", "7"]
    assert pq.ParquetFile(path).num_row_groups == 2


def written(path: Path, *rows: tuple[Any, ...]) -> None:
    with open_writer(str(path), ("n",), WriteOptions()) as writer:
        for row in rows:
            writer.write(row)


def test_a_value_that_does_not_fit_its_column_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP", 1)
    path = tmp_path / "o.parquet"
    with pytest.raises(UsageError) as caught:
        written(path, (1,), ("文三路",))
    assert caught.value.code == "column_mixed"
    assert not path.exists()


def test_a_table_without_rows(tmp_path: Path) -> None:
    path = tmp_path / "o.parquet"
    with open_writer(str(path), ("a", "b"), WriteOptions()):
        pass
    assert read(path) == (("a", "b"), [])


@pytest.mark.parametrize("damage", ["cut", "flipped", "magic only"])
def test_damage_is_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"address": [f"文三路{n}号" for n in range(2000)]}), path)
    whole = path.read_bytes()
    flipped = whole[:4] + bytes(byte ^ 0xFF for byte in whole[4:200]) + whole[200:]
    path.write_bytes({"cut": whole[:-20], "flipped": flipped, "magic only": b"PAR1"}[damage])
    with pytest.raises(UsageError) as caught:
        read(path)
    assert caught.value.code == "table_broken"
