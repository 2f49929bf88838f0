"""`menpai review`: in the terminal, summary, exports, and what it says when there is nothing to ask."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PAIRS = """address_a,address_b
文三路123号,文三路125号
浙江省杭州市西湖区文三路123号海月花园3幢2单元,杭州西湖文三路125号海月花园3栋
北京市朝阳区建国路8号,北京朝阳建国路8号SOHO现代城
上海市闸北区共和新路1号,上海市静安区共和新路1号
南京市东泰花园,洛阳市东泰花园
望京园603号楼13层1603室,望京街道望京园603号楼
\x1b[31m海月花园3栋,海月花园3幢
"""


@pytest.fixture(autouse=True)
def _out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text(PAIRS, "utf-8")
    assert run("match", "pairs.csv", "-o", "out.csv").code == 0


def test_pairs_are_asked_saved_and_undone(run: Run, tmp_path: Path) -> None:
    done = run("review", "out.csv", "--terminal", stdin=b"1\nu\n2\nnonsense\n0\n3\nq\n")
    assert done.code == 0
    labels = [
        json.loads(line) for line in (tmp_path / "out.csv.labels.jsonl").read_text("utf-8").splitlines()
    ]
    assert [label["label"] for label in labels] == ["partial_match", "not_match"]
    assert "2 of 7 pairs answered, 1 skipped" in done.out
    assert "【123号】" in done.out or "〔" in done.out
    assert "\x1b[31m海" not in done.out
    assert "reasons" in done.out
    later = run("review", "out.csv", "--terminal", "--language", "zh", stdin=b"1\n" * 9)
    assert "全部答完" in later.out
    assert "精度" in later.out
    assert "95% 区间" in later.out


def test_the_summary_asks_nothing(run: Run) -> None:
    run("review", "out.csv", "--terminal", stdin=b"1\n" * 20)
    found = run("review", "out.csv", "--summary", "--json").json
    assert (found["answered"], found["total"], found["labels"]["exact_match"]) == (7, 7, 7)
    assert found["precision"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert found["recall"]["value"] == pytest.approx(found["joined"] / 7, abs=1e-3)
    assert found["accept"] == "exact"


def test_labels_are_exported_and_measured(run: Run, tmp_path: Path) -> None:
    run("review", "out.csv", "--terminal", "--labels", "mine.jsonl", stdin=b"1\n2\n3\nq\n")
    given = run("review", "out.csv", "--labels", "mine.jsonl", "--export", "mgeo").lines
    assert [list(row) for row in given] == [["sentence1", "sentence2", "label"]] * 3
    assert [row["label"] for row in given] == ["exact_match", "partial_match", "not_match"]
    run("review", "out.csv", "--labels", "mine.jsonl", "--export", "pairs", "-o", "labels.csv")
    for path in ("mine.jsonl", "labels.csv"):
        assert run("evaluate", path, "--json").json["pairs"] == 3
    refused = run("review", "out.csv", "--labels", "mine.jsonl", "--export", "decisions")
    assert refused.code == 2
    assert "review one of link or dedupe" in refused.err


def test_decisions_hold_in_the_next_run(run: Run, tmp_path: Path) -> None:
    rows = ["浙江省杭州市西湖区文三路123号", "杭州西湖文三路123号", "浙江省杭州市西湖区文三路125号"]
    (tmp_path / "t.csv").write_text("\n".join(["address", *rows]), "utf-8")
    run("dedupe", "t.csv", "-o", "clusters.csv")
    run("review", "clusters.csv", "--terminal", stdin=b"3\n")
    run("review", "clusters.csv", "--export", "decisions", "-o", "decisions.csv")
    assert (tmp_path / "decisions.csv").read_text("utf-8-sig").splitlines()[1:] == ["1,2,different"]
    again = run("dedupe", "t.csv", "-o", "again.csv", "--decisions", "decisions.csv", "--json").json
    assert again["clusters"] == 3


def test_partial_matches_that_were_joined_count_as_the_same(run: Run, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("id,address\n1,海月花园3栋2单元\n", "utf-8")
    (tmp_path / "r.csv").write_text("id,address\nb,海月花园3幢5单元\n", "utf-8")
    run("link", "l.csv", "r.csv", "-o", "linked.csv", "--accept", "partial")
    found = run("review", "linked.csv", "--terminal", "--json", stdin=b"2\n")
    summary = json.loads(found.out[found.out.index("{") :])
    assert (summary["accept"], summary["precision"]["value"], summary["recall"]) == ("partial", 1.0, None)


def test_a_file_that_changed_is_told(run: Run, tmp_path: Path) -> None:
    run("review", "out.csv", "--terminal", stdin=b"1\n1\n")
    text = (tmp_path / "out.csv").read_text("utf-8")
    (tmp_path / "out.csv").write_text(text + "文三路9号,文三路7号,partial_match,0.5,road,,fast,\n", "utf-8")
    done = run("review", "out.csv", "--summary")
    assert "changed since 2 of the answers; 2 are about pairs asked now" in done.err
    assert "2 of 8 pairs answered" in done.out


def test_what_is_wrong_is_told_with_its_cure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text(
        "address,matched_id,matched_address,matched_name,label,similarity\n文三路,,,,,\n", "utf-8"
    )
    for arguments, told in (
        (("pairs.csv",), "menpai match FILE -o OUT"),
        (("none.csv",), "--pairs-out"),
        (("absent.csv",), "absent.csv"),
        (("out.csv", "--export", "mgeo"), "review first"),
        (("out.csv", "--labels", "out.csv"), "input itself"),
        (("out.csv", "--labels", "pairs.csv"), "left as it is"),
    ):  # fmt: skip
        done = run("review", *arguments, "--terminal")
        assert done.code == 2
        assert told in done.err
    assert (tmp_path / "pairs.csv").read_text("utf-8") == PAIRS


def test_nothing_in_doubt_leaves_the_random_ones(run: Run, tmp_path: Path) -> None:
    lines = [
        "address_a,address_b,label,similarity",
        *(f"文三路{n}号,西湖区文三路{n}号,exact_match,1.0" for n in range(9)),
    ]
    (tmp_path / "sure.csv").write_text("\n".join(lines), "utf-8")
    done = run("review", "sure.csv", "--summary", "--most", "5")
    assert "no pair is in doubt" in done.err
    assert "0 of 5 pairs answered" in done.out
    assert "all pairs of the file were joined" in done.out


def test_decisions_on_two_tables_hold_in_the_next_link(run: Run, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("id,address\n1,杭州市西湖区文三路123号\n2,海月花园3栋2单元\n", "utf-8")
    (tmp_path / "r.csv").write_text("id,address\nx,西湖区文三路123号\ny,海月花园3幢5单元\n", "utf-8")
    link = ("link", "l.csv", "r.csv", "-o", "linked.jsonl", "--pairs-out", "compared.csv")
    run(*link)
    run("review", "compared.csv", "--terminal", stdin=b"3\n")
    run("review", "compared.csv", "--export", "decisions", "-o", "decisions.csv")
    with (tmp_path / "decisions.csv").open("a", encoding="utf-8") as stream:
        stream.write("2,y,same\n")
    assert run(*link, "--decisions", "decisions.csv").code == 0
    rows = [json.loads(line) for line in (tmp_path / "linked.jsonl").read_text("utf-8").splitlines()]
    assert [row["matched_id"] for row in rows] == [None, "y"]


def test_neither_the_output_nor_the_labels_are_written_over(run: Run, tmp_path: Path) -> None:
    run("review", "out.csv", "--terminal", stdin=b"1\n" * 9)
    kept = {name: (tmp_path / name).read_bytes() for name in ("out.csv", "out.csv.labels.jsonl")}
    for arguments in (
        ("--export", "pairs", "-o", "out.csv"),
        ("--export", "mgeo", "-o", "out.csv.labels.jsonl"),
        ("--labels", "out.csv"),
    ):
        done = run("review", "out.csv", *arguments)
        assert done.code == 2
        assert "is the input itself" in done.err
    assert kept == {name: (tmp_path / name).read_bytes() for name in kept}


def test_what_cannot_be_reviewed_gets_no_file_of_labels(run: Run, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("", "utf-8")
    for name in ("none.csv", "e.csv", "-", "pairs.csv"):
        assert run("review", name, "--summary").code == 2
    assert not list(tmp_path.glob("*.labels.jsonl"))


@pytest.mark.parametrize("similarity", ["nan", "inf", "-inf", "1e999", "5", "-3", "", "x"])
def test_a_row_whose_similarity_is_none_is_not_asked(run: Run, tmp_path: Path, similarity: str) -> None:
    text = f"address_a,address_b,label,similarity\n文三路1号,文三路3号,partial_match,{similarity}\n"
    (tmp_path / "odd.csv").write_text(text + "文三路1号,文三路1号,exact_match,1\n", "utf-8")
    assert run("review", "odd.csv", "--summary", "--json").json["total"] == 1


def test_an_output_without_an_export_is_refused(run: Run, tmp_path: Path) -> None:
    done = run("review", "out.csv", "--summary", "-o", "x.csv")
    assert (done.code, "--export" in done.err, (tmp_path / "x.csv").exists()) == (2, True, False)


def test_standard_output_is_one_json_value_also_after_a_talk(run: Run) -> None:
    done = run("review", "out.csv", "--terminal", "--json", stdin=b"1\nq\n")
    assert done.json["answered"] == 1
    assert "1 exact" in done.err
