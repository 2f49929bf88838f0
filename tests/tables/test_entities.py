"""Entity linking measured: the files in any order, outputs that exist, clusters."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.entities import Report, evaluate_entities
from menpai.tables.linkage import Plan
from menpai.tables.linkage.reading import Chosen
from menpai.tables.table import ReadOptions
from tests.judging import matcher

LEFT = "id,address\nL1,杭州市西湖区文三路1号\nL2,杭州市西湖区学院路77号\nL3,南京市鼓楼区建设街9号\n"
RIGHT = "shop_id,address\n901,西湖区文三路１号\n902,西湖区学院路77号\n903,长沙市岳麓区黄河路5号\n"
TRUTH = "left,right\nL1,901\nL2,902\nL3,903\nL9,903\n"


def write(folder: Path, **tables: str) -> list[str]:
    paths = []
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
        paths.append(str(folder / f"{name}.csv"))
    return paths


def opened() -> Matcher:
    return matcher()


def measured(paths: list[str]) -> Report:
    return evaluate_entities(paths, ReadOptions(), (Chosen(), Chosen()), opened, Plan())


def test_two_tables_and_their_true_pairs_in_any_order(tmp_path: Path) -> None:
    paths = write(tmp_path, left=LEFT, right=RIGHT, truth=TRUTH)
    for order in permutations(paths):
        report = measured(list(order))
        figures = report.figures
        assert (figures["precision"], figures["recall"]) == (1.0, pytest.approx(2 / 3))
        assert figures["f1"] == pytest.approx(0.8)
        assert (figures["true_pairs"], figures["unknown_pairs"], figures["right_pairs"]) == (3, 1, 2)
        assert [set(pair) for pair, _ in report.missed] == [{"L3", "903"}]


def test_labels_say_which_pairs_are_true(tmp_path: Path) -> None:
    labelled = "left,right,label\nL1,901,exact\nL2,903,not\nL3,903,partial\n"
    report = measured(write(tmp_path, left=LEFT, right=RIGHT, truth=labelled))
    assert (report.figures["true_pairs"], report.figures["recall"]) == (1, 1.0)


@pytest.mark.parametrize("count", [1, 3])
def test_files_that_are_none(tmp_path: Path, count: int) -> None:
    paths = write(tmp_path, left=LEFT, right=RIGHT, other="x,y\n7,8\n")
    with pytest.raises(UsageError) as caught:
        measured(paths[:count])
    assert caught.value.code == ("entities_files" if count == 1 else "entities_no_truth")
