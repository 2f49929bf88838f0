"""`menpai evaluate --task entities`, and `--compare`."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.labels import as_csv, written
from tests.tables.test_entities import LEFT, RIGHT, TRUTH, write


def test_an_output_of_link_and_one_of_dedupe(run: Run, tmp_path: Path) -> None:
    write(tmp_path, left=LEFT, right=RIGHT, truth=TRUTH.replace("L9,903\n", ""))
    run("link", "left.csv", "right.csv", "-o", "linked.csv")
    assert run("evaluate", "--task", "entities", "linked.csv", "truth.csv", "--json").json[
        "f1"
    ] == pytest.approx(0.8)
    both = LEFT + RIGHT.partition("\n")[2]
    write(tmp_path, both=both)
    run("dedupe", "both.csv", "-o", "clusters.csv")
    for table in ("clusters.csv", "both.csv"):
        figures = run("evaluate", "--task", "entities", table, "truth.csv", "--json").json
        assert (figures["precision"], figures["recall"]) == (1.0, pytest.approx(2 / 3)), table


def test_errors_are_written(run: Run, tmp_path: Path) -> None:
    paths = write(tmp_path, left=LEFT, right=RIGHT, truth=TRUTH)
    done = run("evaluate", "--task", "entities", *paths, "--errors", "e.csv")
    assert (done.code, "0.8000" in done.out) == (0, True)
    assert "missed,L3,903" in Path("e.csv").read_text("utf-8-sig")


def test_two_packs_are_compared(run: Run) -> None:
    Path("pairs.csv").write_bytes(as_csv(written(240, wrong=0.3)))
    assert run("calibrate", "pairs.csv", "-o", "mine").code == 0
    Path("few.csv").write_bytes(as_csv(written(60, wrong=0.3, seed=7)))
    found = run("evaluate", "few.csv", "--compare", "mine", "--moved", "m.csv", "--json").json
    assert found["packs"][1].startswith("mine@")
    assert {"macro_f1", "moves", "by_stage", "by_level", "by_conflict", "examples", "labels"} <= found.keys()
    with Path("m.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == found["moved"]
    same = run("evaluate", "few.csv", "--compare", "menpai-mini")
    assert (same.code, "0 of 60 verdicts move" in same.out) == (0, True)
    assert run("evaluate", "few.csv", "pairs.csv").code == 2


def test_tables_with_the_same_addresses_are_not_taken_for_true_pairs(run: Run, tmp_path: Path) -> None:
    left = "id,address\nL1,文三路1号\nL2,文三路3号\n"
    right = "shop_id,address\n9,文三路1号\n8,文三路3号\n"
    paths = write(tmp_path, left=left, right=right, truth="left,right\nL1,9\nL2,8\nZ,Q\n")
    for order in (paths, paths[::-1]):
        figures = run("evaluate", "--task", "entities", *order, "--json").json
        assert (figures["f1"], figures["unknown_pairs"]) == (1.0, 1)


def test_options_that_would_change_nothing_are_refused(run: Run, tmp_path: Path) -> None:
    paths = write(tmp_path, left=LEFT, right=RIGHT, truth=TRUTH)
    Path("pairs.csv").write_bytes(as_csv(written(20)))
    for arguments, told in (
        (("pairs.csv", "--moved", "m.csv"), "--moved"),
        (("pairs.csv", "--compare", "menpai-mini", "--errors", "e.csv"), "--errors"),
        (("--task", "entities", *paths, "--compare", "menpai-mini"), "--compare"),
    ):
        done = run("evaluate", *arguments)
        assert (done.code, done.out, told in done.err) == (2, "", True)
    done = run("evaluate", "--task", "entities", "-", *paths[1:])
    assert (done.code, "standard input" in done.err) == (2, True)
