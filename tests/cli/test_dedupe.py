"""`menpai dedupe`: the table it writes, its summary, ids kept from an output of before, decisions, refusals."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

TABLE = """id,address
1,浙江省杭州市西湖区文三路123号
2,杭州西湖文三路123号
3,浙江省杭州市西湖区文三路125号
4,
"""


@pytest.fixture(autouse=True)
def table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(TABLE, "utf-8")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_rows_stay_in_order_and_get_clusters(run: Run, tmp_path: Path) -> None:
    done = run("dedupe", "t.csv", "-o", "out.csv", "--golden-out", "golden.csv", "--json")
    rows = read(tmp_path / "out.csv")
    assert done.code == 1
    assert [row["id"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["cluster_size"] for row in rows] == ["2", "2", "1", ""]
    assert [row["is_golden"] for row in rows] == ["true", "false", "true", ""]
    assert rows[3]["problem"].startswith("row_without_address")
    assert [row["golden_rule"] for row in read(tmp_path / "golden.csv")] == ["complete", "only"]
    assert (done.json["clusters"], done.json["duplicates"], done.json["problems"]) == (2, 1, 1)
    assert [stage["name"] for stage in done.json["stages"]][:3] == ["same", "candidates", "read"]


def test_compared_pairs_are_written_and_a_plan_is_told(run: Run, tmp_path: Path) -> None:
    assert run("dedupe", "t.csv", "-o", "out.csv", "--pairs-out", "pairs.csv", "--workers", "1").code == 1
    pairs = {(row["left_id"], row["right_id"]): row for row in read(tmp_path / "pairs.csv")}
    assert {frozenset(pair) for pair in pairs} == {frozenset(("1", "2"))}
    (row,) = pairs.values()
    assert (row["label"], row["joined"]) == ("exact_match", "true")
    plan = run("dedupe", "t.csv", "--plan", "--json").json
    assert (plan["rows"], plan["sample_rows"]) == (4, 3)
    assert [stage["name"] for stage in plan["stages"]] == [
        "candidates", "read", "slips", "vetoes", "score", "encoder",
    ]  # fmt: skip
    assert run("dedupe", "t.csv", "--pairs-out", "t.csv").code == 2


@pytest.mark.parametrize("ending", ["jsonl", "xlsx", "parquet"])
def test_every_format_gives_the_same_clusters(run: Run, tmp_path: Path, ending: str) -> None:
    run("dedupe", "t.csv", "-o", "out.csv")
    run("dedupe", "t.csv", "-o", f"out.{ending}")
    run("dedupe", f"out.{ending}", "-o", "again.csv")
    again = read(tmp_path / "again.csv")
    assert [row["menpai_cluster_id"] for row in again] == [
        row["cluster_id"] for row in read(tmp_path / "out.csv")
    ]


def test_ids_of_before_are_kept_and_changes_written_down(run: Run, tmp_path: Path) -> None:
    old = TABLE.replace("address", "address,cluster_id", 1).splitlines()
    old[1:4] = [f"{line},{cluster}" for line, cluster in zip(old[1:4], ("p", "q", "r"), strict=True)]
    (tmp_path / "old.csv").write_text("\n".join([*old[:4], "4,,", ""]), "utf-8")
    for _ in range(2):
        run("dedupe", "t.csv", "-o", "out.csv", "--against", "old.csv", "--journal", "j.jsonl")
    assert [row["cluster_id"] for row in read(tmp_path / "out.csv")] == ["p", "p", "r", ""]
    lines = [json.loads(line) for line in (tmp_path / "j.jsonl").read_text("utf-8").splitlines()]
    assert lines == [
        line
        for run_ in (1, 2)
        for line in (
            {"change": "merged", "cluster_id": "p", "others": ["q"], "run": run_},
            {"change": "moved", "run": run_, "id": "2", "from": "q", "to": "p"},
        )
    ]
    done = run("dedupe", "t.csv", "-o", "out.csv", "--against", "out.csv", "--json")
    assert done.json["changes"] == []


def test_the_last_merge_is_undone_and_does_not_come_again(run: Run, tmp_path: Path) -> None:
    old = ["id,address,cluster_id", "1,浙江省杭州市西湖区文三路123号,p", "2,杭州西湖文三路123号,q"]
    (tmp_path / "old.csv").write_text("\n".join(old), "utf-8")
    again = ("-o", "out.csv", "--against", "old.csv", "--journal", "j.jsonl", "--decisions", "d.csv")
    (tmp_path / "d.csv").write_text("id_a,id_b,decision\n", "utf-8")
    run("dedupe", "t.csv", *again)
    assert [row["cluster_id"] for row in read(tmp_path / "out.csv")][:2] == ["p", "p"]
    back = ("dedupe", "out.csv", "--undo", "--journal", "j.jsonl", "-o", "back.csv")
    assert run(*back, "--decisions", "d.csv").code == 1  # the row without an address
    rows, merged = read(tmp_path / "back.csv"), read(tmp_path / "out.csv")
    assert [row["cluster_id"] for row in rows][:2] == ["p", "q"]
    assert [(row["cluster_size"], row["is_golden"]) for row in rows][:2] == [("1", "true")] * 2
    assert rows[2:] == merged[2:]
    assert read(tmp_path / "d.csv") == [{"id_a": "2", "id_b": "1", "decision": "different"}]
    run("dedupe", "t.csv", *again)
    assert [row["cluster_id"] for row in read(tmp_path / "out.csv")][:2] == ["p", "q"]
    assert "nothing left to undo" in run(*back).err


def test_people_decide(run: Run, tmp_path: Path) -> None:
    decided = "id_a,id_b,decision\n1,2,different\n1,3,same\n1,77,same\n"
    (tmp_path / "d.csv").write_text(decided, "utf-8")
    run("dedupe", "t.csv", "-o", "out.csv", "--decisions", "d.csv")
    ids = [row["cluster_id"] for row in read(tmp_path / "out.csv")]
    assert ids[0] == ids[2] != ids[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("-o", "t.csv"), "is the input"),
        (("-o", "o.csv", "--journal", "t.csv"), "is the input"),
        (("-o", "o.csv", "--against", "t.csv"), "cluster_id"),
        (("-o", "o.csv", "--decisions", "bad.csv"), "line 2"),
        (("-o", "o.csv", "--largest", "0"), "--largest"),
        (("-o", "o.csv", "--undo"), "--journal"),
        (("-o", "o.csv", "--undo", "--journal", "j", "--plan"), "--plan would change nothing"),
        (
            ("-o", "o.csv", "--undo", "--journal", "j", "--golden-out", "g.csv"),
            "--golden-out would change nothing",
        ),
        (("-o", "o.csv", "--undo", "--journal", "bad.csv"), "line 1"),
    ],
)
def test_refusals(run: Run, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    (tmp_path / "bad.csv").write_text("id_a,id_b,decision\n1,2,sane\n", "utf-8")
    done = run("dedupe", "t.csv", *arguments)
    assert done.code == 2
    assert told in done.err
    assert not (tmp_path / "o.csv").exists()


def test_rows_without_ids_are_known_again_by_their_texts(run: Run, tmp_path: Path) -> None:
    """The output of before has a column cluster_id: it is no id of a row."""
    rows = ["浙江省杭州市西湖区文三路123号", "杭州西湖文三路123号", "浙江省杭州市西湖区文三路125号"]
    (tmp_path / "t.csv").write_text("\n".join(["address", *rows]), "utf-8")
    run("dedupe", "t.csv", "-o", "before.csv")
    (tmp_path / "t.csv").write_text("\n".join(["address", "杭州市西湖区文三路123号", *rows]), "utf-8")
    changes = run("dedupe", "t.csv", "-o", "after.csv", "--against", "before.csv", "--json").json["changes"]
    assert changes == []


def test_nothing_that_is_read_and_no_other_output_is_written_over(run: Run, tmp_path: Path) -> None:
    run("dedupe", "t.csv", "-o", "before.csv")
    (tmp_path / "d.csv").write_text("id_a,id_b,decision\n1,3,same\n", "utf-8")
    (tmp_path / "link.csv").symlink_to("t.csv")
    for arguments, code in (
        (("-o", "link.csv"), "is the input itself"),
        (("-o", "x.csv", "--journal", "t.csv"), "is the input itself"),
        (("-o", "x.csv", "--golden-out", "./before.csv", "--against", "before.csv"), "is the input itself"),
        (("-o", "x.csv", "--pairs-out", "d.csv", "--decisions", "d.csv"), "is the input itself"),
        (("-o", "x.csv", "--pairs-out", "sub/../x.csv"), "two outputs"),
        (("-o", "x.csv", "--journal", "x.csv"), "two outputs"),
        (("--pairs-out", "-"), "two outputs"),
        (("-o", "x.html", "--report", "x.html"), "two outputs"),
        (("--undo", "--journal", "j", "-o", "x.csv", "--decisions", "x.csv"), "two outputs"),
        (("--undo", "--journal", "t.csv", "-o", "x.csv"), "is the input itself"),
        (("--undo", "--journal", "j", "-o", "x.csv", "--decisions", "t.csv"), "is the input itself"),
    ):
        done = run("dedupe", "t.csv", *arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert code in done.err, arguments
    assert (tmp_path / "t.csv").read_text("utf-8") == TABLE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before.csv", "d.csv", "link.csv", "t.csv"]
    assert run("dedupe", "t.csv", "-o", "before.csv", "--against", "before.csv").code == 1


def test_a_journal_or_decisions_that_cannot_be_used_are_told_before_the_work(
    run: Run, tmp_path: Path
) -> None:
    run("dedupe", "t.csv", "-o", "old.csv")
    (tmp_path / "d.csv").write_text("id_a,id_b,decision\n1,3,same\n", "utf-8")
    run("dedupe", "t.csv", "-o", "new.csv", "--against", "old.csv", "--journal", "j", "--decisions", "d.csv")
    (tmp_path / "broken").write_bytes("中文".encode("gb18030"))
    (tmp_path / "wrong.csv").write_text("a,b\n1,2\n", "utf-8")
    for arguments in (
        ("dedupe", "t.csv", "--against", "old.csv", "--journal", "broken"),
        ("dedupe", "t.csv", "--against", "old.csv", "--journal", "."),
        ("dedupe", "new.csv", "--undo", "--journal", "j", "--decisions", "wrong.csv"),
    ):
        assert run(*arguments, "-o", "x.csv").code == 2
        assert not (tmp_path / "x.csv").exists()
    assert (
        run("dedupe", "new.csv", "--undo", "--journal", "j", "-o", "x.csv", "--decisions", "d.csv").code == 1
    )
    assert [row["cluster_id"] for row in read(tmp_path / "x.csv")] == [
        row["cluster_id"] for row in read(tmp_path / "old.csv")
    ]


def test_of_several_decisions_on_a_pair_the_last_holds(run: Run, tmp_path: Path) -> None:
    for told, same in (("1,3,same\n3,1,different\n", False), ("1,3,different\n3,1,same\n", True)):
        (tmp_path / "d.csv").write_text("id_a,id_b,decision\n" + told, "utf-8")
        run("dedupe", "t.csv", "-o", "out.csv", "--decisions", "d.csv")
        ids = [row["cluster_id"] for row in read(tmp_path / "out.csv")]
        assert (ids[0] == ids[2]) is same


def test_a_merge_that_people_asked_for_does_not_come_again_once_it_is_undone(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "d.csv").write_text("id_a,id_b,decision\n1,3,same\n", "utf-8")
    run("dedupe", "t.csv", "-o", "old.csv")
    again = ("--against", "old.csv", "--journal", "j", "--decisions", "d.csv")
    run("dedupe", "t.csv", "-o", "new.csv", *again)
    run("dedupe", "new.csv", "--undo", "--journal", "j", "-o", "back.csv", "--decisions", "d.csv")
    run("dedupe", "t.csv", "-o", "last.csv", *again)
    assert read(tmp_path / "last.csv") == read(tmp_path / "old.csv") == read(tmp_path / "back.csv")


def test_an_id_that_several_rows_have_decides_and_undoes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text(
        "id,address\n1,文三路1号\n1,文三路3号\n2,文三路1号\n7,文三路9号\n", "utf-8"
    )
    for told, code in (("1,2,different", 2), ("2,1,same", 2), ("2,7,same", 0)):
        (tmp_path / "d.csv").write_text(f"id_a,id_b,decision\n{told}\n", "utf-8")
        done = run("dedupe", "two.csv", "-o", "out.csv", "--decisions", "d.csv")
        assert (done.code, "the id 1 stands in rows 1 and 2" in done.err) == (code, code == 2)
    run("dedupe", "two.csv", "-o", "out.csv")
    p = read(tmp_path / "out.csv")[0]["cluster_id"]
    for id_, code in (("1", 2), ("2", 0)):
        line = {"change": "moved", "run": 1, "id": id_, "from": "q", "to": p}
        (tmp_path / "j").write_text(json.dumps(line), "utf-8")
        assert run("dedupe", "out.csv", "--undo", "--journal", "j", "-o", "back.csv").code == code


def test_an_address_that_is_no_text_is_a_problem_of_its_row(run: Run, tmp_path: Path) -> None:
    rows = [{"address": value} for value in ("文三路1号", False, ["文三路1号"], {"text": "文三路1号"}, None)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert run("dedupe", "t.jsonl", "-o", "out.jsonl").code == 1
    found = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    codes = [row["problem"] and row["problem"]["code"] for row in found]
    assert codes == [None, *["address_not_text"] * 3, "row_without_address"]
    assert [row["cluster_size"] for row in found] == [1, None, None, None, None]


def test_ids_that_a_spreadsheet_would_run_are_the_same_ids_in_the_next_run(run: Run, tmp_path: Path) -> None:
    odd = "id,address\n@u1,杭州市西湖区文三路1号\n+86-2,西湖区文三路1号\n-x3,西湖区文三路3号\n,=文三路5号\n"
    (tmp_path / "odd.csv").write_text(odd, "utf-8")
    run("dedupe", "odd.csv", "-o", "old.csv", "--pairs-out", "pairs.csv")
    assert read(tmp_path / "old.csv")[1]["id"] == "'+86-2"
    (tmp_path / "d.csv").write_text("id_a,id_b,decision\n+86-2,-x3,same\n", "utf-8")
    again = ("--against", "old.csv", "--journal", "j", "--decisions", "d.csv")
    run("dedupe", "odd.csv", "-o", "new.csv", *again)
    old, new = ([row["cluster_id"] for row in read(tmp_path / name)] for name in ("old.csv", "new.csv"))
    assert new == [new[0], old[0], old[0], old[3]] or new == [old[0], new[1], new[1], old[3]]
    assert "gone" not in (tmp_path / "j").read_text("utf-8").replace(f'"gone", "cluster_id": "{old[2]}"', "")
    run("dedupe", "new.csv", "--undo", "--journal", "j", "-o", "back.csv", "--decisions", "d.csv")
    assert [row["cluster_id"] for row in read(tmp_path / "back.csv")] == old
    run("review", "pairs.csv", "--terminal", stdin=b"3\n" * 9)
    run("review", "pairs.csv", "--export", "decisions", "-o", "apart.csv")
    run("dedupe", "odd.csv", "-o", "apart-out.csv", "--decisions", "apart.csv")
    assert [row["cluster_size"] for row in read(tmp_path / "apart-out.csv")] == ["1"] * 4
