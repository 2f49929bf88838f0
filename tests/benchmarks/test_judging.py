"""The measured sets and their figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.judging import scores
from benchmarks.judging.sets import Judged, pages, shenzhen_hard, together


def test_a_hard_negative_differs_in_one_number_that_the_left_text_names(tmp_path: Path) -> None:
    rows = [
        ("凤山路8号3栋402", "宝山区凤山路8号3栋", 1),
        ("凤山路9号", "宝山区凤山路8号5栋", 1),
        ("凤山路12号", "宝山区凤山路8号9栋", 1),
        ("凤山路8号3栋", "宝山区凤山路8号4栋", 0),
        ("龙岗大厦", "龙岗区龙岗大厦", 1),
    ]
    path = tmp_path / "val.tsv"
    lines = [f"{a}\t{b}\t{same}\n" for a, b, same in rows]
    path.write_text("address_a\taddress_b\tsame_building\n" + "".join(lines), encoding="utf-8")
    judged = shenzhen_hard(path)
    assert judged.labels.tolist() == [0, 0, 0, 0, 2], (
        "the nearest of two buildings; 9号 and 12号 are nobody's number"
    )
    assert judged.pairs[-1] == ("凤山路8号3栋402", "宝山区凤山路8号5栋")


def test_doubtful_rows_and_bare_scores_of_pages_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "pages.tsv"
    path.write_text(
        "id\taddr_a\taddr_b\tjudged\tsource_url\tnote\n"
        "1\t甲路1号\t甲路1号\texact\t\t\n2\t甲路1号\t乙路\tnot\t\tdoubtful: why\n3\t甲路\t乙路\tscore\t\t\n",
        encoding="utf-8",
    )
    assert pages(path).pairs == [("甲路1号", "甲路1号")]


def test_sets_put_together_keep_their_order() -> None:
    one = Judged([("a", "b")], np.array([1]), ["x"], ["road"], ["none"])
    two = Judged([("c", "d")], np.array([2]), ["y"], ["poi"], ["road_differs"])
    assert together([one, two])._replace(labels=[]) == Judged(
        [("a", "b"), ("c", "d")], [], ["x", "y"], ["road", "poi"], ["none", "road_differs"]
    )


def test_an_interval_draws_whole_groups() -> None:
    groups = [group for group in "abcdefgh" for _ in range(50)]
    right = np.array([group in "abcd" for group in groups])
    whole = scores.with_interval(groups, scores.share(right))
    assert whole.value == 0.5
    assert whole.low < 0.3 < 0.7 < whole.high, "eight groups say less than 400 rows"
    rows = scores.with_interval([str(at) for at in range(400)], scores.share(right))
    assert 0.43 < rows.low < 0.5 < rows.high < 0.57


def test_figures_of_chosen_rows() -> None:
    gold, guesses = np.array([0, 1, 2, 2]), np.array([0, 1, 2, 1])
    assert scores.macro_f1(gold, guesses)(np.array([0, 1, 2])) == 1.0
    assert np.isclose(scores.ece(gold, guesses, np.full(4, 0.9))(np.array([0, 1])), 0.1)
    assert str(scores.Figure(0.5, 0.4, 0.6)) == "0.500 (0.400–0.600)"
