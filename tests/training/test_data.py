from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from menpai.scoring.tokens import SPECIAL, Vocabulary
from training.data import Labelled, batches, fold_of, read_labelled, read_pairs, vocabulary_of

TEXTS = [("文三路", f"文三路{n}号" * (1 + n % 4)) for n in range(50)]
VOCABULARY = Vocabulary([*SPECIAL, *"文三路号0123456789"])


def test_labelled_rows_are_read_with_what_they_carry(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "address_a\taddress_b\tlabel\tlevel\tconflict\tplace\n"
        "文三路1号\t文三路2号\tpartial_match\troad\troadno\t西湖区\n"
        "文三路1号\t学院路2号\tnot_match\t\t\t西湖区\n",
        encoding="utf-8",
    )
    assert read_labelled(path) == [
        Labelled("文三路1号", "文三路2号", 1, "西湖区", "pairs", "road", "roadno"),
        Labelled("文三路1号", "学院路2号", 2, "西湖区", "pairs"),
    ]


def test_a_label_that_is_unknown_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("address_a\taddress_b\tlabel\n一路1号\t二路1号\tmaybe\n", encoding="utf-8")
    with pytest.raises(ValueError, match="not in tuple"):
        read_labelled(path)


def test_made_pairs_are_normalized(tmp_path: Path) -> None:
    path = tmp_path / "made.tsv"
    path.write_text("a\tb\tlabel\n文三路１號\t文三路 1号\texact_match\n", encoding="utf-8")
    texts, labels = read_pairs(path)
    assert texts == [("文三路1号", "文三路1号")]
    assert labels.tolist() == [0]


def test_the_fold_of_a_place_is_the_same_everywhere() -> None:
    assert [fold_of(place, 5) for place in ("西湖区", "朝阳区", "")] == [4, 0, 0]
    counts = np.bincount([fold_of(f"place {n}", 5) for n in range(1000)], minlength=5)
    assert counts.min() > 150, "places spread over the folds"


def test_the_vocabulary_is_what_occurs_often_enough_most_frequent_first() -> None:
    found = vocabulary_of(["路路路", "路号号", "号一", "乙乙乙"], least=3)
    assert found.entries == (*SPECIAL, "路", "乙", "号")
    assert vocabulary_of([]).entries == SPECIAL


def test_batches_hold_each_pair_once_with_its_label() -> None:
    labels = np.arange(len(TEXTS))
    seen: dict[int, list[int]] = {}
    for batch in batches(TEXTS, labels, VOCABULARY, 8, np.random.default_rng(1)):
        assert len(batch.labels) == len(batch.rows.ids)
        assert len(batch.labels) <= 12
        for label, ids in zip(batch.labels.tolist(), batch.rows.ids, strict=True):
            assert label not in seen
            seen[label] = ids[ids != 0].tolist()
    assert sorted(seen) == labels.tolist()
    for label, ids in seen.items():
        numbers = VOCABULARY.ids(TEXTS[label][0]).tolist() + VOCABULARY.ids(TEXTS[label][1]).tolist()
        assert sorted(ids) == sorted([*numbers, 2, 3, 3])


def test_batches_come_in_an_order_that_the_seed_decides() -> None:
    def order(seed: int) -> list[int]:
        labels = np.arange(len(TEXTS))
        made = batches(TEXTS, labels, VOCABULARY, 8, np.random.default_rng(seed))
        return [label for batch in made for label in batch.labels.tolist()]

    assert order(1) == order(1) != order(2)
