"""What the workers do, without Spark: groups cut, lists, pairs judged group by group as the core judges them all."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from menpai.errors import NotReadyError, UsageError
from menpai.settings import Settings
from menpai.tables.linkage.reading import Chosen
from menpai.tables.spark import arrow, room, rows, session
from tests.tables.spark.rows import addresses


@given(st.lists(st.integers(0, 6), max_size=40), st.integers(1, 12), st.integers(1, 7))
def test_groups_are_never_cut(keys: list[int], least: int, size: int) -> None:
    keys.sort()
    table = pa.table({"key": pa.array(keys, pa.int64()), "at": range(len(keys))})
    found = list(arrow.whole_groups(table.to_batches(max_chunksize=size), "key", least))
    assert [at for each in found for at in each.column("at").to_pylist()] == list(range(len(keys)))
    owners = [set(each.column("key").to_pylist()) for each in found]
    assert sum(map(len, owners)) == len(set(keys))
    assert all(each.num_rows for each in found)


@given(st.lists(st.lists(st.integers(-(1 << 31), (1 << 31) - 1), max_size=5), max_size=9))
def test_lists_come_back(values: list[list[int]]) -> None:
    table = pa.table({"v": pa.array(values, pa.list_(pa.int32()))})
    flat, owner = arrow.lists(table, "v")
    assert arrow.as_lists(flat, owner, len(values)).to_pylist() == values
    assert arrow.lists(table.slice(1), "v")[0].tolist() == [each for some in values[1:] for each in some]


def test_rows_are_read_as_the_core_reads_them() -> None:
    table = pa.table(addresses(40, 3)).append_column(rows.ROW, pa.array(range(100, 140), pa.int64()))
    reader = rows.Reader("t", Chosen(), Settings(language="en"))
    (read,) = rows._read(reader, iter(table.to_batches()))
    assert read.column("row").to_pylist() == list(range(100, 140))
    codes = [None if each is None else each.split(":")[0] for each in read.column("problem").to_pylist()[-4:]]
    assert codes == ["row_without_address", "row_without_address", "address_unreadable", "address_too_long"]
    assert read.column("address").to_pylist()[-1] is None
    assert [each for each in read.column("problem").to_pylist()[:-4] if each] == []


def test_terms_keep_their_order_as_signed_numbers() -> None:
    terms = np.array([0, 5, (1 << 31) - 1, 1 << 31, (1 << 32) - 1], np.uint32)
    assert np.all(np.diff((terms ^ rows.SIGN).view(np.int32).astype(np.int64)) > 0)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(session, "import_module", missing)
    with pytest.raises(NotReadyError) as caught:
        session.start("local[1]")
    assert caught.value.code == "extra_missing"
    assert "menpai[spark]" in str(caught.value)


def test_a_cluster_needs_a_folder() -> None:
    class Context:
        master = "spark://host:7077"

    class Frame:
        class sparkSession:  # noqa: N801 (PySpark's name)
            sparkContext = Context  # noqa: N815

    with pytest.raises(UsageError) as caught:
        session.open_room(Frame, None)
    assert caught.value.code == "spark_work"
    assert session.open_room(Frame, "hdfs:///tmp/x/").folder == "hdfs:///tmp/x"
    given_room = room.Room(None, "a")
    assert session.open_room(Frame, given_room) is given_room


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("it broke\nfor some reason", "it broke"),
        (
            "An error occurred while calling x.\n: E: a\n\tat b\nCaused by: F: c\n\tat d\nCaused by: G: e\n\tat f",
            "G: e",
        ),
        (
            "thrown\nTraceback (most recent call last):\n  File x\nValueError: y\n\tat b\nCaused by: F: c",
            "ValueError: y",
        ),
        ("", "RuntimeError"),
    ],
)
def test_of_a_long_error_the_line_that_says_most_is_told(text: str, line: str) -> None:
    assert session._first_line(RuntimeError(text)) == line
