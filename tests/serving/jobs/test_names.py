"""Names of uploads: a file of this folder and nothing else, whatever was sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from menpai.errors import UsageError
from menpai.serving.jobs.names import LONGEST, clean_name, result_name
from menpai.tables.readers import READERS


@pytest.mark.parametrize(
    ("given_name", "name"),
    [
        ("客户 名单.xlsx", "客户 名单.xlsx"),
        ("../../etc/客户.csv", "客户.csv"),
        ("C:\\temp\\a.XLSX", "a.xlsx"),
        ("--output=x.csv", "_output=x.csv"),
        (".hidden.csv", "hidden.csv"),
        ("~$open.xlsx", "_open.xlsx"),
        ("sqlite:///x.csv", "x.csv"),
        ("a\x00b\u202egpj.csv", "a_b_gpj.csv"),
        ("a.tar.parquet", "a.tar.parquet"),
    ],
)
def test_a_name_is_made_harmless(given_name: str, name: str) -> None:
    assert clean_name(given_name) == name


@pytest.mark.parametrize("name", ["", ".csv", "a", "a.pdf", "a.csv.exe", "..", "x.toml", "menpai.py"])
def test_what_is_no_table_is_refused(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        clean_name(name)
    assert caught.value.code == "table_format_unknown"


@settings(max_examples=50)
@given(st.text(max_size=300), st.sampled_from(sorted(READERS)))
def test_whatever_comes_is_one_short_name(tmp: str, ending: str) -> None:
    try:
        name = clean_name(tmp + ending)
    except UsageError:
        return
    assert Path(name).name == name
    assert name[0] not in "-.~"
    assert len(name.encode()) <= LONGEST
    assert Path(name).suffix == ending
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "written"),
    [("客户.xls", "客户.menpai.xlsx"), ("a.pq", "a.menpai.parquet"), ("a.tsv", "a.menpai.tsv")],
)
def test_a_result_has_the_format_of_its_table_where_it_can_be_written(name: str, written: str) -> None:
    assert result_name(name) == written
