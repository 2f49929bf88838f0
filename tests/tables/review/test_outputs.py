"""Outputs as pairs: what each command writes, in every format; what is no output is told with the command that makes one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from menpai.errors import UsageError
from menpai.matcher import Matcher
from menpai.tables.linkage.reading import Chosen
from menpai.tables.review import Asked, draw, read_output
from menpai.tables.review.clusters import UNJUDGED, judge
from menpai.tables.review.pair import Pair
from tests.cli.conftest import Run, run

__all__ = ["run"]

PAIRS = "address_a,address_b\n文三路1号,西湖区文三路1号\n文三路1号,文三路3号\n,文三路\n"
LEFT = "id,店名,address\n1,望江面馆,杭州市西湖区文三路1号\n2,,海月花园3栋2单元\n3,,\n"
RIGHT = "id,店名,address\na,望江面馆(文三店),西湖区文三路1号\nb,,海月花园3幢2单元\n"


def read(path: str, asked: Asked | None = None) -> list[Pair]:
    return list(read_output(path, asked or Asked()))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx", "parquet"])
def test_match(run: Run, tmp_path: Path, ending: str) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS, "utf-8")
    run("match", "pairs.csv", "-o", f"out.{ending}")
    one, other = read(f"out.{ending}")
    assert (one.a, one.b, one.label, one.joined, one.id_a) == (
        "文三路1号",
        "西湖区文三路1号",
        "exact_match",
        True,
        "",
    )
    assert (other.label, other.joined) == ("partial_match", False)
    assert [pair.joined for pair in read(f"out.{ending}", Asked(accept="partial"))] == [True, True]


def test_a_table_that_had_labels_of_its_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("sentence1,sentence2,label\n文三路1号,文三路3号,exact\n", "utf-8")
    run("match", "pairs.csv", "-o", "out.csv")
    assert [pair.label for pair in read("out.csv")] == ["partial_match"]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "xlsx"])
def test_link_and_its_pairs(run: Run, tmp_path: Path, ending: str) -> None:
    (tmp_path / "l.csv").write_text(LEFT, "utf-8")
    (tmp_path / "r.csv").write_text(RIGHT, "utf-8")
    run("link", "l.csv", "r.csv", "-o", f"out.{ending}", "--pairs-out", f"pairs.{ending}")
    linked = read(f"out.{ending}")
    assert [(pair.id_a, pair.id_b, pair.joined) for pair in linked] == [("1", "a", True), ("2", "b", True)]
    assert linked[0].a == "杭州市西湖区文三路1号 望江面馆"
    assert linked[0].b.endswith("望江面馆(文三店)")
    pairs = {(pair.id_a, pair.id_b): pair for pair in read(f"pairs.{ending}")}
    assert pairs["1", "a"].joined
    assert pairs["2", "b"].b == "海月花园3幢2单元"
    assert all(pair.joined == (key in {("1", "a"), ("2", "b")}) for key, pair in pairs.items())


def test_dedupe(run: Run, tmp_path: Path) -> None:
    rows = "浙江省杭州市西湖区文三路1号\n杭州西湖文三路1号\n西湖区文三路1号\n文三路3号\n"
    (tmp_path / "t.csv").write_text("address\n" + rows, "utf-8")
    run("dedupe", "t.csv", "-o", "out.csv")
    pairs = read("out.csv")
    assert [(pair.id_a, pair.id_b) for pair in pairs] == [("1", "2"), ("1", "3")]
    assert {pair.a for pair in pairs} == {"浙江省杭州市西湖区文三路1号"}
    assert all(pair.joined and pair.similarity is None for pair in pairs)
    judged = judge(draw(pairs, 10), Matcher.open())
    assert {pair.label for pair in judged.strata[UNJUDGED].pairs} == {"exact_match"}
    chosen = Asked(columns=Chosen(address="1"))
    assert read("out.csv", chosen) == pairs


def test_rows_that_max_error_marked(run: Run, tmp_path: Path) -> None:
    lines = [{"address_a": "文三路1号", "address_b": "文三路3号", "label": "partial_match", "similarity": 0.5, "review": mark}
             for mark in (True, False)]  # fmt: skip
    (tmp_path / "out.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert [pair.review for pair in read("out.jsonl")] == [True, False]


@pytest.mark.parametrize(
    ("head", "column", "command"),
    [
        ("a,b", "label", "menpai match"), ("address_a,address_b,label", "similarity", "menpai match"),
        ("address,matched_id,label,similarity", "matched_address", "menpai link"),
        ("left_id,right_id,label,similarity", "address_a", "--pairs-out"),
        ("address,cluster_id", "cluster_size", "menpai dedupe"),
    ],
)  # fmt: skip
def test_what_is_lacking_is_told_with_its_command(
    tmp_path: Path, head: str, column: str, command: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{head}\n" + ",".join("x" for _ in head.split(",")) + "\n", "utf-8")
    with pytest.raises(UsageError) as caught:
        read(str(path))
    message, hint = caught.value.render("en")
    assert caught.value.code == "review_column_missing"
    assert column in message
    assert command in hint


@pytest.mark.parametrize("path", ["-", "sqlite:///shop.db#t"])
def test_what_cannot_be_read_twice_is_refused(path: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(path)
    assert caught.value.code == "review_needs_file"
