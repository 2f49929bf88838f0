"""What the research pack goes on with: texts without labels, and characters of its own."""

from __future__ import annotations

import csv
from pathlib import Path

from menpai.scoring.tokens import SPECIAL, Vocabulary
from training.data import UNJUDGED, Labelled, read_pairs
from training.research.pairs import related, widened, write_mixed

ROWS = [
    Labelled("文三路1号", "文三路一号店", 0, "", "r"),
    Labelled("文三路1号", "文三路2号", 2, "", "r"),
    Labelled("学院路", "学院路口", 1, "", "r"),
]
OWN = [Labelled("海月花园7幢", "海月花园", 1, "西湖区", "own")]


def test_a_query_stands_beside_its_candidates_and_they_beside_each_other() -> None:
    assert list(related([*ROWS, ROWS[0]])) == [
        ("文三路1号", "文三路一号店"),
        ("文三路1号", "文三路2号"),
        ("文三路一号店", "文三路2号"),
        ("学院路", "学院路口"),
    ]


def test_no_label_of_the_research_set_is_written(tmp_path: Path) -> None:
    synthetic = tmp_path / "synthetic.tsv"
    lines = [f"{n}路1号\t{n}路2号\tnot_match\tnumber\tpoint\n" for n in range(7)]
    synthetic.write_text("a\tb\tlabel\tops\tstyle\n" + "".join(lines), encoding="utf-8")
    write_mixed(synthetic, 3, ROWS, OWN, tmp_path / "mixed.tsv", 1)
    with (tmp_path / "mixed.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {row["label"] for row in rows if row["style"] == "research"} == {""}
    assert [row["label"] for row in rows if row["style"] == "own"] == ["partial_match"]
    assert sorted(row["a"] for row in rows if row["style"] == "point") == ["0路1号", "3路1号", "6路1号"]
    _, labels = read_pairs(tmp_path / "mixed.tsv")
    assert (labels == UNJUDGED).sum() == 4


def test_new_characters_follow_the_known_ones_most_frequent_first() -> None:
    known = Vocabulary([*SPECIAL, "路", "号"])
    assert widened(known, ["鑫路", "鑫鑫", "焱焱", "垚号"], 2).entries == (*SPECIAL, "路", "号", "鑫", "焱")
