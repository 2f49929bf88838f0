"""`menpai evaluate`: figures that follow from the verdicts."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import menpai
from tests.cli.conftest import Run

PAIRS = [
    ("杭州市西湖区文三路123号", "西湖区文三路123号", "exact_match", "roadno", "none"),
    ("文三路123号", "文三路125号", "partial_match", "road", "roadno"),
    ("海月花园3栋2单元", "海月花园3幢5单元", "exact_match", "unit", "unit"),
    ("南京市东泰花园", "洛阳市东泰花园", "not_match", "none", "city"),
    ("上海市黄浦区", "吉林省长春市朝阳区建设街8号", "not_match", "none", "province"),
]


def table(labels: list[str], head: str = "label") -> bytes:
    rows = [f"{a},{b},{label},{level},{conflict}"
            for (a, b, _, level, conflict), label in zip(PAIRS, labels, strict=True)]  # fmt: skip
    return "\n".join([f"address_a,address_b,{head},level,conflict", *rows]).encode()


def test_figures_follow_from_the_verdicts(run: Run) -> None:
    gold = [pair[2] for pair in PAIRS]
    verdicts = [menpai.match(a, b) for a, b, *_ in PAIRS]
    right = sum(v.label == label for v, label in zip(verdicts, gold, strict=True))
    figures = run("evaluate", "-", "--json", stdin=table(gold)).json
    assert {"macro_f1", "per_label", "confusion", "ece", "pairs_per_second", "decided_by", "problems"} <= set(
        figures
    )
    assert "f1" not in figures
    assert (figures["pairs"], figures["problems"]) == (5, 0)
    assert figures["accuracy"] == pytest.approx(right / 5)
    assert [
        figures["per_label"][name]["count"] for name in ("exact_match", "partial_match", "not_match")
    ] == [2, 1, 2]
    assert sum(figures["confusion"][name][name] for name in figures["confusion"]) == right
    assert sum(figures["decided_by"].values()) == 5
    same_level = sum(v.level == pair[3] for v, pair in zip(verdicts, PAIRS, strict=True))
    assert figures["level_agreement"] == pytest.approx(same_level / 5)
    assert 0 < figures["conflict_agreement"] <= 1


def test_two_classes(run: Run) -> None:
    labels = ["1", "0", "0", "0", "0"]
    verdicts = [menpai.match(a, b).label for a, b, *_ in PAIRS]
    for positive, names in (("exact", {"exact_match"}), ("exact,partial", {"exact_match", "partial_match"})):
        figures = run(
            "evaluate", "-", "--json", "--positive", positive, stdin=table(labels, "same_building")
        ).json
        said = [label in names for label in verdicts]
        hits = said[0]
        assert figures["f1"] == pytest.approx(2 * hits / (1 + sum(said)))
        assert figures["confusion"]["different"]["same"] == sum(said[1:])


@pytest.mark.parametrize(
    "labels", [["2", "1", "2", "0", "0"], ["完全匹配", "部分匹配", "完全匹配", "不匹配", "不匹配"]]
)
def test_labels_by_number_and_in_chinese(run: Run, labels: list[str]) -> None:
    by_name = run("evaluate", "-", "--json", stdin=table([pair[2] for pair in PAIRS])).json
    figures = run("evaluate", "-", "--json", stdin=table(labels)).json
    assert figures["confusion"] == by_name["confusion"]


def test_rows_with_problems_are_counted_and_left_out(run: Run, tmp_path: Path) -> None:
    lines = table([pair[2] for pair in PAIRS]) + "\n,x,exact_match,,\n文三路1号".encode()
    done = run("evaluate", "-", "--json", "--errors", "errors.csv", stdin=lines)
    assert done.code == 1
    assert (done.json["pairs"], done.json["problems"]) == (5, 2)
    with (tmp_path / "errors.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["problem"].split(":")[0] for row in rows[-2:]] == ["address_empty", "row_ragged"]
    wrong = [(a, b) for a, b, label, *_ in PAIRS if menpai.match(a, b).label != label]
    assert [(row["address_a"], row["address_b"]) for row in rows[:-2]] == wrong
    assert all(row["predicted"] != row["label"] for row in rows[:-2])


def test_people_read_a_table(run: Run) -> None:
    out = run("evaluate", "-", stdin=table([pair[2] for pair in PAIRS])).out
    assert "macro F1" in out
    assert [
        line.split()[-1] for line in out.splitlines() if line.startswith(("exact match  ", "no match  "))
    ][:2] == ["2", "2"]
    assert "宏平均" in run("evaluate", "-", "--language", "zh", stdin=table([pair[2] for pair in PAIRS])).out


@pytest.mark.parametrize(
    ("arguments", "lines", "says"),
    [
        ((), "a,b,label\n文三路1号,文三路2号,maybe\n", "stdin, line 2: unknown label 'maybe'"),
        ((), "a,b,lable\n文三路1号,文三路2号,1\n", "no label column found in stdin; it has: a, b, lable"),
        ((), "a,b,label\n,x,1\n", "no row of stdin could be judged"),
        ((), "a,b,label\n", "no row of stdin could be judged"),
        (("--positive", "yes"), "a,b,label\nx,y,1\n", "positive"),
        (("--task", "tags"), "a,b,label\nx,y,1\n", "is not a token"),
        (("--task", "entities"), "a,b,label\nx,y,1\n", "--task"),
        (("--label", "gold"), "a,b,label\nx,y,1\n", "no column gold"),
    ],
)
def test_what_cannot_be_measured_is_said(run: Run, arguments: tuple[str, ...], lines: str, says: str) -> None:
    done = run("evaluate", "-", *arguments, stdin=lines.encode())
    assert (done.code, done.out) == (2, "")
    assert says in done.err
