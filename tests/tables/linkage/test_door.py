"""menpai.link: Arrow tables in and out."""

from __future__ import annotations

import pytest

import menpai

arrow = pytest.importorskip("pyarrow")

LEFT = {"编号": [7, 8, 9], "省": ["浙江省"] * 3, "地址": ["西湖区文三路123号", "西湖区文三路127号", None]}
RIGHT = {"shop_id": ["a", "b"], "address": ["杭州市西湖区文三路123号", "文三路125号"]}


def test_rows_and_types_stay_and_columns_are_added() -> None:
    table = menpai.link(arrow.table(LEFT), arrow.table(RIGHT))
    assert table.column_names == [
        "编号", "省", "地址", "matched_id", "matched_address", "matched_name",
        "label", "similarity", "level", "conflicts", "runner_up_gap", "problem",
    ]  # fmt: skip
    assert table.column("编号").type == arrow.int64()
    assert table.column("matched_id").to_pylist() == ["a", None, None]
    assert table.column("problem").to_pylist()[2].startswith("row_without_address")
    assert table.column("similarity").to_pylist()[2] is None


def test_columns_may_be_named_for_either_side() -> None:
    left, right = arrow.table({"p": ["文三路123号"]}), arrow.table({"k": ["x"], "q": ["文三路123号"]})
    table = menpai.link(left, right, address="p", right_address="q", right_id="k")
    assert table.column("matched_id").to_pylist() == ["x"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"accept": "all"}, "link_option"),
        ({"adress": "p"}, "link_option"),
        ({"assign": "two"}, "link_option"),
    ],
)
def test_bad_options(options: dict[str, str], code: str) -> None:
    with pytest.raises(menpai.UsageError) as caught:
        menpai.link(arrow.table(LEFT), arrow.table(RIGHT), **options)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_what_is_no_table() -> None:
    with pytest.raises(menpai.UsageError) as caught:
        menpai.link([{"address": "文三路1号"}], arrow.table(RIGHT))
    assert caught.value.code == "link_not_arrow"
