"""menpai.dedupe: Arrow tables in and out."""

from __future__ import annotations

import pytest

import menpai

arrow = pytest.importorskip("pyarrow")
TABLE = {"编号": [7, 8, 9], "地址": ["杭州市西湖区文三路123号", "西湖区文三路123号", None]}


def test_rows_and_types_stay_and_columns_are_added() -> None:
    table = menpai.dedupe(arrow.table(TABLE))
    assert table.column_names == ["编号", "地址", "cluster_id", "cluster_size", "is_golden", "problem"]
    ids, sizes, golden, problems = (column.to_pylist() for column in table.columns[2:])
    assert ids[0] == ids[1]
    assert (ids[2], sizes, golden) == (None, [2, 2, None], [True, False, None])
    assert problems[2].startswith("row_without_address")


def test_an_empty_table_stays_empty() -> None:
    assert menpai.dedupe(arrow.table({"address": arrow.array([], arrow.string())})).num_rows == 0


@pytest.mark.parametrize("options", [{"accept": "all"}, {"adress": "p"}])
def test_bad_options(options: dict[str, str]) -> None:
    with pytest.raises(menpai.UsageError, match="known"):
        menpai.dedupe(arrow.table(TABLE), **options)
