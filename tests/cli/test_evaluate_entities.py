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
