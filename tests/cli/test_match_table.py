"""`menpai match FILE`: every row keeps its place and its cells, and gets a verdict or a problem."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import menpai
from tests.cli.conftest import Run

A, B, C = "杭州市西湖区文三路123号", "西湖区文三路125号", "海月花园3栋2单元"
TABLE = f"编号,地址1,地址2\n1,{A},{B}\n2,,{B}\n3,{C},海月花园3幢5单元\n4,{A}\n"


def read(path: Path, encoding: str = "utf-8-sig") -> list[dict[str, str]]:
    with path.open(encoding=encoding, newline="") as stream:
        return list(csv.DictReader(stream))


def test_rows_keep_their_order_and_get_the_verdicts_of_the_library(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(TABLE, "utf-8")
    done = run("match", "in.csv", "-o", "out.csv")
    assert (done.code, done.out) == (1, "")
    assert done.err == ("4 rows written: out.csv\n2 of 4 rows had a problem, see the column problem\n")
    rows = read(tmp_path / "out.csv")
    added = "label similarity level conflicts decided_by problem"
    assert list(rows[0]) == ["编号", "地址1", "地址2", *added.split()]
    assert [row["编号"] for row in rows] == ["1", "2", "3", "4"]
    verdict = menpai.match(A, B)
    assert (rows[0]["label"], float(rows[0]["similarity"])) == (verdict.label, verdict.similarity)
    assert rows[0]["conflicts"] == "roadno_differs"
    assert rows[1]["problem"] == "address_empty: address a is empty"
    assert rows[3]["problem"] == "row_ragged: 2 cells where 3 are expected"
    assert rows[1]["label"] == rows[1]["similarity"] == rows[3]["label"] == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "big5"])
def test_every_encoding_gives_the_same_table(run: Run, tmp_path: Path, encoding: str) -> None:
    text = "addr1,addr2\n臺北市信義區松仁路58號,臺北市松仁路58號\n"
    (tmp_path / "in.csv").write_text(text, encoding)
    assert run("match", "in.csv", "-o", "out.csv").code == 0
    assert [row["addr1"] for row in read(tmp_path / "out.csv")] == ["臺北市信義區松仁路58號"]


def test_standard_input_to_standard_output(run: Run) -> None:
    done = run("match", "-", stdin=TABLE.encode("gbk"))
    assert done.code == 1
    rows = list(csv.reader(done.out.splitlines()))
    assert [row[0] for row in rows] == ["编号", "1", "2", "3", "4"]


def test_json_prints_json_lines_in_the_shape_of_verdicts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.tsv").write_text(f"a\tb\n{A}\t{B}\n\t{B}\n", "utf-8")
    good, bad = run("match", "in.tsv", "--json").lines
    verdict = menpai.match(A, B).to_dict()
    assert good == {"a": A, "b": B, "problem": None} | {
        name: verdict[name] for name in ("label", "similarity", "level", "conflicts", "decided_by")
    }
    assert (bad["label"], bad["problem"]["code"]) == (None, "address_empty")


def test_explain_adds_columns(run: Run) -> None:
    done = run("match", "-", "--json", "--explain", stdin=f"a,b\n{A},{B}\n".encode())
    verdict = menpai.match(A, B).to_dict()
    assert done.json["probabilities"] == verdict["probabilities"]
    assert done.json["evidence"] == verdict["evidence"]


def test_json_lines_in(run: Run, tmp_path: Path) -> None:
    lines = [{"id": 1, "a": A, "b": {"text": B}}, {"id": 2, "a": A, "b": 7}, {"id": 3, "a": A}]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n{", "utf-8")
    done = run("match", "in.jsonl")
    assert done.code == 1
    assert [line["problem"] and line["problem"]["code"] for line in done.lines] == [
        None, "address_unreadable", "address_empty", "row_not_json",
    ]  # fmt: skip
    assert done.lines[0]["label"] == menpai.match(A, B).label


def test_columns_named_by_name_or_number_and_no_header(run: Run) -> None:
    table = f"{A},x,{B}\n{A},y,{A}\n".encode()
    done = run("match", "-", "--no-header", "--a", "1", "--b", "3", "--json", stdin=table)
    assert [line["2"] for line in done.lines] == ["x", "y"]
    assert done.lines[1]["label"] == "exact_match"


def test_own_columns_step_aside(run: Run) -> None:
    done = run("match", "-", "--json", stdin=f"a,b,label\n{A},{A},mine\n".encode())
    assert (done.json["label"], done.json["menpai_label"]) == ("mine", "exact_match")


def test_formulas_in_any_cell_are_made_harmless(run: Run, tmp_path: Path) -> None:
    table = f"note,a,b\n=1+1,{A},{B}\n-1,@{A},{B}\n".encode()
    run("match", "-", "-o", "safe.csv", stdin=table)
    run("match", "-", "-o", "raw.csv", "--raw-cells", stdin=table)
    safe, raw = read(tmp_path / "safe.csv"), read(tmp_path / "raw.csv")
    assert [(row["note"], row["a"]) for row in safe] == [("'=1+1", A), ("-1", f"'@{A}")]
    assert [(row["note"], row["a"]) for row in raw] == [("=1+1", A), ("-1", f"@{A}")]


def test_output_encoding(run: Run, tmp_path: Path) -> None:
    run("match", "-", "-o", "out.csv", "--out-encoding", "gbk", stdin=f"a,b\n{A},{B}\n".encode())
    assert read(tmp_path / "out.csv", "gbk")[0]["a"] == A


@pytest.mark.parametrize(
    ("ending", "fault"), [(".csv", "{0},{1}\n"), (".jsonl", '{{"a": "{0}", "b": "{1}"}}\n')]
)
def test_a_row_in_another_encoding_is_a_problem_and_all_others_are_done(
    run: Run, tmp_path: Path, ending: str, fault: str
) -> None:
    good = fault.format(A, B).encode() * 30
    head = b"a,b\n" if ending == ".csv" else b""
    (tmp_path / f"in{ending}").write_bytes(head + good + fault.format(A, B).encode("gbk") + good)
    done = run("match", f"in{ending}", "--json")
    assert done.code == 1
    problems = [line["problem"] and line["problem"]["code"] for line in done.lines]
    assert problems == [None] * 30 + ["row_undecodable"] + [None] * 30
    if ending == ".csv":
        assert done.lines[30]["a"] == A


def test_options_of_databases_are_refused_for_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("id,address_a,address_b\n1,文三路1号,文三路3号\n", "utf-8")
    for option in (("--key", "id"), ("--replace",)):
        done = run("match", "p.csv", "-o", "out.csv", *option)
        assert (done.code, f"{option[0]} would change nothing" in done.err) == (2, True)
    assert not (tmp_path / "out.csv").exists()
