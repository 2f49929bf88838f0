"""Columns are found by their usual names, or the error lists what there is."""

from __future__ import annotations

import pytest

from menpai.errors import UsageError
from menpai.tables.columns import (
    ADDRESSES,
    LABELS,
    LIKE_IDS,
    LIKE_NAMES,
    added_names,
    find_address,
    find_column,
    find_given,
    find_like,
    find_pair,
)
from menpai.tables.table import Table


def table(*columns: str) -> Table:
    return Table("t.csv", ".csv", columns, iter(()))


@pytest.mark.parametrize(
    "columns",
    ["id address_a address_b", "id address_1 address_2", "id addr1 addr2", "id address1 address2",
     "id sentence1 sentence2", "id 地址1 地址2", "id addr_a addr_b", "id a b", "id Address-A Address-B",
     "id 地址１ 地址２", "id ADDR_1 ADDR_2", "id 地址一 地址二"],
)  # fmt: skip
def test_usual_pairs_are_found(columns: str) -> None:
    assert find_pair(table(*columns.split())) == (1, 2)


def test_two_columns_are_the_pair_whatever_their_names() -> None:
    assert find_pair(table("ours", "theirs")) == (0, 1)
    assert find_pair(table("1", "2")) == (0, 1)


def test_given_columns_win_by_name_loosely_or_by_number() -> None:
    t = table("id", "a", "b", "Home Address")
    assert find_pair(t, "home_address", None) == (3, 2)
    assert find_pair(t, None, "4") == (1, 3)
    assert find_given(table("2", "1"), "2") == 0


@pytest.mark.parametrize(
    ("columns", "a", "code", "says"),
    [
        ("id name address_a", None, "column_not_found", "address_a"),
        ("id name where", None, "column_not_found", "id, name, where"),
        ("id a b", "adress", "column_missing", "id, a, b"),
        ("a a b", None, "column_repeated", "2 columns named a"),
        ("x x b", "x", "column_repeated", "2 columns named x"),
        ("id a b", "b", "columns_same", "both address columns are b"),
        ("id a b", "0", "column_missing", "0"),
        ("id a b", "4", "column_missing", "4"),
        ("1 杭州市文三路1号 文三路3号", None, "header_missing", "--no-header"),
        ("杭州市文三路1号 杭州市文三路3号", None, "header_missing", "--no-header"),
    ],
)
def test_what_cannot_be_told_is_said(columns: str, a: str | None, code: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_pair(table(*columns.split()), a)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_nearest_column_is_named() -> None:
    with pytest.raises(UsageError, match="the nearest is address_left"):
        find_pair(table("id", "address_left", "address_right"), "adress_left")


def test_a_far_fetched_column_is_not_suggested() -> None:
    for given in ("经纬度", "zzz", None):
        with pytest.raises(UsageError, match="number") as caught:
            find_pair(table("id", "name", "when"), given, "2" if given else None)
        assert "nearest" not in str(caught.value)
        assert "最接近" not in "".join(caught.value.render("zh"))


def test_a_table_with_one_address_a_row_is_sent_to_dedupe_and_link() -> None:
    with pytest.raises(UsageError) as caught:
        find_pair(table("编号", "店名", "详细地址"))
    assert "menpai dedupe" in caught.value.render("en")[1]
    assert "menpai link" in caught.value.render("zh")[1]
    with pytest.raises(UsageError) as caught:
        find_pair(table("编号", "地址", "店名"), "2", "门店")
    assert "menpai dedupe" not in caught.value.render("en")[1]


def test_column_and_label() -> None:
    assert find_column(table("id", "详细地址"), None, ADDRESSES, "column") == 1
    assert find_column(table("a", "b", "same_building"), None, LABELS, "label") == 2
    with pytest.raises(UsageError, match=r"no label column found in t\.csv; it has: a, b, lable"):
        find_column(table("a", "b", "lable"), None, LABELS, "label")


def test_a_wide_table_is_listed_in_part() -> None:
    with pytest.raises(UsageError) as caught:
        find_pair(table(*(f"column{n}" for n in range(1000)), "x" * 500))
    assert len(str(caught.value)) < 500


def test_added_names_step_aside() -> None:
    assert added_names(("a", "label"), ("label", "level")) == ["menpai_label", "level"]
    assert added_names(("label", "menpai_label"), ("label",)) == ["menpai_menpai_label"]


@pytest.mark.parametrize("name", ["门店地址", "客户收货地址", "经营地址", "家庭住址", "收货信息/门店地址"])
def test_whose_address_it_is_may_stand_before_it(name: str) -> None:
    assert find_address(table("备注", name)) == 1
    assert find_column(table("备注", name), None, ADDRESSES, "column") == 1


def test_of_two_like_names_neither_is_taken() -> None:
    assert find_address(table("门店地址", "客户地址")) is None
    assert find_address(table("门店地址", "地址")) == 1
    assert find_address(table("邮箱地址", "网站地址说明")) is None
    assert find_like(table("门店名称", "城市名称"), LIKE_NAMES) == 0
    assert find_like(table("行政区划代码", "邮政编码", "商户编号"), LIKE_IDS) == 2
