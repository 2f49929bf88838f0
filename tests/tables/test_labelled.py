"""Labelled pairs read from tables: repeated ones once, contradictions found, split by connected texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.errors import UsageError
from menpai.tables.labelled import folds_of, groups_of, read_labelled, shown
from tests.labels import as_csv


def read(folder: Path, *tables: bytes) -> object:
    paths = []
    for at, table in enumerate(tables):
        paths.append(folder / f"{at}.csv")
        paths[-1].write_bytes(table)
    return read_labelled([str(path) for path in paths])


def test_the_same_pair_the_other_way_round_is_the_same(tmp_path: Path) -> None:
    found = read_labelled([str(_written(tmp_path, [
        ("文三路1号", "文三路2号", "partial"), ("文三路２号", "文三路1号", "1"), ("学院路1号", "学院路9号", "2"),
        ("学院路9号", "学院路1号", "0"), ("迎宾路1号", "迎宾路3号", ""), ("", "迎宾路3号", "1"),
    ]))])  # fmt: skip
    assert [pair.truth for pair in found.pairs] == [1]
    assert (found.repeated, found.unreadable, len(found.unlabelled)) == (1, 1, 1)
    assert shown(found.contradictions).endswith("pairs.csv:4 ≠ " + found.contradictions[0][1].where)
    assert "学院路" not in shown(found.contradictions)
    assert found.counts == {"exact_match": 0, "partial_match": 1, "not_match": 0}


def _written(folder: Path, rows: list[tuple[str, ...]]) -> Path:
    path = folder / "pairs.csv"
    path.write_bytes(as_csv(rows))
    return path


def test_a_table_without_labels_is_for_teachers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("address_a,address_b\n文三路1号,文三路2号\n".encode())
    found = read_labelled([str(tmp_path / "a.csv")])
    assert (found.pairs, [pair.truth for pair in found.unlabelled]) == ([], [None])


def test_three_classes_and_two_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read(
            tmp_path, as_csv([("文三路1号", "文三路2号", "exact")]), as_csv([("文三路1号", "文三路3号", "1")])
        )
    assert caught.value.code == "labels_mixed"


def test_texts_that_hang_together_stay_together(tmp_path: Path) -> None:
    rows = [("甲路1号", "乙路1号", "0"), ("乙路1号", "丙路1号", "2"), ("丁路1号", "戊路1号", "1")]
    pairs = read_labelled([str(_written(tmp_path, rows))]).pairs
    groups = groups_of(pairs)
    assert groups[0] == groups[1] != groups[2]
    grouped = as_csv([(*row, "p") for row in rows], "address_a,address_b,label,place")
    (tmp_path / "g.csv").write_bytes(grouped)
    assert len(set(groups_of(read_labelled([str(tmp_path / "g.csv")]).pairs).tolist())) == 1


def test_folds_are_even_and_never_split_a_group() -> None:
    groups = np.sort(np.random.default_rng(1).integers(0, 60, 600))
    _, groups = np.unique(groups, return_inverse=True)
    folds = folds_of(groups, 10)
    assert all(len(set(folds[groups == group].tolist())) == 1 for group in range(groups.max() + 1))
    assert np.bincount(folds, minlength=10).min() >= 45


def test_labels_that_menpai_wrote_are_refused_until_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text(
        "address_a,address_b,label,similarity,level,conflicts\n甲路1号,甲路2号,partial_match,0.5,road,\n",
        "utf-8",
    )
    with pytest.raises(UsageError) as caught:
        read_labelled([str(path)])
    assert caught.value.code == "labels_of_menpai"
    assert "--label label" in caught.value.render("en")[1]
    assert len(read_labelled([str(path)], given={"label": "label"}).pairs) == 1
    path.write_text(
        path.read_text("utf-8")
        .replace("conflicts\n", "conflicts,menpai_label\n")
        .replace("road,", "road,,x"),
        "utf-8",
    )
    assert len(read_labelled([str(path)]).pairs) == 1
